#include "validate/baselines/trans_kernel_model.hpp"

#include "formats/format_table.hpp"
#include "tests/support/recorded_samples.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace overcast::testing;

/// The device as the author of the model described it: what nvprof's tables do not hold.
DeviceProperties gtx_950() {
    DeviceProperties device;
    device.name = "GeForce GTX 950";
    device.multiprocessors = 6;
    device.threads_per_multiprocessor = 2048;
    device.registers_per_multiprocessor = 65536;
    device.shared_memory_per_multiprocessor = Bytes{49152};
    return device;
}

Extraction published_case() {
    auto result = recorded(read_trace(std::filesystem::path{OVERCAST_SOURCE_DIR} /
                                      "tests/data/nvprof/vecadd_23000_1stream.csv"));
    result.workload.device = gtx_950();
    return result;
}

std::optional<Duration> predict(const Extraction& recording, std::uint32_t streams,
                                Transform transform) {
    return predict_trans_kernel_model(recording, on_streams(streams, transform));
}

// The recording of the published case, in ms from the first start:
//   H2D 0 .. 0.016672, H2D 0.017888 .. 0.034112, kernel 0.196001 .. 0.257057,
//   D2H 0.259521 .. 0.275425.
TEST(TransKernelModel, one_stream_is_the_recording) {
    EXPECT_EQ(predict(published_case(), 1, Transform::replicate), 275'425ns);
}

// The second stream starts 0.002 behind the second H2D: 0.036112; its kernel 0.196001 later:
// 0.232113. 90 blocks of 256 threads and 28 registers: 8 fit an SM (2,048 threads), 48 the device,
// so two waves of 0.030528 each. An SM gets 15 blocks of each kernel:
//   first kernel:  8 at 0.196001, 7 at 0.226529 (until 0.257057)
//   second kernel: 1 beside those 7 at 0.232113, 7 at 0.257057, 1 at 0.262641 where the first one
//                  ends, and the last 6 at 0.287585, until 0.318113
// D2H: 0.002464 later, for 0.015904: until 0.336481. That is the published prediction, 0.336481 ms.
TEST(TransKernelModel, the_published_case_is_reproduced) {
    const auto predicted = predict(published_case(), 2, Transform::replicate);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(to_microseconds(*predicted), 336.481, 0.002);
    EXPECT_EQ(predicted, 336'481ns);
}

// The third stream starts at 0.072224, its kernel at 0.268225, when each SM has placed all blocks
// of the second one: the last 6 from 0.287585 to 0.318113, beside one until 0.293169. So on each SM
//   1 at 0.287585, 1 at 0.293169, 7 at 0.318113 (6 of the second kernel and the first of its own
//   have ended), 1 at 0.323697, 5 at 0.348641, until 0.379169
// and the D2H until 0.379169 + 0.002464 + 0.015904 = 0.397537.
TEST(TransKernelModel, a_third_stream_queues_behind_the_blocks_of_the_second) {
    EXPECT_EQ(predict(published_case(), 3, Transform::replicate), 397'537ns);
}

/// One unit: H2D of `h2d`, 10 us later a kernel of 1 ms, at once a D2H of `d2h`.
Extraction long_copies(Duration h2d_time, Duration d2h_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(32)).on(13).starting_at(0ns).taking(h2d_time))
        .issue(kernel("scale").grid(1).block(32).on(13).starting_at(h2d_time + 10us).taking(1ms))
        .issue(d2h(mib(32)).on(13).starting_at(h2d_time + 1010us).taking(d2h_time));
    return recorded(trace, small_gpu(4));
}

// H2D of 6 ms, above the threshold: the second stream starts at 3.158431 + 0.002 = 3.160431. The
// first has 2.839569 left, which takes twice that beside the second: until 8.839569. The second has
// done 2.839569 by then, and needs 3.160431 more alone: until 12.000000. Kernel 12.010 .. 13.010,
// D2H (1 ms, the first stream's was over at 10.849569) until 14.010.
TEST(TransKernelModel, copies_longer_than_the_threshold_share_the_link) {
    EXPECT_EQ(predict(long_copies(6ms, 1ms), 2, Transform::replicate), 14'010us);
}

// The same with D2H of 4 ms: the first stream's runs from 8.839569 + 1.010 = 9.849569 and has
// 0.839569 left at 13.010, when the second one starts; beside it until 14.689138. The second has
// 4 - 0.839569 = 3.160431 left: until 17.849569.
TEST(TransKernelModel, copies_to_the_host_share_likewise) {
    EXPECT_EQ(predict(long_copies(6ms, 4ms), 2, Transform::replicate), 17'849'569ns);
}

// Just as long as the threshold: the second H2D follows 2 us behind the first, 3.160431
// .. 6.318862, then 0.010 + 1 + 1 ms.
TEST(TransKernelModel, copies_up_to_the_threshold_follow_each_other) {
    EXPECT_EQ(predict(long_copies(3'158'431ns, 1ms), 2, Transform::replicate), 8'328'862ns);
}

/// H2D of 100 us, a kernel of `grid` blocks of `threads` and 2 ms at once, D2H of 100 us at once.
TraceBuilder short_copies(std::uint32_t grid, std::uint32_t threads = 256) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).on(13).starting_at(0ns).taking(100us))
        .issue(kernel("scale").grid(grid).block(threads).on(13).starting_at(100us).taking(2ms))
        .issue(d2h(mib(1)).on(13).starting_at(2100us).taking(100us));
    return trace;
}

// 2 SMs of 4 blocks: 12 blocks are two waves of 1 ms. On each SM 4 at 0.1, 2 at 1.1. The second
// kernel (0.202) finds room at 1.1 for 2, and at 2.1 for the other 4: until 3.1, D2H until 3.2.
TEST(TransKernelModel, a_kernel_fills_the_last_wave_of_another) {
    auto trace = short_copies(12);
    EXPECT_EQ(predict(recorded(trace, small_gpu(2)), 2, Transform::replicate), 3200us);
}

// 2 blocks on 8 places: the second kernel runs beside the first, 0.202 .. 2.202, D2H until 2.302.
TEST(TransKernelModel, small_kernels_run_side_by_side_at_full_speed) {
    auto trace = short_copies(2);
    EXPECT_EQ(predict(recorded(trace, small_gpu(2)), 2, Transform::replicate), 2302us);
}

// One block that fills an SM: the second kernel is dealt from the SM whose block ends first, the
// only busy one, although the other is idle: 2.1 .. 4.1, D2H until 4.2.
TEST(TransKernelModel, an_idle_sm_is_not_preferred_to_a_busy_one) {
    auto trace = short_copies(1, 1024);
    EXPECT_EQ(predict(recorded(trace, small_gpu(2)), 2, Transform::replicate), 4200us);
}

/// Four units of 10 us H2D, 20 us kernel, 10 us D2H, with 1 us between and 5 us behind each.
Extraction four_short_units() {
    TraceBuilder trace;
    for (int unit = 0; unit < 4; ++unit) {
        const auto start = unit * 47us;
        trace.issue(h2d(kib(64)).on(13).starting_at(start).taking(10us))
            .issue(kernel("scale").grid(1).block(32).on(13).starting_at(start + 11us).taking(20us))
            .issue(d2h(kib(64)).on(13).starting_at(start + 32us).taking(10us));
    }
    return recorded(trace, small_gpu(4), count_of_units(4));
}

// Second stream from 10 + 2 = 12 us. Each stream has two units of 42 us with 5 us between: 89 us,
// and no two copies of one direction meet (H2D at 0, 12, 47, 59; D2H at 32, 44, 79, 91): until 101
// us.
TEST(TransKernelModel, later_units_of_a_stream_keep_their_recorded_gap) {
    EXPECT_EQ(predict(four_short_units(), 1, Transform::distribute), 183us);
    EXPECT_EQ(predict(four_short_units(), 2, Transform::distribute), 101us);
    // Four streams, from 0, 12, 24 and 36 us: 36 + 42. More streams than units stay empty.
    EXPECT_EQ(predict(four_short_units(), 4, Transform::distribute), 78us);
    EXPECT_EQ(predict(four_short_units(), 9, Transform::distribute), 78us);
    EXPECT_EQ(predict(four_short_units(), 1, Transform::as_recorded), 183us);
    // Two streams of all four units: 12 + 183.
    EXPECT_EQ(predict(four_short_units(), 2, Transform::replicate), 195us);
}

TEST(TransKernelModel, the_issue_order_plays_no_part) {
    auto breadth = on_streams(2);
    breadth.order = IssueOrder::breadth;
    EXPECT_EQ(predict_trans_kernel_model(four_short_units(), breadth),
              predict(four_short_units(), 2, Transform::distribute));
}

TEST(TransKernelModel, work_that_it_does_not_know_gets_no_answer) {
    EXPECT_EQ(predict(four_short_units(), 2, Transform::split), std::nullopt);

    const auto one_unit = [](const std::vector<Work>& steps) {
        TraceBuilder trace;
        for (const auto& step : steps) trace.issue(step);
        return predict(recorded(trace, small_gpu(4)), 2, Transform::replicate);
    };
    EXPECT_TRUE(one_unit({h2d(kib(1)), kernel("a")}));
    EXPECT_TRUE(one_unit({h2d(kib(1)), h2d(kib(1)), kernel("a"), d2h(kib(1)), d2h(kib(1))}));
    EXPECT_FALSE(one_unit({kernel("a"), d2h(kib(1))}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), d2h(kib(1))}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), kernel("a"), kernel("b")}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), kernel("a"), d2h(kib(1)), h2d(kib(1))}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), memset(kib(1)), kernel("a")}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), d2d(kib(1)), kernel("a")}));
    EXPECT_FALSE(one_unit({h2d(kib(1)), kernel("a").on(8)}));
}

TEST(TransKernelModel, a_device_whose_limits_are_unknown_gets_no_answer) {
    auto recording = published_case();
    recording.workload.device.registers_per_multiprocessor.reset();
    EXPECT_EQ(predict(recording, 2, Transform::replicate), std::nullopt);
}

}  // namespace
}  // namespace overcast
