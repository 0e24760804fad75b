#include "model/l2_traffic.hpp"
#include "tests/support/counters.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace overcast {
namespace {

using test::counters;

constexpr double kDram = 4800;  // bytes per ns

/// The L2 looks up 4800 bytes, or 50 requests, per ns; replies of whole lines are half used then.
UnitCapacities capacities() {
    UnitCapacities made;
    made.l2_bytes_per_ns = 4800;
    made.l2_sectors_per_request = 3;
    made.l2_replies_per_request = 2;
    made.l2_path_sent = 64;
    made.l2_path_sent_per_load = 32;
    return made;
}

/// Shares of the peaks: sectors, replies, DRAM. Requests are for whole lines.
L2Traffic traffic(double sectors, double replies, double dram, double known = kDram) {
    return l2_traffic(counters({{KernelCounter::l2, sectors},
                                {KernelCounter::l2_requests, sectors},
                                {KernelCounter::l2_replies, replies},
                                {KernelCounter::dram, dram}}),
                      capacities(), known);
}

TEST(L2Traffic, is_read_as_replies_say) {
    EXPECT_DOUBLE_EQ(traffic(0.5, 0.5, 0).read, 0.25 * 50 * 128);
}

TEST(L2Traffic, is_written_where_more_sectors_are_looked_up_than_are_read) {
    EXPECT_DOUBLE_EQ(traffic(0.4, 0.2, 0).written, 1920 - 640);
    EXPECT_DOUBLE_EQ(traffic(0.4, 0.2, 0.1).written, 1920 - 640 - 480);
    EXPECT_DOUBLE_EQ(traffic(0.1, 0.2, 0).written, 0);
}

TEST(L2Traffic, is_written_where_the_dram_moves_more_than_is_read) {
    EXPECT_DOUBLE_EQ(traffic(0.4, 0.05, 0.4).written, 1920 - 160);
}

TEST(L2Traffic, is_not_known_to_be_written_in_single_sectors_or_where_rates_are_not_known) {
    const auto scattered = counters({{KernelCounter::l2, 0.33},
                                     {KernelCounter::l2_requests, 1},
                                     {KernelCounter::l2_replies, 0.1},
                                     {KernelCounter::dram, 0.5}});
    EXPECT_DOUBLE_EQ(l2_traffic(scattered, capacities(), kDram).written, 0);
    EXPECT_DOUBLE_EQ(traffic(0.4, 0.05, 0.4, 0).written, 0);
    auto unknown = capacities();
    unknown.l2_bytes_per_ns = 0;
    EXPECT_DOUBLE_EQ(l2_traffic(counters({{KernelCounter::dram, 0.5}}), unknown, kDram).written, 0);
}

TEST(LoadsHitRate, leaves_out_what_is_written_which_is_always_found) {
    const auto half = counters({{KernelCounter::l2_hit_rate, 0.5}});
    EXPECT_DOUBLE_EQ(loads_hit_rate(half, {100, 0}), 0.5);
    EXPECT_DOUBLE_EQ(loads_hit_rate(half, {100, 50}), 0.25);
    EXPECT_DOUBLE_EQ(loads_hit_rate(half, {100, 100}), 0);
    EXPECT_DOUBLE_EQ(loads_hit_rate(half, {100, 200}), 0);
    EXPECT_DOUBLE_EQ(loads_hit_rate(half, {0, 100}), 0.5);
}

TEST(LineLatencies, are_those_of_reads_and_a_part_of_these_for_what_is_written) {
    auto of_l2 = capacities();
    of_l2.dram_latency = 3;
    of_l2.l2_path_written = 0.5;
    const auto none = counters({{KernelCounter::l2_hit_rate, 0}});
    EXPECT_DOUBLE_EQ(line_latencies(none, of_l2, {100, 0}), 3);
    EXPECT_DOUBLE_EQ(line_latencies(none, of_l2, {100, 50}), 3 * 1.25);
    const auto half = counters({{KernelCounter::l2_hit_rate, 0.5}});
    EXPECT_DOUBLE_EQ(line_latencies(half, of_l2, {100, 0}), 2);
    EXPECT_DOUBLE_EQ(line_latencies(half, of_l2, {100, 100}), 3 * 1.5) << "writes are always found";
    EXPECT_DOUBLE_EQ(line_latencies(half, of_l2, {0, 100}), 2);
}

TEST(DramWritten, is_no_more_than_what_the_dram_moves) {
    const auto half = counters({{KernelCounter::dram, 0.5}});
    EXPECT_DOUBLE_EQ(dram_written({0, kDram / 4}, half, kDram), 0.25);
    EXPECT_DOUBLE_EQ(dram_written({0, kDram}, half, kDram), 0.5);
    EXPECT_DOUBLE_EQ(dram_written({0, kDram}, half, 0), 0);
}

TEST(RequestsAtOnce, are_those_of_a_warp_in_the_time_of_one) {
    auto of_l2 = capacities();
    of_l2.l2_latency_ns = 200;
    of_l2.dram_latency = 3;
    // 25 requests per ns of 100 warps.
    auto half = counters({{KernelCounter::l2_requests, 0.5}, {KernelCounter::l2_hit_rate, 1}});
    EXPECT_DOUBLE_EQ(requests_at_once(half, of_l2, 100, 1), 50);
    EXPECT_DOUBLE_EQ(requests_at_once(half, of_l2, 100, 2), 100);
    half.values[static_cast<std::size_t>(KernelCounter::l2_hit_rate)] = 0.5;
    EXPECT_DOUBLE_EQ(requests_at_once(half, of_l2, 100, 1), 100);
}

TEST(RequestsAtOnce, lose_their_data_apart_where_each_is_for_a_sector_by_itself) {
    constexpr std::uint32_t kSms = 10;
    auto of_l2 = capacities();
    of_l2.l2_latency_ns = 64;
    auto kernel = counters({{KernelCounter::warps_per_sm, 10},
                            {KernelCounter::l2, 0.1},
                            {KernelCounter::l2_requests, 0.5}});
    const auto apart = [&] { return unit_demand(kernel, 160, kSms, of_l2, kDram)->lost_apart; };
    EXPECT_DOUBLE_EQ(apart(), 16);
    kernel.values[static_cast<std::size_t>(KernelCounter::l2)] = 0.5;  // lines
    EXPECT_DOUBLE_EQ(apart(), 1);
}

TEST(ShareOfWayToL2, is_what_a_block_asks_of_it_beside_what_it_reads) {
    constexpr std::uint32_t kSms = 10;
    const auto writes = counters({{KernelCounter::warps_per_sm, 16},
                                  {KernelCounter::l2, 0.4},
                                  {KernelCounter::l2_requests, 0.4},
                                  {KernelCounter::l2_replies, 0.05},
                                  {KernelCounter::dram, 0.4}});
    auto of_way = capacities();
    of_way.l2_path = 1;  // 0.05 of it is read
    const auto share = [&](double dram) {
        return unit_demand(writes, 256, kSms, of_way, dram)->l2_path_sent * 2;  // blocks per SM
    };
    EXPECT_DOUBLE_EQ(share(kDram), (1760 + 160.0 / 128 * 32) / (64 * kSms));
    EXPECT_DOUBLE_EQ(unit_demand(writes, 256, kSms, of_way, kDram)->l2_path * 2, 0.05);
}

TEST(ShareOfWayToL2, is_of_what_is_written_and_of_the_requests_beside_it) {
    EXPECT_DOUBLE_EQ(share_of_way_to_l2({0, 320}, capacities(), 10), 0.5);
    EXPECT_DOUBLE_EQ(share_of_way_to_l2({320, 0}, capacities(), 10), 0);
    EXPECT_DOUBLE_EQ(share_of_way_to_l2({256, 256}, capacities(), 5), 1);
    EXPECT_DOUBLE_EQ(share_of_way_to_l2({2560, 256}, capacities(), 5), 1);
    EXPECT_DOUBLE_EQ(share_of_way_to_l2({0, 320}, UnitCapacities{}, 10), 0);
}

}  // namespace
}  // namespace overcast
