// What blocks ask of the memory, by their counters.
#include "model/unit_demand.hpp"
#include "tests/support/counters.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace overcast {
namespace {

using test::counters;
using test::kSms;

TEST(UnitDemand, of_the_memory_is_that_of_a_block_that_has_the_device_to_itself) {
    UnitCapacities capacities;
    capacities.memory_warps = 8;
    // 32 warps on each SM use up the DRAM where 8 would: one alone would be four times as fast.
    const auto used = counters({{KernelCounter::warps_per_sm, 32},
                                {KernelCounter::sm_active, 1},
                                {KernelCounter::dram, 0.95},
                                {KernelCounter::l1, 0.2},
                                {KernelCounter::l2_replies, 0.5}});
    const auto dram = static_cast<std::size_t>(DeviceUnit::dram);
    EXPECT_DOUBLE_EQ(unit_demand(used, 256, kSms, capacities)->device[dram] * 4 * kSms, 4);
    EXPECT_DOUBLE_EQ(unit_demand(used, 256, kSms, {})->device[dram] * 4 * kSms, 1);
    // Of what an SM gets from the L2, all four ask for 0.5 * 4 / 1: twice of what there is.
    capacities.l2_path = 1;
    const auto demand = unit_demand(used, 256, kSms, capacities);
    EXPECT_DOUBLE_EQ(demand->l2_path * 4, 2);
    EXPECT_DOUBLE_EQ(demand->sm[static_cast<std::size_t>(SmUnit::l1)] * 4, 0.2 * 2 / 0.95);
}

TEST(UnitDemand, of_memory_that_is_used_up_goes_by_what_the_code_would_do_without_waiting) {
    UnitCapacities capacities;
    capacities.memory_warps = 8;
    const auto dram_of_all = [&](double share, double most_faster, double requests = 0) {
        const auto used = counters({{KernelCounter::warps_per_sm, 32},
                                    {KernelCounter::sm_active, 1},
                                    {KernelCounter::l2, 0.3},
                                    {KernelCounter::l2_requests, requests},
                                    {KernelCounter::dram, share}});
        const auto demand =
            unit_demand(used, 256, kSms, capacities, 0, {.most_faster = most_faster});
        return demand->device[static_cast<std::size_t>(DeviceUnit::dram)] * 4 * kSms;
    };
    EXPECT_DOUBLE_EQ(dram_of_all(0.95, 6), 6);
    EXPECT_DOUBLE_EQ(dram_of_all(0.95, 3), 3);
    EXPECT_DOUBLE_EQ(dram_of_all(0.95, 6, 1), 4) << "by its warps, of requests for a sector each";
    EXPECT_DOUBLE_EQ(dram_of_all(0.76, 6), 0.8) << "it does not use the DRAM up";
}

TEST(UnitDemand, keeps_others_waiting_as_its_own_requests_wait) {
    UnitCapacities capacities;
    capacities.l2_latency_ns = 200;
    capacities.dram_latency = 3;
    const auto used = counters({{KernelCounter::warps_per_sm, 32},
                                {KernelCounter::sm_active, 1},
                                {KernelCounter::l2_hit_rate, 0.5}});
    const auto queued = [&](const SeenByCode& code) {
        return unit_demand(used, 256, kSms, capacities, 0, code)->queued_ns;
    };
    EXPECT_DOUBLE_EQ(queued({.most_faster = 6}), 5 * 2 * 200 / 4.0) << "of one of four blocks";
    EXPECT_DOUBLE_EQ(queued({}), 0) << "its code is not known";
}

TEST(UnitDemand, of_a_last_wave_that_is_not_full_knows_that_the_memory_was_when_all_were_there) {
    UnitCapacities capacities;
    capacities.memory_warps = 8;
    // Three of four blocks per SM in the mean, 24 warps where 8 are enough: 0.72 of the DRAM is
    // that of a full wave and of a last one of a few blocks.
    const auto used = counters({{KernelCounter::warps_per_sm, 24},
                                {KernelCounter::sm_active, 1},
                                {KernelCounter::dram, 0.72}});
    const auto of_all = [&](double on_device) {
        const auto demand = unit_demand(used, 256, kSms, capacities, 0, {}, {0, on_device});
        return demand->device[static_cast<std::size_t>(DeviceUnit::dram)] * 3 * kSms;
    };
    EXPECT_NEAR(of_all(4 * kSms), 3 * 0.72 / 0.95, 1e-9);
    EXPECT_NEAR(of_all(3 * kSms), 0.72 / 0.95, 1e-9);
    EXPECT_NEAR(of_all(0), 0.72 / 0.95, 1e-9) << "not known";
}

TEST(UnitDemand, uses_the_units_of_its_sm_as_fast_as_its_way_to_the_l2_lets_it) {
    UnitCapacities capacities;
    capacities.memory_warps = 4;
    capacities.l2_path = 2;
    // 16 warps per SM where 4 are enough; one SM alone would get twice its share of the replies.
    const auto demand = unit_demand(counters({{KernelCounter::warps_per_sm, 16},
                                              {KernelCounter::sm_active, 1},
                                              {KernelCounter::l1, 0.19},
                                              {KernelCounter::l2_replies, 1}}),
                                    512, kSms, capacities);
    EXPECT_DOUBLE_EQ(demand->device[static_cast<std::size_t>(DeviceUnit::l2_replies)] * kSms,
                     4 / 0.95);
    EXPECT_DOUBLE_EQ(demand->sm[static_cast<std::size_t>(SmUnit::l1)], 2 * 0.19 / 0.95);
    EXPECT_DOUBLE_EQ(demand->held_by_path, 2);
}

TEST(UnitDemand, waits_no_more_for_the_l2_than_its_code_does) {
    UnitCapacities capacities;
    capacities.l2_latency_ns = 200;
    capacities.l2_bytes_per_ns = 3 * 32 * kSms;  // one request per ns and SM
    // A request per 32 ns and warp, so that each always has some on their way.
    const auto waits = [&](double sectors) {
        const auto kernel = counters({{KernelCounter::warps_per_sm, 16},
                                      {KernelCounter::sm_active, 1},
                                      {KernelCounter::l2, sectors},
                                      {KernelCounter::l2_requests, 0.5}});
        return [&, kernel](double by_code) {
            return unit_demand(kernel, 256, kSms, capacities, 0, {.most_l2_waits = by_code})
                ->l2_waits;
        };
    };
    EXPECT_DOUBLE_EQ(waits(0.5)(0.25), 0.25);
    EXPECT_DOUBLE_EQ(waits(0.5)(2), 1);
    EXPECT_DOUBLE_EQ(waits(0.1)(0.25), 1) << "a request for each sector";
}

TEST(UnitDemand, what_is_loaded_at_once_holds_lines_of_the_l1_if_it_waits_for_the_device) {
    UnitCapacities capacities;
    capacities.l2_latency_ns = 200;
    capacities.dram_latency = 2;
    capacities.l2_bytes_per_ns = 3 * 32 * kSms;  // one request per ns and SM
    auto stream = counters({{KernelCounter::warps_per_sm, 32},
                            {KernelCounter::dram, 0.95},
                            {KernelCounter::l2, 0.5},
                            {KernelCounter::l2_hit_rate, 0},
                            {KernelCounter::l2_requests, 0.25},
                            {KernelCounter::l2_replies, 0.5}});
    // A quarter of a line per ns and SM for 400 ns, by four blocks.
    EXPECT_NEAR(unit_demand(stream, 256, kSms, capacities, 4'000)->held_in_l1,
                0.25 * kL1Line * 400 / 4, 1e-6);
    stream.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.5;
    EXPECT_EQ(unit_demand(stream, 256, kSms, capacities, 4'000)->held_in_l1, 0) << "none waits";
    stream.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.95;
    stream.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.1;
    EXPECT_EQ(unit_demand(stream, 256, kSms, capacities, 4'000)->held_in_l1, 0) << "sectors";
}

TEST(UnitDemand, a_full_queue_prefers_older_blocks_the_more_the_more_warps_wait) {
    EXPECT_EQ(queue_order(0.1, {4, 0.15}), 0);
    EXPECT_NEAR(queue_order(0.4, {4, 0.15}), 1, 1e-12);
    EXPECT_NEAR(queue_order(0.4, {8, 0.15}), 2, 1e-12);
    EXPECT_EQ(queue_order(0.4, {8, 0.4}), 0);
}

/// Of 80 warps around an instruction half wait for room in the queue to global memory.
KernelCounters queue_to_memory(double waiting) {
    return counters({{KernelCounter::warps_per_sm, 32},
                     {KernelCounter::issue_slots, 0.1},
                     {KernelCounter::l2_requests, 0.5},
                     {KernelCounter::stalled_by_global_queue, waiting}});
}

TEST(UnitDemand, of_a_full_queue_is_that_of_the_blocks_that_find_room_there) {
    constexpr auto queue = static_cast<std::size_t>(SmUnit::global_queue);
    const UnitCapacities capacities;
    const auto half = unit_demand(queue_to_memory(40), 256, kSms, capacities);
    EXPECT_DOUBLE_EQ(half->sm[queue], 0.5);  // two of four blocks
    EXPECT_DOUBLE_EQ(half->queue_order, 4 * (0.5 - 0.15));
    const auto few = unit_demand(queue_to_memory(8), 256, kSms, capacities);
    EXPECT_DOUBLE_EQ(few->sm[queue], 0);
    // The warps of one block that is there alone wait for each other.
    EXPECT_DOUBLE_EQ(unit_demand(queue_to_memory(40), 1024, kSms, capacities)->sm[queue], 0);
    EXPECT_DOUBLE_EQ(unit_demand(queue_to_memory(40), 512, kSms, capacities)->sm[queue], 1);
}

TEST(UnitDemand, on_an_sm_a_queue_prefers_older_blocks_the_less_the_fewer_are_left) {
    const auto lines = unit_demand(queue_to_memory(40), 256, kSms, {});
    EXPECT_EQ(lines->queue_blocks, 4);
    EXPECT_DOUBLE_EQ(lines->order_while(1), 1.35 * (0.5 - 0.15));
    EXPECT_DOUBLE_EQ(lines->order_while(0.5), 1.35 * (0.25 - 0.15));
    EXPECT_DOUBLE_EQ(lines->order_while(0.25), 0);
    auto sectors = queue_to_memory(40);
    sectors.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.5 / 3;
    EXPECT_DOUBLE_EQ(unit_demand(sectors, 256, kSms, {})->order_while(1), 7 * (0.5 - 0.1));
}

TEST(UnitDemand, fast_sms_are_so_for_who_fills_the_device) {
    UnitCapacities capacities;
    capacities.fast_sms = {0.2, 1.5, 1.1, 1.4, 64 * 1024, 96 * 1024};
    const auto on_fast = [&](const KernelCounters& counters, const SeenByCode& code = {}) {
        return unit_demand(counters, 256, kSms, capacities, 0, code)->on_fast_sms;
    };
    EXPECT_EQ(on_fast(queue_to_memory(40)), 1.5) << "its requests wait in their SMs";
    auto loads = queue_to_memory(0);
    EXPECT_EQ(on_fast(loads), 1) << "half of what the L2 looks up";
    loads.values[static_cast<std::size_t>(KernelCounter::l2_requests)] = 0.95;
    EXPECT_EQ(on_fast(loads), 1.1);
    loads.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.95;  // three sectors each
    loads.values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.5;
    capacities.l2_latency_ns = 200;
    capacities.l2_bytes_per_ns = 3 * 32 * kSms;
    EXPECT_EQ(on_fast(loads), 1.4) << "how many lines are on their way is not known";
    constexpr auto kAny = std::numeric_limits<double>::infinity();
    EXPECT_EQ(on_fast(loads, {kAny, kAny, 2048}), 1) << "32 warps";
    EXPECT_DOUBLE_EQ(on_fast(loads, {kAny, kAny, 2560}), 1.2);
    EXPECT_EQ(on_fast(loads, {kAny, kAny, 4096}), 1.4);
}

/// A quarter of the requests and a twelfth of the sectors that can be looked up.
KernelCounters words_here_and_there() {
    return counters({{KernelCounter::warps_per_sm, 32},
                     {KernelCounter::duration_ns, 1000},
                     {KernelCounter::l2, 1.0 / 12},
                     {KernelCounter::l2_requests, 0.25},
                     {KernelCounter::l2_replies, 0.125},
                     {KernelCounter::memory_bytes, 1e6}});
}

TEST(UnitDemand, of_the_l2_is_what_each_block_looks_up_and_whether_it_comes_back_to_it) {
    UnitCapacities capacities;
    capacities.l2_bytes_per_ns = 12 * kSms * 4;
    capacities.l2_latency_ns = 100;
    auto kernel = words_here_and_there();  // 528 bytes per ns in all, of 528 blocks
    const auto once = unit_demand(kernel, 256, kSms, capacities);
    EXPECT_NEAR(once->l2_lookups, 1, 1e-9);
    EXPECT_DOUBLE_EQ(once->footprint, 0);  // 528,000 bytes are less than its memory
    auto& memory = kernel.values[static_cast<std::size_t>(KernelCounter::memory_bytes)];
    memory = 1e5;
    EXPECT_DOUBLE_EQ(unit_demand(kernel, 256, kSms, capacities)->footprint, 1e5);
    auto lines = kernel;
    lines.values[static_cast<std::size_t>(KernelCounter::l2_requests)] = 1.0 / 16;
    EXPECT_DOUBLE_EQ(unit_demand(lines, 256, kSms, capacities)->footprint, 0) << "five rounds";
    EXPECT_EQ(unit_demand(lines, 256, kSms, capacities)->room_per_byte, 1);
    EXPECT_EQ(unit_demand(kernel, 256, kSms, capacities)->room_per_byte, 2);
    memory = 1e4;
    EXPECT_DOUBLE_EQ(unit_demand(kernel, 256, kSms, capacities)->footprint, 1e4);
    // An SM gets up to 1.67 times its part: 66 / 132 requests per ns, each a line for 100 ns.
    capacities.l2_path_requests = 1.67;
    EXPECT_NEAR(unit_demand(kernel, 256, kSms, capacities)->l2_path_bytes,
                1.67 * 12 * kSms * 4 / 32 / 3 / kSms * 100 * 128, 1e-6);
}

TEST(UnitDemand, of_the_time_of_a_load_is_what_a_warp_waits_for) {
    UnitCapacities capacities;
    capacities.l2_bytes_per_ns = 12 * kSms * 4;
    capacities.l2_latency_ns = 100;
    auto kernel = words_here_and_there();
    const auto demand = [&] { return *unit_demand(kernel, 256, kSms, capacities); };
    // 16.5 requests per ns of 4224 warps, each on its way for 100 ns.
    const auto requests = 0.25 * 12 * kSms * 4 / 32 / 3 / (kSms * 32);
    EXPECT_NEAR(demand().l2_waits, requests * 100, 1e-9);
    EXPECT_DOUBLE_EQ(demand().waits_for(DeviceUnit::dram), 0);
    // Half of them find nothing, and are on their way for 200 ns more.
    kernel.values[static_cast<std::size_t>(KernelCounter::l2_hit_rate)] = 0.5;
    capacities.dram_latency = 3;
    EXPECT_NEAR(demand().l2_waits, requests * 100, 1e-9);
    EXPECT_NEAR(demand().waits_for(DeviceUnit::l2_replies), requests * 100, 1e-9);
    EXPECT_NEAR(demand().waits_for(DeviceUnit::dram), requests * 50, 1e-9);
    // A warp waits no longer than all the time, for several at once: one each 200 ns.
    capacities.l2_latency_ns = 10'000;
    EXPECT_DOUBLE_EQ(demand().l2_waits, 1.0 / 2);
}

TEST(UnitDemand, of_a_kernel_whose_own_loads_made_the_dram_slow_is_what_it_asks_of_an_idle_one) {
    UnitCapacities capacities;
    capacities.l2_bytes_per_ns = 12 * kSms * 4;
    capacities.l2_latency_ns = 10'000;
    capacities.dram_latency = 3;
    capacities.dram_latency_growth = 0.5;
    auto kernel = words_here_and_there();
    kernel.values[static_cast<std::size_t>(KernelCounter::l2_hit_rate)] = 0.0;
    kernel.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.475;  // of 0.95
    const auto demand = *unit_demand(kernel, 256, kSms, capacities);
    const auto blocks = 4.0 * kSms;
    EXPECT_NEAR(demand.device[static_cast<std::size_t>(DeviceUnit::dram)],
                (1 + 0.5 / 16) * 0.5 / blocks, 1e-9);
}

TEST(UnitDemand, of_the_way_from_the_l2_counts_requests_where_each_is_for_one_sector) {
    UnitCapacities capacities;
    capacities.l2_path = 1;
    EXPECT_DOUBLE_EQ(unit_demand(words_here_and_there(), 256, kSms, capacities)->l2_path * 4,
                     0.125);
    capacities.l2_path_requests = 0.5;
    EXPECT_DOUBLE_EQ(unit_demand(words_here_and_there(), 256, kSms, capacities)->l2_path * 4, 0.5);
    auto lines = words_here_and_there();  // four sectors each: its replies count alone
    lines.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.25;
    EXPECT_DOUBLE_EQ(unit_demand(lines, 256, kSms, capacities)->l2_path * 4, 0.125);
}

// Measured beside an L2 of 30 bytes per ns, an SM gets twice that share of one of 15.
TEST(UnitDemand, of_the_way_from_the_l2_is_less_where_the_l2_is_slower) {
    UnitCapacities capacities;
    capacities.l2_path = 1;
    capacities.l2_path_requests = 0.5;
    capacities.l2_bytes_per_ns = 15;
    const auto kernel = words_here_and_there();
    EXPECT_DOUBLE_EQ(unit_demand(kernel, 256, kSms, capacities)->l2_path * 4, 0.5);
    capacities.l2_path_of_bytes_per_ns = 30;
    EXPECT_DOUBLE_EQ(unit_demand(kernel, 256, kSms, capacities)->l2_path * 4, 0.25);
}

TEST(UnitDemand, of_the_dram_by_writes_is_that_of_single_sectors_that_leave_the_l2) {
    auto kernel = words_here_and_there();
    kernel.values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.0;
    kernel.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.04;
    EXPECT_DOUBLE_EQ(*share_of(kernel, DeviceUnit::dram_writes), 0.25);
    kernel.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.001;  // they stay
    EXPECT_DOUBLE_EQ(*share_of(kernel, DeviceUnit::dram_writes), 0);
    kernel.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.04;
    kernel.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.25;  // whole lines
    EXPECT_DOUBLE_EQ(*share_of(kernel, DeviceUnit::dram_writes), 0);
}

TEST(UnitDemand, counts_as_writes_the_requests_that_no_reply_answers) {
    auto used = counters({{KernelCounter::l2_requests, 0.5}});
    EXPECT_FALSE(share_of(used, DeviceUnit::l2_writes));
    used.values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.1;
    EXPECT_DOUBLE_EQ(share_of(used, DeviceUnit::l2_writes).value(), 0.1);
    used.values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.2;
    EXPECT_DOUBLE_EQ(share_of(used, DeviceUnit::l2_writes).value(), 0);
}

}  // namespace
}  // namespace overcast
