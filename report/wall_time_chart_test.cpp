#include "report/wall_time_chart.hpp"

#include "report/report_samples.hpp"
#include "report/terminal_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace overcast {
namespace {

// 1 + 7 + 2 + 10 columns before the bars, 1 + 9 behind them: 30 for the bars.
constexpr TerminalStyle kChartUnicode{.colour = false, .unicode = true, .width = 60};
constexpr TerminalStyle kChartAscii{.colour = false, .unicode = false, .width = 60};

TEST(WallTimeChart, looks_like_this) {
    EXPECT_EQ('\n' + wall_time_chart(sample_sweep(), kChartUnicode), R"(
 streams  order     wall time, shorter is better
       1  depth     ██████████████████████████████ 15.000 ms
       1  breadth   ██████████████████████████████ 15.000 ms
       4  depth     ███████████████ 7.500 ms
       4  breadth   ████████████████████ 10.000 ms
▶     16  depth     ██████████████▉ 7.450 ms
)");
}

TEST(WallTimeChart, shows_intervals_in_ascii) {
    auto sweep = sample_sweep_with_intervals();
    // 5 to 10 of 15.6 ms, in 30 columns of 0.52 ms.
    sweep.predictions[2].interval = {std::chrono::milliseconds{5}, std::chrono::milliseconds{10}};
    EXPECT_EQ('\n' + wall_time_chart(sweep, kChartAscii), R"(
 streams  order     wall time, shorter is better (=: the 90 % interval)
       1  depth     ############################== 15.000 ms
       1  breadth   ############################# 15.000 ms
       4  depth     ##########========= 7.500 ms
       4  breadth   ###################= 10.000 ms
>     16  depth     ##############= 7.450 ms
)");
}

TEST(WallTimeChart, fits_the_width) {
    for (const std::size_t width : {80U, 160U}) {
        for (const bool unicode : {false, true}) {
            std::istringstream lines{
                wall_time_chart(sample_sweep_with_intervals(),
                                {.colour = false, .unicode = unicode, .width = width})};
            std::size_t widest = 0;
            for (std::string line; std::getline(lines, line);) {
                widest = std::max(widest, display_width(line));
            }
            EXPECT_LE(widest, width);
            EXPECT_GE(widest, width - 1);
        }
    }
}

TEST(WallTimeChart, draws_nothing_where_all_took_no_time) {
    auto sweep = sample_sweep();
    for (auto& prediction : sweep.predictions) {
        prediction.wall = {};
    }
    EXPECT_EQ(wall_time_chart(sweep, kChartAscii).find('#'), std::string::npos);
}

}  // namespace
}  // namespace overcast
