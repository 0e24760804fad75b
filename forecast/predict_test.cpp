#include "forecast/predict.hpp"

#include "core/error.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace overcast::testing;
using ::testing::ElementsAre;

constexpr Bytes kMegabyte{1'000'000};  // 1 ms in either direction on the round model

/// Each unit: 1 ms in, 1 ms of a kernel that fills the GPU, 1 ms out.
Trace units_of_three_milliseconds(int units) {
    TraceBuilder trace;
    for (int i = 0; i < units; ++i) {
        trace.issue(h2d(kMegabyte).taking(1ms))
            .issue(kernel("work").grid(4).block(1024).taking(1ms))
            .issue(d2h(kMegabyte).taking(1ms));
    }
    return trace.synchronise_stream(7).build();
}

ForecastOptions on_streams(std::vector<std::uint32_t> streams) {
    ForecastOptions options;
    options.streams = std::move(streams);
    options.orders = {IssueOrder::depth};
    return options;
}

std::vector<std::uint32_t> streams_of(const PredictionSweep& sweep) {
    std::vector<std::uint32_t> result;
    for (const auto& prediction : sweep.predictions) {
        result.push_back(prediction.configuration.streams);
    }
    return result;
}

TEST(Forecast, deals_repeated_units_over_eight_numbers_of_streams_in_both_orders_by_default) {
    const auto sweep =
        forecast(units_of_three_milliseconds(8), overcast::test::round_model(), {}).sweep;
    EXPECT_EQ(sweep.transform, Transform::distribute);
    EXPECT_EQ(sweep.sync, SyncPolicy::defer);
    EXPECT_EQ(sweep.units_found, 8U);
    EXPECT_EQ(sweep.operations, 24U);
    EXPECT_THAT(streams_of(sweep), ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 6, 6, 8, 8, 12, 12, 16, 16));
    EXPECT_EQ(sweep.predictions[1].configuration.order, IssueOrder::breadth);
}

TEST(Forecast, replicates_where_nothing_repeats) {
    const auto sweep =
        forecast(units_of_three_milliseconds(1), overcast::test::round_model(), on_streams({1, 2}))
            .sweep;
    EXPECT_EQ(sweep.transform, Transform::replicate);
}

TEST(Forecast, overlaps_a_pipeline_of_three_equal_stages) {
    const auto sweep =
        forecast(units_of_three_milliseconds(8), overcast::test::round_model(), on_streams({1, 4}))
            .sweep;
    // One stream: 8 units of 3 ms. Four: 3 ms for the first, 1 ms for each of the others. The
    // microseconds of calls and gaps stay below 2 %.
    EXPECT_NEAR(to_microseconds(sweep.predictions[0].wall), 24'000, 24'000 * 0.02);
    EXPECT_NEAR(to_microseconds(sweep.predictions[1].wall), 10'000, 10'000 * 0.02);
    EXPECT_DOUBLE_EQ(sweep.predictions[0].speedup, 1);
    EXPECT_NEAR(sweep.predictions[1].speedup, 2.4, 0.05);
    EXPECT_EQ(sweep.best, 1U);
    // Each engine works for 1 of the 3 ms of a unit on one stream, for 8 of the 10 ms on four.
    EXPECT_NEAR(sweep.predictions[0].utilisation.sm, 1.0 / 3, 0.01);
    EXPECT_NEAR(sweep.predictions[1].utilisation.h2d, 0.8, 0.02);
    EXPECT_EQ(sweep.predictions[1].bound_by, Bound::chain);
}

TEST(Forecast, refers_speed_up_to_one_stream_even_where_none_was_asked_for) {
    const auto trace = units_of_three_milliseconds(8);
    const auto model = overcast::test::round_model();
    const auto both = forecast(trace, model, on_streams({1, 4})).sweep;
    const auto four = forecast(trace, model, on_streams({4})).sweep;
    EXPECT_THAT(streams_of(four), ElementsAre(4));
    EXPECT_DOUBLE_EQ(four.predictions[0].speedup, both.predictions[1].speedup);
}

TEST(Forecast, counts_every_copy_of_the_work_in_the_speed_up_of_replicate) {
    auto options = on_streams({1, 2});
    options.transform = Transform::replicate;
    const auto sweep =
        forecast(units_of_three_milliseconds(1), overcast::test::round_model(), options).sweep;
    // Two copies of in, kernel, out one after the other take 6 ms, side by side 4 ms.
    EXPECT_DOUBLE_EQ(sweep.predictions[0].speedup, 1);
    EXPECT_NEAR(sweep.predictions[1].speedup, 1.5, 0.03);
}

TEST(Forecast, prefers_fewer_streams_then_depth_among_equals) {
    auto options = on_streams({3, 2});
    options.orders = {IssueOrder::breadth, IssueOrder::depth};
    options.transform = Transform::distribute;
    options.unit.kind = UnitChoice::Kind::whole;
    // One unit runs on one stream, however many there are; waiting for an idle stream is free.
    auto model = overcast::test::round_model();
    const auto sweep = forecast(units_of_three_milliseconds(1), model, options).sweep;
    ASSERT_EQ(sweep.predictions.size(), 4U);
    ASSERT_TRUE(sweep.best);
    const auto& best = sweep.predictions[*sweep.best].configuration;
    EXPECT_EQ(best.streams, 2U);
    EXPECT_EQ(best.order, IssueOrder::depth);
}

TEST(Forecast, plays_the_recorded_program_once_as_recorded) {
    auto options = on_streams({1, 2, 4});
    options.transform = Transform::as_recorded;
    const auto sweep =
        forecast(units_of_three_milliseconds(2), overcast::test::round_model(), options).sweep;
    ASSERT_EQ(sweep.predictions.size(), 1U);
    EXPECT_EQ(sweep.sync, SyncPolicy::keep);
    EXPECT_EQ(sweep.predictions[0].configuration.order, IssueOrder::recorded);
    EXPECT_EQ(sweep.predictions[0].configuration.streams, 1U);
    EXPECT_DOUBLE_EQ(sweep.predictions[0].speedup, 1);
}

TEST(Forecast, cuts_units_into_as_many_parts_as_streams_unless_told) {
    auto options = on_streams({4});
    options.transform = Transform::split;
    const auto trace = units_of_three_milliseconds(1);
    const auto model = overcast::test::round_model();
    EXPECT_EQ(forecast(trace, model, options).sweep.predictions[0].configuration.parts, 4U);
    options.parts = 2;
    EXPECT_EQ(forecast(trace, model, options).sweep.predictions[0].configuration.parts, 2U);
}

TEST(Forecast, shows_an_overridden_gap_instead_of_the_measured_one) {
    auto options = on_streams({1});
    options.overhead_overrides[GapKind::h2d_to_kernel] = GapStatistics{100us, 100us, 100us, 0};
    const auto trace = units_of_three_milliseconds(8);
    const auto model = overcast::test::round_model();
    const auto slow = forecast(trace, model, options).sweep;
    EXPECT_EQ(slow.overheads[GapKind::h2d_to_kernel]->median, 100us);
    // Each of the 8 units waits 100 us between copy and kernel instead of about 1.
    const auto as_measured = forecast(trace, model, on_streams({1})).sweep;
    EXPECT_NEAR(to_microseconds(slow.predictions[0].wall - as_measured.predictions[0].wall), 8 * 99,
                16);
}

TEST(Forecast, says_how_many_connections_it_assumed) {
    auto trace = units_of_three_milliseconds(2);
    const auto model = overcast::test::round_model();
    EXPECT_EQ(forecast(trace, model, on_streams({1})).sweep.predictions[0].max_connections, 8U);
    auto options = on_streams({1});
    options.max_connections = 2;
    EXPECT_EQ(forecast(trace, model, options).sweep.predictions[0].max_connections, 2U);
}

TEST(Forecast, keeps_the_timeline_of_the_best_configuration_only_where_asked) {
    const auto trace = units_of_three_milliseconds(8);
    auto options = on_streams({1, 4});
    auto result = forecast(trace, overcast::test::round_model(), options);
    EXPECT_EQ(result.best.timeline.wall, result.sweep.predictions[1].wall);
    EXPECT_EQ(result.best.timeline.entries.size(), result.best.workload.operations.size());
    options.play_best = false;
    result = forecast(trace, overcast::test::round_model(), options);
    EXPECT_TRUE(result.best.timeline.entries.empty());
}

TEST(Forecast, refuses_to_predict_nothing) {
    const auto model = overcast::test::round_model();
    EXPECT_THROW(forecast(units_of_three_milliseconds(2), model, on_streams({})), UsageError);
    EXPECT_THROW(forecast(TraceBuilder{}.build(), model, on_streams({1})), Error);
}

TEST(Forecast, passes_on_the_doubts_of_the_recording) {
    auto trace = units_of_three_milliseconds(2);
    trace.warnings.push_back({"dropped-records", "3 records were dropped"});
    const auto sweep = forecast(trace, overcast::test::round_model(), on_streams({1})).sweep;
    EXPECT_THAT(sweep.warnings, ::testing::Contains(::testing::Field(
                                    &Warning::code, ::testing::Eq("dropped-records"))));
}

}  // namespace
}  // namespace overcast
