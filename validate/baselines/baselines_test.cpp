#include "validate/baselines/baseline.hpp"

#include "core/error.hpp"
#include "tests/support/recorded_samples.hpp"
#include "validate/baselines/add_baselines.hpp"
#include "validate/baselines/ideal_overlap.hpp"
#include "validate/baselines/serial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace overcast::testing;

/// Four units of 10 us H2D, a kernel of `grid` blocks of 256 threads and 24 us, 8 us D2H; 1 us
/// between all of them: 4 * 42 + 11 = 179 us.
Trace four_units_trace(std::uint32_t grid = 1) {
    TraceBuilder trace;
    trace.trace().devices = {small_gpu(2)};
    for (int unit = 0; unit < 4; ++unit) {
        const auto start = unit * 45us;
        trace.issue(h2d(kib(64)).on(13).starting_at(start).taking(10us))
            .issue(kernel("k").grid(grid).block(256).on(13).starting_at(start + 11us).taking(24us))
            .issue(d2h(kib(64)).on(13).starting_at(start + 36us).taking(8us));
    }
    return trace.build();
}

Extraction four_units(std::uint32_t grid = 1) {
    return recorded(four_units_trace(grid), count_of_units(4));
}

TEST(SerialBaseline, more_streams_do_not_help) {
    EXPECT_EQ(four_units().measured.device, 179us);
    EXPECT_EQ(predict_serial(four_units(), on_streams(1)), 179us);
    EXPECT_EQ(predict_serial(four_units(), on_streams(4)), 179us);
    EXPECT_EQ(predict_serial(four_units(), on_streams(4, Transform::split)), 179us);
    EXPECT_EQ(predict_serial(four_units(), on_streams(3, Transform::replicate)), 537us);
}

// 10 us and 10 us that overlap by 5, then 5 us of nothing, then 10 us: 30 us of work and a gap
// of 5.
TEST(SerialBaseline, overlap_in_the_recording_is_taken_apart) {
    TraceBuilder trace;
    trace.issue(h2d(kib(1)).on(13).starting_at(0ns).taking(10us))
        .issue(d2h(kib(1)).on(14).starting_at(5us).taking(10us))
        .issue(d2h(kib(1)).on(14).starting_at(20us).taking(10us));
    EXPECT_EQ(predict_serial(recorded(trace, small_gpu(2)), on_streams(2)), 35us);
}

// One stream: the chain of all durations, 4 * 42. Two: two units each, 84. From four on, the H2D
// engine has 4 * 10 = 40, D2H 32; a unit takes 42; a kernel of 1 block on 2 * 4 places fills 1 / 8.
TEST(IdealOverlapBaseline, the_longest_stream_counts_until_an_engine_does) {
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(1)), 168us);
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(2)), 84us);
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(3)), 84us);
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(4)), 42us);
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(9)), 42us);
    // Three copies of all: H2D 3 * 40, a stream 168.
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(3, Transform::replicate)), 168us);
    // Five: H2D 5 * 40.
    EXPECT_EQ(predict_ideal_overlap(four_units(), on_streams(5, Transform::replicate)), 200us);
}

// 8 blocks fill the device: 4 * 24 = 96 us of SM work. 12 blocks are two waves of 8 places, of
// which 12 / 16 are used: 72 us.
TEST(IdealOverlapBaseline, kernels_count_for_what_they_fill_of_the_device) {
    EXPECT_EQ(predict_ideal_overlap(four_units(8), on_streams(4)), 96us);
    EXPECT_EQ(predict_ideal_overlap(four_units(12), on_streams(4)), 72us);
}

// Each unit cut in two: copies of 5 and 4 us; 8 of 16 blocks are one wave of two, 12 us. A stream
// of 4 halves: 4 * 21 = 84; the SMs 4 * 24 = 96.
TEST(IdealOverlapBaseline, parts_take_what_their_bytes_and_waves_take) {
    auto split = on_streams(2, Transform::split);
    split.parts = 2;
    EXPECT_EQ(predict_ideal_overlap(four_units(16), split), 96us);
    // 1 block cannot be cut: 24 us in both halves. A stream: 4 * (5 + 24 + 4).
    EXPECT_EQ(predict_ideal_overlap(four_units(1), split), 132us);
}

TEST(Baselines, are_found_by_name) {
    ASSERT_EQ(baselines().size(), 3U);
    for (const auto& one : baselines()) {
        EXPECT_EQ(&find_baseline(one.name), &one);
        EXPECT_TRUE(one.predict(four_units(), on_streams(2))) << one.name;
    }
}

TEST(Baselines, an_unknown_name_lists_those_that_are_known) {
    try {
        find_baseline("oracle");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "there is no baseline 'oracle'; known are serial, ideal-overlap, "
                     "trans-kernel-model");
    }
}

TEST(Baselines, are_put_beside_the_predictions_of_a_sweep) {
    PredictionSweep sweep;
    for (const std::uint32_t streams : {1U, 2U}) {
        sweep.predictions.emplace_back().configuration = on_streams(streams);
    }
    ForecastOptions options;
    options.unit = count_of_units(4);
    add_baselines(four_units_trace(), DeviceModel{}, options,
                  {"ideal-overlap", "serial", "ideal-overlap"}, sweep);
    const auto& two_streams = sweep.predictions[1].baselines;
    ASSERT_EQ(two_streams.size(), 2U);
    EXPECT_EQ(two_streams[0].name, "ideal-overlap");
    EXPECT_EQ(two_streams[0].wall, 84us);
    EXPECT_EQ(two_streams[1].wall, 179us);
    EXPECT_EQ(sweep.predictions[0].baselines[0].wall, 168us);
}

}  // namespace
}  // namespace overcast
