#include "simulator/warps/warp_schedules.hpp"

#include "simulator/kernels/sm_sharing.hpp"
#include "tests/support/kernel_passes.hpp"
#include "tests/support/sm_residents.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace overcast {
namespace {

using test::asks_for;
using test::block_of;
using test::code_of;
using test::schedulers_of_h200;

DeviceModel model_with_schedulers() {
    auto model = test::model_of_whole_units();
    model.kernels.scheduler = schedulers_of_h200();
    model.device.core_clock_khz = 2'000'000;
    return model;
}

/// A block of each kernel, the first one the oldest.
SmGroup group_of(const std::vector<KernelDemand>& demands, std::size_t residents) {
    SmGroup group;
    for (std::uint32_t i = 0; i < residents; ++i) {
        group.residents.push_back(block_of(i, demands[i]));
    }
    return group;
}

/// Of the oldest block.
double speed_of_first(const std::vector<KernelDemand>& demands, std::size_t residents,
                      const Rules& rules) {
    SmSharing sharing{model_with_schedulers(), demands, rules};
    auto group = group_of(demands, residents);
    sharing.share(group);
    return group.residents.front().speed_on_sm;
}

Rules without_schedules() {
    Rules rules;
    rules.switch_off(Rule::schedules);
    return rules;
}

TEST(WarpSchedules, nothing_is_played_of_a_kernel_whose_pass_is_not_known) {
    const auto known = code_of("f4", 64);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &known;
    WarpSchedules schedules{demands, schedulers_of_h200(), true};
    auto group = group_of(demands, 1);
    EXPECT_EQ(schedules.speeds(group).size(), 1U);
    group.residents.push_back(block_of(1, demands[1]));
    EXPECT_TRUE(schedules.speeds(group).empty());
}

TEST(WarpSchedules, of_two_kernels_that_never_wait_the_younger_gets_its_share) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::issue_slots, 0.95), asks_for(SmUnit::issue_slots, 0.95)};
    for (auto& each : demands) {
        each.code = &never_waits;
        each.units.always_ready = true;
        each.traits = kIsAlwaysReady;
    }
    auto model = model_with_schedulers();
    model.kernels.first_of_ready = 0.75;
    const auto set_warps = [](KernelDemand& demand, std::uint32_t warps) {
        demand.per_block.threads = warps * 128;
        demand.load_per_block = 0.95 * warps;
        demand.units.sm[static_cast<std::size_t>(SmUnit::issue_slots)] = demand.load_per_block;
    };
    set_warps(demands[0], 2);
    const auto slots_of_younger = [&](std::uint32_t warps) {
        set_warps(demands[1], warps);
        SmSharing sharing{model, demands, {}};
        auto group = group_of(demands, 2);
        for (auto& resident : group.residents) {
            resident.phase = BlockPhase::in_loop;
        }
        sharing.share(group);
        return group.residents[1].speed_on_sm * demands[1].load_per_block;
    };
    EXPECT_NEAR(slots_of_younger(2), 0.25, 0.05);
    EXPECT_LT(slots_of_younger(1), 0.1) << "one warp finds no turn";
}

TEST(WarpSchedules, warps_of_small_blocks_go_round_the_schedulers) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &never_waits;
    demands[0].per_block.threads = 64;
    WarpSchedules schedules{demands, schedulers_of_h200(), true};
    auto group = group_of(demands, 1);
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "two have none";
    group.residents[0].per_sm = 2;
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "a warp on each of the four";
    group.residents[0].per_sm = 4;
    EXPECT_NEAR(schedules.speeds(group)[0], 0.54, 0.02) << "two";
}

TEST(WarpSchedules, counters_say_how_much_of_the_unit_for_special_functions_is_used) {
    const auto roots = code_of("x2>0 f4&01", 16);
    std::vector demands{asks_for(SmUnit::xu_pipe, 0.5)};
    demands[0].code = &roots;
    auto group = group_of(demands, 1);
    group.residents[0].per_sm = 4;
    WarpSchedules schedules{demands, schedulers_of_h200(), true};
    EXPECT_GT(schedules.speeds(group)[0], 0.65) << "played, four use more of it than there is";
    SmSharing sharing{model_with_schedulers(), demands, Rules{}};
    sharing.share(group);
    EXPECT_NEAR(group.residents[0].speed_on_sm, 0.5, 0.01);
}

TEST(WarpSchedules, kernels_that_load_from_global_memory_are_left_to_the_laws) {
    const auto loads = code_of("g2>0 f4&1", 4);
    const auto shared = code_of("s1>0 f4&1", 4);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.1), asks_for(SmUnit::fma_pipe, 0.1)};
    demands[0].code = &loads;
    demands[1].code = &shared;
    const WarpSchedules schedules{demands, schedulers_of_h200(), true};
    EXPECT_FALSE(schedules.knows(demands[0]));
    EXPECT_TRUE(schedules.knows(demands[1]));
    EXPECT_TRUE(schedules.reads_shared_memory(demands[1]));
    EXPECT_FALSE(schedules.reads_shared_memory(demands[0]));
}

TEST(WarpSchedules, schedules_are_played_unless_they_are_switched_off) {
    const auto chain = code_of("f4", 64);
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.9)};
    demands[0].code = &chain;
    demands[1].code = &never_waits;
    EXPECT_DOUBLE_EQ(speed_of_first(demands, 2, without_schedules()), 1);
    EXPECT_NEAR(speed_of_first(demands, 2, {}), 0.1, 0.06);

    SmSharing unknown{test::model_of_whole_units(), demands, Rules{}};
    auto group = group_of(demands, 2);
    unknown.share(group);
    EXPECT_DOUBLE_EQ(group.residents.front().speed_on_sm, 1) << "of a GPU whose schedulers are not";
}

/// Counters say what they use of it, the schedule what they lose beside others.
TEST(WarpSchedules, readers_of_shared_memory_are_alone_as_counters_say) {
    const auto reads = code_of("s1>0 s1>0 s1>0 f4&1", 4, "n8 n8 n8 n8");
    const auto integers = code_of("a4 a5 h5", 16);
    std::vector demands{asks_for(SmUnit::alu_pipe, 0.1), asks_for(SmUnit::l1, 0.3)};
    demands[0].code = &integers;
    demands[0].per_block.threads = 1024;
    demands[1].code = &reads;
    const std::vector alone{demands[1]};
    EXPECT_DOUBLE_EQ(speed_of_first(alone, 1, {}), 1);
    auto full = alone;
    full[0].units.sm[static_cast<std::size_t>(SmUnit::l1)] = 2;
    full[0].load_per_block = 2;
    EXPECT_NEAR(speed_of_first(full, 1, {}), speed_of_first(full, 1, without_schedules()), 1e-9);

    SmSharing sharing{model_with_schedulers(), demands, Rules{}};
    auto group = group_of(demands, 2);
    sharing.share(group);
    EXPECT_LT(group.residents[1].speed_on_sm, 0.96) << "laws say that there is room for both";
}

TEST(WarpSchedules, blocks_that_others_keep_from_their_loop_leave_the_sm_to_them) {
    const auto integers = code_of("a4 a5 h5", 16);
    const auto starts_late = code_of("f1", 128, "a4 a4 a4 a4");
    std::vector demands{asks_for(SmUnit::alu_pipe, 0.1), asks_for(SmUnit::fma_pipe, 0.9)};
    demands[0].code = &integers;
    demands[0].per_block.threads = 1024;  // eight warps of a scheduler
    demands[1].code = &starts_late;
    SmSharing sharing{model_with_schedulers(), demands, Rules{}};
    auto group = group_of(demands, 2);
    sharing.share(group);
    EXPECT_EQ(group.residents[0].phase, BlockPhase::in_loop);
    EXPECT_EQ(group.residents[1].phase, BlockPhase::waits);
    EXPECT_DOUBLE_EQ(group.residents[0].speed_on_sm, speed_of_first(demands, 1, {}));
    EXPECT_NEAR(group.residents[1].speed_on_sm, 16 / (4 * 32'768.0), 6e-5) << "four waits";

    group.residents[1].phase = BlockPhase::in_loop;
    sharing.share(group);
    EXPECT_LT(group.residents[0].speed_on_sm, 0.6) << "then warps that never wait take the slots";
}

TEST(WarpSchedules, who_finds_what_his_start_needs_is_in_his_loop_at_once) {
    const auto chain = code_of("f4", 64);
    const auto starts = code_of("f4", 64, "a4 a4 a4 a4");
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &chain;
    demands[1].code = &starts;
    SmSharing sharing{model_with_schedulers(), demands, Rules{}};
    auto group = group_of(demands, 2);
    sharing.share(group);
    EXPECT_EQ(group.residents[1].phase, BlockPhase::in_loop);
}

/// Beside kernels that cannot be played blocks do what laws say, but as if these said of them alone
/// what their schedulers do.
TEST(WarpSchedules, where_somebody_is_not_known_laws_are_made_to_fit) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.5), asks_for(SmUnit::xu_pipe, 0.1)};
    demands[0].code = &never_waits;
    demands[0].per_block.threads = 512;
    const auto alone = speed_of_first(demands, 1, {});
    EXPECT_NEAR(alone, 0.27, 0.01) << "four warps of a scheduler share it";
    EXPECT_NEAR(speed_of_first(demands, 2, {}), alone, 1e-9)
        << "laws say that neither holds up the other";
}

}  // namespace
}  // namespace overcast
