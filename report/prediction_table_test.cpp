#include "report/prediction_table.hpp"

#include "report/prediction_words.hpp"
#include "report/report_samples.hpp"
#include "report/terminal_text.hpp"
#include "tests/support/terminal_styles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace overcast {
namespace {

using ::overcast::testing::kAscii;
using ::overcast::testing::kUnicode;
constexpr TerminalStyle kColour{.colour = true, .unicode = true};

TEST(PredictionTable, looks_like_this) {
    EXPECT_EQ('\n' + prediction_table(sample_sweep(), kUnicode), R"(
trace      traces/pipeline.json.gz
program    ./pipeline --units 20
device     NVIDIA H200, device model nvidia-h200
recorded   80 operations in 20 units: 15.31 ms while recording, after 312.0 ms
           of set-up
predicted  the units dealt over N streams (distribute), waits moved to the end
           of the region (--sync defer)

 streams  order     wall time speed-up             bound by  H2D  D2H   SM host
────────────────────────────────────────────────────────────────────────────────
       1  depth     15.000 ms  1.00× ██████        chain     61%  30%  27%   3%
       1  breadth   15.000 ms  1.00× ██████        chain     61%  30%  27%   3%
       4  depth      7.500 ms  2.00× ███████████▉  H2D       98%  60%  54%   6%
       4  breadth   10.000 ms  1.50× █████████     chain     80%  45%  40%   4%
▶     16  depth      7.450 ms  2.01× ████████████  H2D      100%  61%  55%   6%

Best: 16 streams, issued depth-first: 7.450 ms, 2.01 times as fast as one stream
      (15.00 ms). The H2D copy engine is busy 100 % of the time. 4 streams come
      within 1 % of that speed.

warning: 3 records were dropped: record a shorter run.
warning: 16 units write the same buffer. (2 of 5 configurations)
)");
}

TEST(PredictionTable, has_intervals_in_place_of_the_bars) {
    const auto text = prediction_table(sample_sweep_with_intervals(), kUnicode);
    const auto begin = text.find(" streams  order");
    EXPECT_EQ('\n' + text.substr(begin, text.find("\n\n", begin) - begin), R"(
 streams  order    wall time  90 % within speed-up bound by  H2D  D2H   SM host
────────────────────────────────────────────────────────────────────────────────
       1  depth    15.000 ms  14.70–15.60    1.00× chain     61%  30%  27%   3%
       1  breadth  15.000 ms            -    1.00× chain     61%  30%  27%   3%
       4  depth     7.500 ms    7.35–7.80    2.00× H2D       98%  60%  54%   6%
       4  breadth  10.000 ms   9.80–10.40    1.50× chain     80%  45%  40%   4%
▶     16  depth     7.450 ms    7.30–7.75    2.01× H2D      100%  61%  55%   6%)");
}

TEST(PredictionTable, has_bars_behind_the_intervals_where_the_terminal_is_wide) {
    auto style = kUnicode;
    style.width = 100;
    const auto text = prediction_table(sample_sweep_with_intervals(), style);
    const auto begin = text.find(" streams  order");
    EXPECT_EQ('\n' + text.substr(begin, text.find("       4  depth", begin) - begin), R"(
 streams  order    wall time  90 % within speed-up bound by  H2D  D2H   SM host  speed-up
────────────────────────────────────────────────────────────────────────────────
       1  depth    15.000 ms  14.70–15.60    1.00× chain     61%  30%  27%   3%  █████████
       1  breadth  15.000 ms            -    1.00× chain     61%  30%  27%   3%  █████████
)");
    EXPECT_THAT(text, ::testing::HasSubstr(" 6%  ██████████████████\n"));
}

TEST(PredictionTable, looks_like_this_where_the_locale_is_not_utf_8) {
    const auto table = prediction_table(sample_sweep(), kAscii);
    EXPECT_THAT(
        table,
        ::testing::HasSubstr(
            ">     16  depth      7.450 ms  2.01x ############  H2D      100%  61%  55%   6%"));
    EXPECT_TRUE(
        std::ranges::all_of(table, [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

TEST(PredictionTable, fits_80_columns_without_blanks_at_line_ends) {
    auto sweep = sample_sweep();
    sweep.program = std::string(300, 'x');
    sweep.predictions[3].configuration.streams = 4096;
    sweep.predictions[3].speedup = 1234.567;
    sweep.predictions[3].wall = std::chrono::seconds{123'456};
    std::istringstream lines{prediction_table(sweep, kUnicode)};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), 80U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(PredictionTable, fits_80_columns_with_intervals) {
    auto sweep = sample_sweep_with_intervals();
    sweep.predictions[3].wall = std::chrono::seconds{123'456};
    sweep.predictions[3].interval = {std::chrono::seconds{99'999}, std::chrono::seconds{199'999}};
    std::istringstream lines{prediction_table(sweep, kUnicode)};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), 80U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(PredictionTable, has_the_same_text_with_colours) {
    auto coloured = prediction_table(sample_sweep(), kColour);
    for (auto start = coloured.find('\x1b'); start != std::string::npos;
         start = coloured.find('\x1b')) {
        coloured.erase(start, coloured.find('m', start) - start + 1);
    }
    EXPECT_EQ(coloured, prediction_table(sample_sweep(), kUnicode));
}

TEST(PredictionTable, lets_no_recorded_text_reach_the_terminal_as_a_command) {
    auto sweep = sample_sweep();
    sweep.program = "./app \x1b[2J";
    sweep.device = "GPU\x07";
    EXPECT_THAT(prediction_table(sweep, kUnicode), ::testing::Not(::testing::HasSubstr("\x1b")));
}

TEST(BestInWords, says_when_more_streams_do_not_help) {
    auto sweep = sample_sweep();
    sweep.best = 0;
    EXPECT_THAT(
        best_in_words(sweep, kAscii),
        ::testing::StartsWith("1 stream, issued depth-first: 15.00 ms; more streams do not help."));
}

TEST(BestInWords, counts_copies_of_the_work_for_replicate) {
    auto sweep = sample_sweep();
    sweep.transform = Transform::replicate;
    for (auto& prediction : sweep.predictions) {
        prediction.configuration.transform = Transform::replicate;
    }
    sweep.one_stream_wall = std::chrono::milliseconds{1};
    sweep.best = 3;
    sweep.predictions[3].speedup = 3.0;
    EXPECT_THAT(best_in_words(sweep, kAscii),
                ::testing::StartsWith("4 streams, issued breadth-first: 4 copies of the work in "
                                      "10.00 ms, 3.00 times as fast as one after the other "
                                      "(1.000 ms each)."));
}

TEST(AllWarnings, says_once_what_concerns_several_configurations) {
    const auto warnings = all_warnings(sample_sweep());
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[1].text, "16 units write the same buffer. (2 of 5 configurations)");
}

TEST(PredictionTable, looks_like_this_beside_two_other_models) {
    const auto table = prediction_table(sample_sweep_beside_others(false), kUnicode);
    EXPECT_THAT(table, ::testing::HasSubstr(R"(
                                                   one-stream-
 streams  order     wall time speed-up      serial       model  bound by
────────────────────────────────────────────────────────────────────────────────
       1  depth     15.000 ms    1.00×    15.20 ms    15.10 ms  chain
       1  breadth   15.000 ms    1.00×    15.20 ms    15.10 ms  chain
       4  depth      7.500 ms    2.00×    15.20 ms           -  H2D
       4  breadth   10.000 ms    1.50×    15.20 ms           -  chain
▶     16  depth      7.450 ms    2.01×    15.20 ms           -  H2D

-: that model says nothing about such work, or knows too little of the device.
)"));
}

TEST(PredictionTable, three_other_models_fit_80_columns) {
    const auto table = prediction_table(sample_sweep_beside_others(true), kUnicode);
    std::istringstream lines{table};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), kReportWidth) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
    EXPECT_THAT(
        table, ::testing::HasSubstr("       4  depth      7.500 ms    2.00×    15.20 ms    3.750 ms"
                                    "           -\n"));
}

}  // namespace
}  // namespace overcast
