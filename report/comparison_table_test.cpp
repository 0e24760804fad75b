#include "report/comparison_table.hpp"

#include "report/comparison_csv.hpp"
#include "report/comparison_json.hpp"
#include "report/comparison_sample.hpp"
#include "report/terminal_text.hpp"
#include "tests/support/terminal_styles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace overcast {
namespace {

using ::overcast::testing::kAscii;
using ::overcast::testing::kUnicode;

TEST(ComparisonTable, looks_like_this) {
    EXPECT_EQ('\n' + comparison_table(sample_comparison(), 8, kUnicode), R"(
before     a.json.gz
after      b.json.gz
device     NVIDIA H200
matched    2 operations and 1 wait; only before: 1, only after: 0

whole                              before     after  difference
───────────────────────────────  ────────  ────────  ──────────
makespan                         1.000 ms  800.0 µs     -20.0 %
device, first start to last end  900.0 µs  700.0 µs     -22.2 %
in calls that wait               700.0 µs  650.0 µs      -7.1 %
share of host time                 25.0 %    30.0 %
share of device time               50.0 %    60.0 %
streams                                 1         2
host threads                            1         1

Difference, operation by operation
time                                      pairs  median  90 % within
────────────────────────────────────────  ─────  ──────  ───────────
start of the call to start on the device      2  83.3 %      166.7 %
duration of calls that wait                   1   7.1 %        7.1 %

Device time by kind
kind      count    before     after  difference
────────  ─────  ────────  ────────  ──────────
kernel        1  100.0 µs  60.00 µs     -40.0 %
H2D copy      1  25.00 µs  25.00 µs       0.0 %
memset    1 / 0  2.000 µs      0 ns    -100.0 %

Calls that wait for the device
call                   count    before     after  difference  median off
─────────────────────  ─────  ────────  ────────  ──────────  ──────────
cudaStreamSynchronize      1  700.0 µs  650.0 µs      -7.1 %       7.1 %

Starts that moved most, counted from the start of the region
operation        stream    before     after  difference
───────────────  ──────  ────────  ────────  ──────────
scale<float> #2       7  40.00 µs  90.00 µs   +50.00 µs

Durations that changed most: on the device, of a wait in its call
operation                 stream    before     after  difference
────────────────────────  ──────  ────────  ────────  ──────────
cudaStreamSynchronize #1       7  700.0 µs  650.0 µs   -50.00 µs
scale<float> #2                7  100.0 µs  60.00 µs   -40.00 µs

Only before
operation      count      time
─────────────  ─────  ────────
memset, 4 KiB      1  2.000 µs

warning: before: CUDA_LAUNCH_BLOCKING was set.
)");
}

TEST(ComparisonTable, is_plain_where_the_locale_is_not_utf_8) {
    const auto table = comparison_table(sample_comparison(), 8, kAscii);
    EXPECT_TRUE(
        std::ranges::all_of(table, [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

TEST(ComparisonTable, shows_as_many_operations_as_were_asked_for) {
    const auto one = comparison_table(sample_comparison(), 1, kUnicode);
    EXPECT_THAT(one, ::testing::HasSubstr("scale<float> #2"));
    EXPECT_THAT(one, ::testing::HasSubstr("cudaStreamSynchronize #1"));
    EXPECT_THAT(one, ::testing::Not(::testing::HasSubstr("-40.00")));  // the second longest
    const auto none = comparison_table(sample_comparison(), 0, kUnicode);
    EXPECT_THAT(none, ::testing::Not(::testing::HasSubstr("Starts that moved most")));
}

TEST(ComparisonTable, fits_80_columns_without_blanks_at_line_ends) {
    auto comparison = sample_comparison();
    comparison.matched[1].name = std::string(300, 'x');
    comparison.waits[0].name = std::string(100, 'y');
    comparison.matched[1].right.device_start += std::chrono::hours{30};
    comparison.left.title = std::string(200, 'z');
    std::istringstream lines{comparison_table(comparison, 8, kUnicode)};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(display_width(line) <= 80U || line.find("zzz") != std::string::npos) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(ComparisonTable, lets_no_recorded_text_reach_the_terminal_as_a_command) {
    auto comparison = sample_comparison();
    comparison.matched[1].name = "x\x1b[2J";
    comparison.waits[0].name = "y\x1b[2J";
    comparison.left.title = "z\x1b[2J";
    EXPECT_THAT(comparison_table(comparison, 8, kUnicode),
                ::testing::Not(::testing::HasSubstr("\x1b")));
}

TEST(ComparisonCsv, has_one_line_for_each_operation) {
    EXPECT_EQ('\n' + comparison_csv(sample_comparison()), R"csv(
matched,kind,name,amount,left_stream,left_call_start_us,left_call_end_us,left_device_start_us,left_device_end_us,right_stream,right_call_start_us,right_call_end_us,right_device_start_us,right_device_end_us
both,H2D copy,,1048576,7,0.000,2.000,5.000,30.000,13,0.000,2.000,5.000,30.000
both,kernel,"void scale<float>(float*, int)",528,7,10.000,12.000,40.000,140.000,7,10.000,12.000,90.000,150.000
both,call,cudaStreamSynchronize,0,7,20.000,720.000,,,7,20.000,670.000,,
left,memset,,4096,7,1.000,2.000,150.000,152.000,,,,,
)csv");
}

TEST(ComparisonJson, holds_everything) {
    const auto json = nlohmann::json::parse(comparison_json(sample_comparison()));
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["left"]["makespan_us"], 1000);
    EXPECT_EQ(json["right"]["host_share"], 0.3);
    EXPECT_EQ(json["start_delay"]["pairs"], 2);
    EXPECT_EQ(json["waiting_calls"]["median"], 0.071429);
    EXPECT_TRUE(json["held_up_launches"].is_null());
    ASSERT_EQ(json["matched"].size(), 3U);
    EXPECT_EQ(json["matched"][0]["right_stream"], 13);
    EXPECT_EQ(json["matched"][1]["right"]["device_start_us"], 90);
    EXPECT_TRUE(json["matched"][2]["left"]["device_start_us"].is_null());
    EXPECT_TRUE(json["matched"][2]["waits"]);
    EXPECT_EQ(json["only_left"][0]["kind"], "memset");
    EXPECT_TRUE(json["only_right"].empty());
    EXPECT_EQ(json["waits"][0]["call"], "cudaStreamSynchronize");
    EXPECT_EQ(json["warnings"][0]["code"], "launch-blocking");
}

}  // namespace
}  // namespace overcast
