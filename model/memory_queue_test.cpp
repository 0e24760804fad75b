#include "model/memory_queue.hpp"
#include "tests/support/counters.hpp"
#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace overcast {
namespace {

using test::counters;

/// The L2 looks up 10 requests, the SMs together 2 instructions per ns.
DeviceModel model_of_a_queue() {
    auto made = test::round_model();
    made.device.core_clock_khz = 1'000'000;
    made.device.memory_bandwidth_bytes_per_s = 4e12;
    made.kernels.capacities.l2_bytes_per_ns = 960;
    made.kernels.capacities.queue_instructions = 40;
    made.kernels.capacities.l2_path_written = 0.5;
    made.kernels.capacities[SmUnit::lsu_pipe] = 1;
    return made;
}

/// Of eight warps.
KernelDemand eight_warps(SmUnit unit, double share) {
    KernelDemand made;
    made.per_block.threads = 256;
    made.carve_out = 64 * 1024;
    made.units.sm[static_cast<std::size_t>(SmUnit::lsu_pipe)] = 0.5;
    made.units.sm[static_cast<std::size_t>(unit)] = share;
    return made;
}

/// Of both SMs, half of the time an instruction to memory each ns.
KernelCounters of_both_sms(std::initializer_list<std::pair<KernelCounter, double>> values) {
    auto made = counters(values);
    made.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 1;
    made.values[static_cast<std::size_t>(KernelCounter::lsu_pipe)] = 0.5;
    return made;
}

KernelCounters of_single_sectors() {
    return of_both_sms({{KernelCounter::l2, 0.1}, {KernelCounter::l2_requests, 0.5}});
}

TEST(MemoryQueue, holds_back_what_finds_no_line_but_no_more_than_it_has_room_for) {
    const QueueDemand slowest{.ns_per_byte = 0.005, .longest_ns = 80};
    EXPECT_DOUBLE_EQ(wait_in_queue(9'000, 10'000, slowest), 0);
    EXPECT_DOUBLE_EQ(wait_in_queue(12'000, 10'000, slowest), 10);
    EXPECT_DOUBLE_EQ(wait_in_queue(100'000, 10'000, slowest), 80);
}

TEST(MemoryQueue, of_single_sectors_wants_as_many_lines_as_fill_it_alone) {
    auto fills = eight_warps(SmUnit::global_queue, 0.5);
    const auto queue = queue_demand(of_single_sectors(), nullptr, fills, model_of_a_queue());
    EXPECT_DOUBLE_EQ(queue.wanted_in_l1, 0.5 * (256 - 64) * 1024);
    EXPECT_DOUBLE_EQ(queue.ns_per_byte, 0.5 / (2.5 * 128));
    EXPECT_DOUBLE_EQ(queue.longest_ns, 80);
}

TEST(MemoryQueue, of_single_sectors_wants_as_many_lines_as_are_on_their_way_however_large_the_l1) {
    auto asks = eight_warps(SmUnit::l1, 0.1);
    asks.units.lost_apart = 20;
    const auto queue = queue_demand(of_single_sectors(), nullptr, asks, model_of_a_queue());
    EXPECT_DOUBLE_EQ(queue.wanted_in_l1, 8 * 20 * 128);
    EXPECT_DOUBLE_EQ(queue.ns_per_byte, 0.5 / (2.5 * 128));
    asks.units.lost_apart = 1;
    EXPECT_DOUBLE_EQ(
        queue_demand(of_single_sectors(), nullptr, asks, model_of_a_queue()).wanted_in_l1, 0);
}

TEST(MemoryQueue, of_single_sectors_that_fill_a_unit_has_half_of_those_sent_at_once_in_the_mean) {
    auto counted = of_single_sectors();  // five requests for each of its instructions
    counted.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 16;
    KernelCode code;
    code.memory_waits = 2;
    code[CodeUnit::lsu_pipe] = 6 * 4;
    auto model = model_of_a_queue();
    model.kernels.capacities.l2_longest_wait = 3;
    auto fills = eight_warps(SmUnit::l1, 0.1);
    const auto demand_of = [&](double share, const KernelCode* known) {
        fills.units.device[static_cast<std::size_t>(DeviceUnit::l2_requests)] = share;
        return queue_demand(counted, known, fills, model);
    };
    const auto queue =
        demand_of(0.5, &code);  // twice all that the L2 has, of two blocks on two SMs
    EXPECT_DOUBLE_EQ(queue.requests, 8 * (3 + 1) / 2. * 5);
    EXPECT_DOUBLE_EQ(queue.requests_per_ns, 2.5);
    EXPECT_DOUBLE_EQ(queue.late_elsewhere, 1);
    EXPECT_DOUBLE_EQ(demand_of(2, &code).late_elsewhere, 3);
    EXPECT_DOUBLE_EQ(demand_of(0.2, &code).requests, 0) << "the L2 serves them as they come";
    fills.units.sm[static_cast<std::size_t>(SmUnit::global_queue)] = 0.5;
    EXPECT_DOUBLE_EQ(demand_of(0.2, nullptr).requests, 0.5 * (256 - 64) * 1024 / 128);
    EXPECT_DOUBLE_EQ(demand_of(0.2, nullptr).late_elsewhere, 0);
}

TEST(MemoryQueue, of_whole_lines_wants_what_its_code_moves_between_two_waits) {
    // 2.5 lines read per ns, and as much written.
    const auto whole = of_both_sms({{KernelCounter::l2, 0.7},
                                    {KernelCounter::l2_requests, 0.7},
                                    {KernelCounter::l2_replies, 0.5}});
    KernelCode code;
    code.memory_waits = 2;
    code.global_bytes = 4096;
    auto fills = eight_warps(SmUnit::l1, 0.1);
    fills.units.held_in_l1 = 1;
    const auto queue = queue_demand(whole, &code, fills, model_of_a_queue());
    const auto read = 0.25 * 10 * 128;
    const auto written = 0.7 * 960 - read;
    EXPECT_DOUBLE_EQ(queue.wanted_in_l1, 8 * 2048 * (read + written / 2) / (read + written));
    EXPECT_DOUBLE_EQ(queue.ns_per_byte, 0.5 / ((read + written) / 2));
    // Not told by counters alone, nor of what fills no unit of the device.
    EXPECT_DOUBLE_EQ(queue_demand(whole, nullptr, fills, model_of_a_queue()).wanted_in_l1, 0);
    EXPECT_DOUBLE_EQ(
        queue_demand(whole, &code, eight_warps(SmUnit::l1, 0.1), model_of_a_queue()).wanted_in_l1,
        0);
}

TEST(MemoryQueue, is_waited_for_once_in_six_reads) {
    const auto queue =
        queue_demand(of_both_sms({}), nullptr, eight_warps(SmUnit::l1, 0.5), model_of_a_queue());
    EXPECT_DOUBLE_EQ(queue.reads_per_ns, 0.5 / 8 / 6);
    // Of eight warps, each as long as 0.5 of the L1 for 0.5 of an instruction per cycle.
    EXPECT_DOUBLE_EQ(queue.cycles_of_reads,
                     8 * 6 * model_of_a_queue().kernels.capacities[SmUnit::l1]);
    auto off = model_of_a_queue();
    off.kernels.capacities.queue_instructions = 0;
    EXPECT_EQ(queue_demand(of_both_sms({}), nullptr, eight_warps(SmUnit::l1, 0.5), off),
              QueueDemand{});
}

}  // namespace
}  // namespace overcast
