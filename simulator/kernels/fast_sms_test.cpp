// SMs that get more than others of what the device is short of, played with round numbers.
#include "simulator/simulator.hpp"
#include "tests/support/counted_kernels.hpp"
#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::ran;
using test::round_model;
using test::WorkloadBuilder;

constexpr Bytes kNearlyAnSm{220 * 1024};

/// One of the two SMs gets twice as much as the other of an L2 that looks up half of what is asked.
DeviceModel model_of_a_fast_sm() {
    auto model = round_model();
    model.kernels.ends_apart = 0.01;
    model.kernels.capacities.l2_bytes_per_ns = 4'000;
    model.kernels.capacities.l2_latency_ns = 1'000;
    model.kernels.capacities[DeviceUnit::l2_requests] = 0.25;
    model.kernels.capacities.fast_sms = {.share = 0.5, .speed_of_chains = 2};
    return model;
}

/// A kernel of so many blocks that waits for the L2 on both SMs, and one of a block that waits for
/// room.
Workload room_behind_loads(std::uint32_t blocks, double requests = 0.5) {
    WorkloadBuilder program{2};
    program.on(0).kernel(blocks, 120ns, 256, kNearlyAnSm).on(1).kernel(1, 100ns, 256, kNearlyAnSm);
    auto workload = program.workload();
    workload.kernels[0].counters =
        test::counters({{KernelCounter::warps_per_sm, 8}, {KernelCounter::l2_requests, requests}});
    return workload;
}

TEST(FastSms, end_first_and_the_others_when_all_would_have) {
    // 1.5 blocks are done in 90 ns (and one of rounding), one of them on the fast SM: the other one
    // has the L2 to itself from then on.
    const auto timeline = simulate(room_behind_loads(2), model_of_a_fast_sm());
    EXPECT_EQ(ran(timeline, 1), "91-191");
    EXPECT_EQ(ran(timeline, 0), "0-121");
}

TEST(FastSms, are_alike_where_the_rule_is_off_or_nothing_of_the_device_is_full) {
    Rules rules;
    rules.switch_off(Rule::fast_sms);
    EXPECT_EQ(ran(simulate(room_behind_loads(2), model_of_a_fast_sm(), rules), 1), "120-220");
    EXPECT_EQ(ran(simulate(room_behind_loads(2, 0.2), model_of_a_fast_sm()), 1), "120-220");
}

TEST(FastSms, are_somewhere_in_their_last_blocks_after_many_waves) {
    EXPECT_EQ(ran(simulate(room_behind_loads(4), model_of_a_fast_sm()), 1), "91-191")
        << "after two, half a block ahead of the mean";
    EXPECT_EQ(ran(simulate(room_behind_loads(20), model_of_a_fast_sm()), 1), "120-220");
}

/// The like with 32 SMs, four blocks on each, and who waits needs a quarter of each SM.
std::string behind_waves(std::uint32_t waves, double mixed) {
    auto model = model_of_a_fast_sm();
    model.device.multiprocessors = 32;
    model.kernels.capacities.fast_sms.share = 0.25;
    model.kernels.ends_mixed = mixed;
    WorkloadBuilder program{2};
    program.on(0).kernel(128 * waves, waves * 120ns, 512).on(1).kernel(32, 100ns, 512);
    auto workload = program.workload();
    workload.kernels[0].counters =
        test::counters({{KernelCounter::warps_per_sm, 64}, {KernelCounter::l2_requests, 0.5}});
    return ran(simulate(workload, model), 1);
}

TEST(FastSms, mix_the_blocks_of_all_when_they_are_far_ahead) {
    EXPECT_EQ(behind_waves(1, 0.5), "75-175") << "0.375 of a block's time: not far";
    EXPECT_EQ(behind_waves(8, 0), "960-1060");
    EXPECT_EQ(behind_waves(8, 0.5), "932-1042") << "a quarter of a block's time sooner, and two of "
                                                   "its blocks find room on one SM";
}

}  // namespace
}  // namespace overcast
