// What others find of units that older blocks fill.
#include "model/curve.hpp"
#include "model/full_pipe.hpp"
#include "simulator/kernels/sm_sharing.hpp"
#include "tests/support/sm_residents.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

using test::asks_for;
using test::block_of;
using test::model_of_whole_units;

/// Two kernels of four warps per block, the older one with so many blocks; of each pipe nine tenths
/// can be reached, and an instruction waits for 10,000 cycles at most.
std::vector<double> speeds_behind(const KernelDemand& older, std::uint16_t blocks,
                                  const KernelDemand& younger, const Rules& rules = {}) {
    auto model = model_of_whole_units();
    model.device.core_clock_khz = 1e6;
    model.kernels.capacities.sm.fill(0.9);
    model.kernels.longest_wait_ns = 10'000;
    model.kernels.longest_xu_wait_ns = 10'000;
    model.kernels.slot_wait_ns = 25;
    model.kernels.lsu_second_slot = 0.6;
    model.kernels.capacities.shared_reads.load_behind_words = Curve{{{4, 500}, {8, 1'300}}};
    model.kernels.capacities.shared_reads.load_behind_wide = Curve{{{6, 0}, {8, 5'000}}};
    const std::vector demands{older, younger};
    SmSharing sharing{model, demands, rules};
    SmGroup group;
    group.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
    group.residents[0].per_sm = blocks;
    sharing.share(group);
    return {group.residents[0].speed_on_sm, group.residents[1].speed_on_sm};
}

TEST(FullPipes, of_a_pipe_that_older_warps_fill_others_find_what_their_gaps_leave) {
    const auto speed = [](std::uint16_t blocks) {
        const auto demand = asks_for(SmUnit::alu_pipe, 0.25);
        return speeds_behind(demand, blocks, asks_for(SmUnit::alu_pipe, 0.5))[1];
    };
    EXPECT_NEAR(speed(3), 0.36 / 0.5, 0.005);  // what they leave, some of which nobody reaches
    // Half of 0.9 of the pipe by instructions of 2 cycles, each after 2 / idle of them.
    EXPECT_NEAR(speed(4), 1 / (1 + 0.45 / idle_share(4, 1)), 1e-12);
    EXPECT_NEAR(speed(5), 1 / (1 + 0.45 / idle_share(5, 1.25)), 1e-12);
    EXPECT_LT(speed(8), 0.02);
    EXPECT_NEAR(speed(16), 2.0 / 10'000 / 0.5, 1e-9);  // an instruction each time
}

TEST(FullPipes, two_older_warps_that_fill_a_pipe_leave_enough_for_who_needs_little) {
    const auto older = asks_for(SmUnit::alu_pipe, 0.75);
    auto younger = asks_for(SmUnit::fp64_pipe, 0.5);
    younger.units.sm[static_cast<std::size_t>(SmUnit::alu_pipe)] = 0.01;
    // 0.01 of 0.9 of the pipe by instructions of 2 cycles, each after 2 / idle of them.
    const auto idle = idle_share(2, 1.5);
    EXPECT_NEAR(speeds_behind(older, 2, younger)[1], 1 / (1 + 0.009 / idle), 1e-12);
    EXPECT_GT(idle, 0.03);
    EXPECT_NEAR(speeds_behind(older, 4, younger)[1], idle_share(4, 3) / 0.01, 1e-12) << "all of it";
}

TEST(FullPipes, whoever_finds_a_slot_of_full_ones_keeps_it_for_its_run) {
    const auto older = asks_for(SmUnit::issue_slots, 0.5);
    auto younger = asks_for(SmUnit::issue_slots, 1e-3);
    younger.units.interval = 100;
    const auto speed = [&](std::uint16_t blocks) {
        return speeds_behind(older, blocks, younger)[1];
    };
    // 25 cycles per square of four and of eight older warps, for an instruction.
    EXPECT_NEAR(speed(4), 100 / (100 + 25.0 * 16 - 1), 1e-12);
    EXPECT_NEAR(speed(8), 100 / (100 + 25.0 * 64 - 1), 1e-12);
    younger.units.rest_of_run = 4;
    EXPECT_NEAR(speed(8), 100 / (100 + (25.0 * 64 - 1) / 5), 1e-12);
    // Two of its warps per scheduler: each waits for the rest of the other's run, too.
    younger.per_block.threads = 256;
    EXPECT_NEAR(speed(8), 100 / (100 + (25.0 * 64 - 1) / 5 * (1 + 4)), 1e-12);
    Rules off;
    off.switch_off(Rule::full_pipes);
    EXPECT_DOUBLE_EQ(speeds_behind(older, 8, younger, off)[1], 1);
}

TEST(FullPipes, of_older_warps_that_fill_the_slots_those_hold_up_others_that_are_ready) {
    // 0.9 instructions per cycle, after each of which its warp waits for three cycles.
    auto older = asks_for(SmUnit::issue_slots, 0.25);
    older.units.interval = 4;
    auto younger = asks_for(SmUnit::issue_slots, 1e-3);
    younger.units.interval = 100;
    const auto speed = [&](std::uint16_t blocks) {
        return speeds_behind(older, blocks, younger)[1];
    };
    const auto behind = [](double ready) { return 100 / (100 + 25 * ready * ready - 1); };
    EXPECT_NEAR(speed(4), behind(4 - 0.9 * 3), 1e-12);
    EXPECT_NEAR(speed(8), behind(8 - 0.9 * 3), 1e-12);
    older.units.interval = 5;  // hardly ever two at once
    EXPECT_NEAR(speed(4), behind(1), 1e-12);
}

TEST(FullPipes, an_instruction_for_the_xu_or_the_lsu_holds_a_second_slot) {
    const auto younger = asks_for(SmUnit::issue_slots, 0.6);
    const auto speed = [&](SmUnit unit, const Rules& rules = {}) {
        auto older = asks_for(SmUnit::issue_slots, 0.25);
        older.units.sm[static_cast<std::size_t>(unit)] = 0.4;
        return speeds_behind(older, 2, younger, rules)[1];
    };
    // Of the slots that can be reached two such blocks leave a half, and less by an instruction in
    // 8 and in 4 cycles of the 0.8 of 0.9 of the pipe that they use, by 0.6 of that for the LSU.
    EXPECT_NEAR(speed(SmUnit::fma_pipe), 0.5 / 0.6, 1e-9);
    EXPECT_NEAR(speed(SmUnit::xu_pipe), (0.5 - 0.8 / 8) / 0.6, 1e-9);
    EXPECT_NEAR(speed(SmUnit::lsu_pipe), (0.5 - 0.6 * 0.8 / 4) / 0.6, 1e-9);
    Rules off;
    off.switch_off(Rule::full_pipes);
    EXPECT_NEAR(speed(SmUnit::xu_pipe, off), 0.5 / 0.6, 1e-9);
}

TEST(FullPipes, each_load_waits_as_long_as_for_so_many_older_warps_that_read) {
    auto older = asks_for(SmUnit::l1, 0.5);
    auto& of_lsu = older.units.sm[static_cast<std::size_t>(SmUnit::lsu_pipe)];
    of_lsu = 0.5;
    auto younger = asks_for(SmUnit::l1, 0.5);
    younger.units.l2_waits = 1;
    const auto lsu = 0.05;
    younger.units.sm[static_cast<std::size_t>(SmUnit::lsu_pipe)] = lsu;
    const auto speed = [&](std::uint16_t blocks) {
        return speeds_behind(older, blocks, younger)[1];
    };
    EXPECT_DOUBLE_EQ(speed(2), 1) << "they leave enough";
    const auto after = [&](double wait) { return 1 / (1 + wait / (4 / lsu)); };  // cycles
    EXPECT_NEAR(speed(6), after(900), 1e-12);
    EXPECT_NEAR(speed(14), after(1'300), 1e-12);
    of_lsu = 0.05;  // of 16 bytes
    EXPECT_DOUBLE_EQ(speed(6), 1);
    EXPECT_NEAR(speed(7), after(2'500), 1e-12);
}

TEST(FullPipes, an_instruction_for_a_full_xu_waits_for_all_older_warps) {
    auto younger = asks_for(SmUnit::fp64_pipe, 0.5);
    younger.units.sm[static_cast<std::size_t>(SmUnit::xu_pipe)] = 0.001;
    const auto older = asks_for(SmUnit::xu_pipe, 0.5);
    // 0.001 of 0.9 of the pipe by instructions of 8 cycles, of a warp per scheduler: so few are of
    // divisions, of whose three instructions one waits twice.
    EXPECT_NEAR(speeds_behind(older, 16, younger)[1], 1 / (1 + 0.0009 / 8 * 10'000 * 4 / 3), 1e-9);
    auto sines = younger;
    sines.units.sm[static_cast<std::size_t>(SmUnit::xu_pipe)] = 0.02;
    EXPECT_NEAR(speeds_behind(older, 16, sines)[1], 1 / (1 + 0.018 / 8 * 10'000), 0.003);
    EXPECT_DOUBLE_EQ(speeds_behind(older, 2, younger)[1], 1);
    Rules off;
    off.switch_off(Rule::full_pipes);
    EXPECT_DOUBLE_EQ(speeds_behind(older, 16, younger, off)[1], 1);
}

TEST(FullPipes, wide_loads_find_less_of_what_cannot_be_reached_of_the_issue_slots) {
    auto model = model_of_whole_units();
    model.kernels.capacities[SmUnit::issue_slots] = 0.8;  // 0.25 more of what can be reached
    auto younger = asks_for(SmUnit::issue_slots, 0.5);
    const auto speed_behind = [&](double older) {
        const std::vector demands{asks_for(SmUnit::issue_slots, older), younger};
        SmSharing sharing{model, demands, Rules{}};
        SmGroup group;
        group.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
        sharing.share(group);
        return group.residents[1].speed_on_sm;
    };
    EXPECT_DOUBLE_EQ(speed_behind(1), 0.5);
    younger.units.share_beyond_capacity = 0.2;
    EXPECT_DOUBLE_EQ(speed_behind(1), 0.1);
    EXPECT_DOUBLE_EQ(speed_behind(0.75), 0.6);
    EXPECT_DOUBLE_EQ(speed_behind(0.5), 1);
}

}  // namespace
}  // namespace overcast
