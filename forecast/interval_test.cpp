#include "forecast/interval.hpp"

#include "forecast/predict.hpp"
#include "tests/support/certain_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace overcast::testing;
using overcast::test::certain_model;
using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;

/// A chain on one stream: kernels of these durations, each after a copy of 1 MB in 1 ms.
Trace chain(const std::vector<Duration>& kernels, bool copies = false) {
    TraceBuilder trace;
    for (const auto duration : kernels) {
        if (copies) {
            trace.issue(h2d(Bytes{1'000'000}).taking(1ms));
        }
        trace.issue(kernel("work").grid(2).block(1024).taking(duration));
    }
    return trace.synchronise_stream(7).build();
}

Prediction predicted(const Trace& trace, const DeviceModel& model, std::uint32_t streams = 1) {
    ForecastOptions options;
    options.streams = {streams};
    options.orders = {IssueOrder::depth};
    options.transform = Transform::distribute;
    return forecast(trace, model, options).sweep.predictions.front();
}

double nanoseconds(Duration duration) { return static_cast<double>(duration.count()); }

TEST(Interval, has_no_width_where_nothing_is_uncertain) {
    const auto prediction = predicted(chain(std::vector(10, 1'000'000ns)), certain_model());
    ASSERT_TRUE(prediction.interval);
    EXPECT_EQ(prediction.interval->low, prediction.wall);
    EXPECT_EQ(prediction.interval->high, prediction.wall);
    EXPECT_DOUBLE_EQ(prediction.interval->level, 0.9);
}

TEST(Interval, of_a_chain_is_that_of_the_factor_all_its_kernels_share) {
    auto model = certain_model();
    model.uncertainty.kernel_duration = 0.25;
    const auto prediction = predicted(chain(std::vector(10, 1'000'000ns)), model);
    // 10 ms of kernels take 12.5 ms or 8 ms; what lies between them stays.
    EXPECT_NEAR(nanoseconds(prediction.interval->high - prediction.wall), 2.5e6, 10);
    EXPECT_NEAR(nanoseconds(prediction.wall - prediction.interval->low), 2e6, 10);
}

TEST(Interval, takes_in_the_scatter_of_the_trace) {
    std::vector<Duration> durations;
    for (int i = 0; i < 5; ++i) {
        durations.insert(durations.end(), {900'000ns, 1'100'000ns});
    }
    const auto prediction = predicted(chain(durations), certain_model());
    // 10 launches, mean 1 ms, squares 10 * 0.01; with two launches that do not scatter
    // c^2 = 0.1 / (9 + 2). Means of two runs: 1.645 c sqrt(2 / 10) of 10 ms.
    const double half = 1.645 * std::sqrt(0.1 / 11) * std::sqrt(0.2);
    EXPECT_NEAR(nanoseconds(prediction.interval->high - prediction.wall), half * 10e6, 50);
}

TEST(Interval, adds_independent_causes_in_squares) {
    auto model = certain_model();
    model.uncertainty.kernel_duration = 0.04;
    model.intervals["h2d.bandwidth_bytes_per_s"] = {1e9 / 1.03, 1e9};
    const auto prediction = predicted(chain(std::vector(10, 1'000'000ns), true), model);
    const double wall = nanoseconds(prediction.wall);
    const double high = std::hypot(std::log1p(0.4e6 / wall), std::log1p(0.3e6 / wall));
    EXPECT_NEAR(nanoseconds(prediction.interval->high), wall * std::exp(high), 50);
    // Copies are no faster than predicted: the kernels alone decide about the low end.
    EXPECT_NEAR(nanoseconds(prediction.wall - prediction.interval->low), 10e6 * (1 - 1 / 1.04), 50);
}

TEST(Interval, has_room_for_what_the_rules_get_wrong) {
    auto model = certain_model();
    model.uncertainty.one_stream = 0.1;
    const auto prediction = predicted(chain(std::vector(10, 1'000'000ns)), model);
    EXPECT_NEAR(nanoseconds(prediction.interval->high), nanoseconds(prediction.wall) * 1.1, 10);
    EXPECT_NEAR(nanoseconds(prediction.interval->low), nanoseconds(prediction.wall) / 1.1, 10);
}

TEST(Interval, of_a_chain_of_engines_has_room_for_the_rules_of_each_part_of_it) {
    auto model = certain_model();
    model.uncertainty.copies = 0.03;
    model.uncertainty.kernels = 0.06;
    // On two streams a copy, a copy and a kernel follow each other, 1 ms each.
    const auto prediction = predicted(chain(std::vector(2, 1'000'000ns), true), model, 2);
    EXPECT_EQ(prediction.bound_by, Bound::chain);
    EXPECT_NEAR(nanoseconds(prediction.interval->high) / nanoseconds(prediction.wall),
                1 + std::hypot(0.03 * 2 / 3, 0.06 / 3), 1e-4);
}

TEST(Interval, is_wide_where_kernels_may_or_may_not_share_an_sm) {
    auto model = certain_model();
    model.kernels.saturating_warps = 32;
    model.uncertainty.fewest_saturating_warps = 32;
    model.uncertainty.most_saturating_warps = 64;
    // Two kernels with a block of 32 warps on each of the two SMs. If 32 warps use up an SM, they
    // take twice as long side by side; if 64 do, no longer than alone.
    TraceBuilder story;
    for (int i = 0; i < 8; ++i) {
        story.issue(kernel("work").grid(2).block(1024).taking(1ms));
    }
    const auto trace = story.synchronise_stream(7).build();
    const auto prediction = predicted(trace, model, 2);
    EXPECT_NEAR(nanoseconds(prediction.wall), 8e6, 0.1e6);
    EXPECT_NEAR(nanoseconds(prediction.interval->low), 4e6, 0.1e6);
    EXPECT_EQ(prediction.interval->high, prediction.wall);
    EXPECT_THAT(prediction.warnings, Contains(Field(&Warning::code, "wide-interval")));
    EXPECT_THAT(predicted(trace, model, 1).warnings, IsEmpty());
}

TEST(Interval, is_wide_where_a_program_may_or_may_not_go_round_all_its_memory) {
    auto model = certain_model();
    model.device.core_clock_khz = 1'000'000;
    model.kernels.capacities.l2_latency_ns = 100;
    model.kernels.capacities.dram_latency = 1;
    auto& halves = model.kernels.l2_halves;
    halves.ns_in_one = Curve{{{30e6, 100}, {60e6, 200}}};
    halves.ns_in_both = Curve{{{30e6, 100}, {60e6, 300}}};
    halves.both_by_sms = Curve{{{1, 0}, {2, 1}}};
    TraceBuilder story;
    story.allocate(2 << 20, Bytes{60'000'000});
    for (int i = 0; i < 8; ++i) {
        story.issue(kernel("work").grid(1).block(32).taking(1ms));
    }
    KernelCode code;
    code.name = story.trace().names.intern("work");
    code.instructions = 10;
    code.cycles = 100;
    code.memory_waits = 1;
    story.trace().code.push_back(code);
    const auto trace = story.synchronise_stream(7).build();
    // 100 ns and a load of 200 on one SM, a load of 300 on two.
    const auto prediction = predicted(trace, model, 2);
    EXPECT_NEAR(nanoseconds(prediction.wall), 4e6 * 4 / 3, 0.1e6);
    EXPECT_NEAR(nanoseconds(prediction.interval->low), 4e6, 0.1e6);
    EXPECT_EQ(prediction.interval->high, prediction.wall);
    EXPECT_THAT(prediction.warnings, Contains(Field(&Warning::code, "wide-interval")));
    EXPECT_THAT(predicted(trace, model, 1).warnings, IsEmpty());
}

TEST(Interval, is_wider_where_kernels_that_are_not_the_same_run_side_by_side) {
    auto model = certain_model();
    model.uncertainty.unlike_uncounted_kernels = 0.25;
    const auto relative_end = [&](const char* second, std::uint32_t streams) {
        TraceBuilder trace;
        trace.issue(kernel("work").grid(1).block(1024).taking(1ms));
        trace.issue(kernel(second).grid(1).block(1024).taking(1ms));
        ForecastOptions options;
        options.unit = {UnitChoice::Kind::count, "", 2};
        options.streams = {streams};
        options.orders = {IssueOrder::depth};
        options.transform = Transform::distribute;
        const auto found = forecast(trace.synchronise_stream(7).build(), model, options);
        const auto& prediction = found.sweep.predictions.front();
        return nanoseconds(prediction.interval->high) / nanoseconds(prediction.wall);
    };
    EXPECT_NEAR(relative_end("work", 2), 1, 1e-3);
    EXPECT_NEAR(relative_end("other", 2), 1.25, 1e-3);
    EXPECT_NEAR(relative_end("other", 1), 1, 1e-3);
}

TEST(Interval, is_the_same_each_time) {
    const auto trace = chain({900us, 1'100us, 1ms, 1'050us}, true);
    const auto model = overcast::test::round_model();
    EXPECT_EQ(predicted(trace, model, 2).interval, predicted(trace, model, 2).interval);
}

TEST(Interval, is_left_out_where_it_would_take_too_long) {
    TraceBuilder story;
    for (std::size_t i = 0; i <= kMostOperationsForIntervals; ++i) {
        story.issue(kernel("work").grid(2).block(1024).taking(1us));
    }
    const auto prediction = predicted(story.synchronise_stream(7).build(), certain_model());
    EXPECT_FALSE(prediction.interval);
    EXPECT_THAT(prediction.warnings, Contains(Field(&Warning::code, "no-interval")));
}

TEST(Interval, is_left_out_where_nobody_asked_for_it) {
    ForecastOptions options;
    options.intervals = false;
    const auto sweep = forecast(chain({1ms, 1ms}), certain_model(), options).sweep;
    EXPECT_FALSE(sweep.predictions.front().interval);
}

}  // namespace
}  // namespace overcast
