// How reports show a case whose recording holds many members.
#include "report/terminal_text.hpp"
#include "validate/baselines/baseline.hpp"
#include "validate/report/accuracy_csv.hpp"
#include "validate/report/accuracy_json.hpp"
#include "validate/report/accuracy_markdown.hpp"
#include "validate/report/accuracy_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

/// Member i is predicted i % too slow; every second interval holds the truth.
CaseAccuracy members(int count) {
    CaseAccuracy one;
    one.case_name = "co_run_b";
    one.family = Family::co_run;
    for (int i = 0; i < count; ++i) {
        RunAccuracy run;
        run.measured.range = fmt::format("nvtx:group={}", i);
        run.measured.streams = 4;
        run.measured.wall_median = 100us;
        run.predicted = 100us + i * 1us;
        run.error_percent = i;
        run.interval = i % 2 == 0 ? WallInterval{90us, 200us} : WallInterval{150us, 200us};
        run.baselines.resize(baselines().size());
        run.timeline.emplace();
        run.timeline->slowdowns.push_back({"kernel", 1, 2.0, 2.2});
        one.runs.push_back(std::move(run));
    }
    return one;
}

TEST(SweptCases, are_summed_up_in_markdown_and_listed_by_their_worst) {
    const auto text = accuracy_markdown(make_report({members(21)}), "overcast", "");
    // Mean and median of 0 … 20 %; half of the intervals hold; each kernel is 10 % off.
    EXPECT_THAT(text, HasSubstr("| co_run_b | 21 | 10.00 | 10.00 | 19.00 | 20.00 | +10.00 | 52.38 "
                                "| 52.38 | 21 | 10.00 | 10.00 | 10.00 |\n"));
    EXPECT_THAT(text, HasSubstr("Here are the 10 worst of 21 runs.\n"));
    EXPECT_THAT(text, HasSubstr("| distribute group=20 | depth | 4 |"));
    EXPECT_THAT(text, Not(HasSubstr("| distribute group=10 |")));
}

TEST(SweptCases, are_named_in_json_and_csv_run_by_run) {
    const auto report = make_report({members(12)});
    const auto json = nlohmann::json::parse(accuracy_json(report));
    EXPECT_EQ(json.at("cases").size(), 12U);
    EXPECT_EQ(json.at("cases").at(3).at("range"), "nvtx:group=3");
    const auto& figures = json.at("swept_cases").at("co_run_b");
    EXPECT_EQ(figures.at("count"), 12);
    EXPECT_EQ(figures.at("intervals").at("coverage_percent"), 50.0);
    EXPECT_EQ(figures.at("slowdowns").at("kernels"), 12);
    const auto csv = accuracy_csv(report);
    EXPECT_THAT(csv, HasSubstr(",range\n"));
    EXPECT_THAT(csv, EndsWith(",nvtx:group=11\n"));
}

TEST(SweptCases, are_summed_up_in_the_terminal) {
    const auto text = accuracy_table(make_report({members(21)}), {}, {});
    EXPECT_THAT(text, HasSubstr("\nco_run_b              21  10.00   10.00"));
    EXPECT_THAT(text, HasSubstr("\nco_run_b              21        52.38"));
    EXPECT_THAT(text, HasSubstr("21 kernels in co_run_b: slow-down beside others off by 10.00 %"));
    EXPECT_THAT(text, HasSubstr("Here are the 10 worst of 21 runs.\n"));
}

TEST(SweptCases, leave_no_trace_in_reports_of_other_cases) {
    auto one = members(21);
    for (auto& run : one.runs) {
        run.measured.range.reset();
    }
    const auto report = make_report({one});
    EXPECT_THAT(accuracy_markdown(report, "", ""), Not(HasSubstr("many members")));
    EXPECT_THAT(accuracy_table(report, {}, {}), Not(HasSubstr("\nco_run_b  ")));
    EXPECT_TRUE(nlohmann::json::parse(accuracy_json(report)).at("swept_cases").empty());
}

}  // namespace
}  // namespace overcast
