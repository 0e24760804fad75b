#include "validate/accuracy/accuracy_report.hpp"

#include "validate/baselines/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

/// Measured 100 us; `baseline` is what the first baseline says of it, the others say nothing.
RunAccuracy run(std::uint32_t streams, double error, double noise = 0,
                std::optional<double> baseline = std::nullopt) {
    constexpr double kMeasuredNs = 100'000;
    const auto of_error = [](double percent) {
        return Duration{static_cast<Duration::rep>(kMeasuredNs * (1 + percent / 100))};
    };
    RunAccuracy made;
    made.measured.streams = streams;
    made.measured.wall_median = Duration{static_cast<Duration::rep>(kMeasuredNs)};
    made.measured.noise_percent = noise;
    made.predicted = of_error(error);
    made.error_percent = error;
    made.baselines.resize(baselines().size());
    if (baseline) {
        made.baselines.front() = of_error(*baseline);
    }
    return made;
}

CaseAccuracy one_case(const std::string& name, Family family, std::vector<RunAccuracy> runs) {
    CaseAccuracy made;
    made.case_name = name;
    made.family = family;
    made.runs = std::move(runs);
    return made;
}

TEST(AccuracyReport, leaves_out_runs_on_one_stream) {
    const auto report =
        make_report({one_case("a", Family::balanced, {run(1, 50), run(2, 3), run(4, -1)})});
    EXPECT_EQ(report.all.ours.errors.count, 2U);
    EXPECT_DOUBLE_EQ(report.all.ours.errors.mape_percent, 2);
    EXPECT_THAT(worst_runs(report, 10), ElementsAre(Pair(0, 1), Pair(0, 2)));
}

TEST(AccuracyReport, sums_up_each_family_that_has_a_case) {
    const auto report = make_report({one_case("a", Family::full_grid, {run(2, 1)}),
                                     one_case("b", Family::co_run, {run(2, 5, 0.25)}),
                                     one_case("c", Family::full_grid, {run(2, 3)})});
    ASSERT_EQ(report.families.size(), 2U);
    EXPECT_EQ(report.families[0].first, Family::co_run);  // in the order of the rules
    EXPECT_DOUBLE_EQ(report.families[0].second.noise.median_percent, 0.25);
    EXPECT_DOUBLE_EQ(report.families[1].second.ours.errors.mape_percent, 2);
    EXPECT_DOUBLE_EQ(report.all.ours.errors.family_mape_percent, 3.5);  // (5 + 2) / 2
}

TEST(AccuracyReport, counts_what_a_baseline_does_not_know) {
    const auto report = make_report(
        {one_case("a", Family::balanced, {run(2, 0, 0, 10.0), run(3, 0), run(1, 0, 0, 90.0)})});
    EXPECT_EQ(report.all.baselines.front().errors.count, 1U);
    EXPECT_DOUBLE_EQ(report.all.baselines.front().errors.mape_percent, 10);
    EXPECT_EQ(report.all.baselines.front().undefined, 1U);
    EXPECT_EQ(report.all.ours.undefined, 0U);
}

TEST(AccuracyReport, a_choice_within_the_noise_of_the_truth_is_a_good_one) {
    auto one = one_case("a", Family::balanced, {run(2, 0, 3), run(4, 0)});
    one.decisions.push_back({{0, 1, 2.5}, {}});
    one.decisions.push_back({{1, 0, 5}, {}});
    for (auto& decision : one.decisions) {
        decision.baselines.resize(baselines().size());
    }
    const auto& ours = make_report({one}).all.ours;
    EXPECT_EQ(ours.decisions, 2U);
    EXPECT_EQ(ours.best_chosen, 1U);  // 2.5 % lies within the 3 % of run 0, 5 % does not
    EXPECT_DOUBLE_EQ(ours.regret_percent.value(), 3.75);
    EXPECT_FALSE(make_report({one}).all.baselines.front().regret_percent);
}

TEST(AccuracyReport, counts_how_often_the_interval_holds_the_truth) {
    // Measured 100 us each; of four runs on several streams one interval holds it, one misses it by
    // 0.5 us, one by 2 us, and one run has none.
    auto inside = run(2, 0);
    inside.interval = {95us, 105us};
    auto near = run(2, 0, 1);  // 100 us ± 0.5 us
    near.interval = {100'500ns, 102'500ns};
    auto far = run(2, 0, 1);
    far.interval = {94us, 98us};
    auto single = run(1, 0);
    single.interval = {1us, 2us};
    const auto figures =
        make_report({one_case("a", Family::balanced, {inside, near, far, single, run(4, 0)})})
            .all.intervals;
    EXPECT_EQ(figures.count, 3U);
    EXPECT_NEAR(figures.coverage_percent, 100.0 / 3, 1e-9);
    EXPECT_NEAR(figures.coverage_within_noise_percent, 200.0 / 3, 1e-9);
    EXPECT_NEAR(figures.mean_width_percent, (10.0 + 2 + 4) / 3, 1e-9);
    EXPECT_NEAR(figures.median_width_percent, 4, 1e-9);
}

TEST(AccuracyReport, keeps_other_parameters_apart) {
    auto other = one_case("a", Family::balanced, {run(2, 8)});
    other.device_model = "another";
    const auto report = make_report({one_case("a", Family::balanced, {run(2, 1)})}, {other});
    EXPECT_DOUBLE_EQ(report.all.ours.errors.mape_percent, 1);
    EXPECT_DOUBLE_EQ(report.other_parameters->errors.mape_percent, 8);
    EXPECT_EQ(report.other_model, "another");
}

}  // namespace
}  // namespace overcast
