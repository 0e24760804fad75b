// Speeds that the probe `schedules` measured on an H200 (docs/model.md#the-schedulers-of-an-sm) and
// what follows from the control bits alone.
#include "simulator/warps/warp_scheduler.hpp"

#include "tests/support/kernel_passes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace overcast {
namespace {

using test::schedulers_of_h200;

/// A loop of `times` times the same instructions.
WarpProgram loop_of(const std::string& instructions, int times, double load_cycles = 0) {
    return {test::code_of(instructions, times).pass, load_cycles};
}

double alone(const WarpProgram& program,
             const SchedulerParameters& parameters = schedulers_of_h200()) {
    const ScheduledBlock warp{&program, 1};
    return issue_rates({&warp, 1}, parameters).front();
}

/// The probe's loops look at the clock every few passes: six cycles more at the end of each, in the
/// mean.
SchedulerParameters of_probe() {
    auto parameters = schedulers_of_h200();
    parameters.loop_end = 16;
    parameters.share_in_a_row = 0.02;
    return parameters;
}

/// Of each block, in warps that are alone on a scheduler.
std::vector<double> speeds(const std::vector<ScheduledBlock>& blocks) {
    const auto parameters = of_probe();
    auto rates = issue_rates(blocks, parameters);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        rates[i] /= alone(*blocks[i].program, parameters);
    }
    return rates;
}

TEST(WarpScheduler, a_warp_alone_issues_as_its_stalls_and_the_branch_say) {
    EXPECT_NEAR(alone(loop_of("f4", 64)), 65.0 / (64 * 4 + 10), 0.001);
    EXPECT_NEAR(alone(loop_of("f1", 128)), 129.0 / (128 + 10), 0.001);
    EXPECT_NEAR(alone(loop_of("a1", 64)), 65.0 / (64 * 2 - 1 + 10), 0.003) << "the ALU takes two";
    EXPECT_NEAR(alone(loop_of("x1", 16)), 17.0 / (15 * 8 - 2 + 10), 0.01) << "the XU eight";
}

/// Measured: 85.1 and 90.2 passes in 1,000 cycles, of four and eight warps (docs/model.md).
TEST(WarpScheduler, warps_with_short_passes_fill_the_slots_but_for_the_branches) {
    const WarpProgram chain{*parse_pass("f1 a3 f1 a3 f4 f4 f4 f4 f4 f1 n6"), 0};
    const auto passes = [&](std::uint32_t warps) {
        const ScheduledBlock block{&chain, warps};
        return 1'000 * issue_rates({&block, 1}, schedulers_of_h200()).front() / 11;
    };
    EXPECT_NEAR(passes(1), 25.6, 0.1);
    EXPECT_NEAR(passes(2), 50.0, 0.5);
    EXPECT_NEAR(passes(4), 85.1, 3);
    EXPECT_NEAR(passes(8), 90.2, 3);
}

TEST(WarpScheduler, a_warp_waits_for_results) {
    EXPECT_NEAR(alone(loop_of("x2>0 f4&01", 16)), 33.0 / (16 * (18 + 4) + 10), 0.01);
    EXPECT_NEAR(alone(loop_of("s1>0 f4&01", 16)), 33.0 / (16 * (26 + 4) + 10), 0.01);
    const auto load = loop_of("g2>3 f4&08", 16, 300);
    EXPECT_NEAR(alone(load), 33.0 / (16 * (300 + 15 + 4) + 10), 0.002);
}

TEST(WarpScheduler, the_oldest_block_is_served_first) {
    const auto chains = loop_of("f2", 64);
    const auto found = speeds({{&chains, 1}, {&chains, 1}, {&chains, 1}});
    EXPECT_NEAR(found[0], 0.96, 0.05);  // measured
    EXPECT_NEAR(found[1], 0.95, 0.05);
    EXPECT_LT(found[2], 0.35)
        << "the first of each pass; measured 0.11, of loops that look at the clock";
    EXPECT_GT(found[2], 0.02);
}

TEST(WarpScheduler, warps_of_one_block_take_turns) {
    const auto chain = loop_of("f2", 64);
    const auto whole = speeds({{&chain, 4}}).front();
    EXPECT_NEAR(whole, 4 * 0.535, 0.1);  // measured
    const auto older = loop_of("f4", 64);
    const auto beside = speeds({{&older, 4}, {&chain, 1}});
    EXPECT_LT(beside[1], 0.2) << "a younger block finds little";
}

TEST(WarpScheduler, a_warp_that_never_waits_keeps_its_scheduler) {
    const auto never = loop_of("f1", 130);
    const auto chain = loop_of("f4", 64);
    const auto found = speeds({{&chain, 1}, {&never, 1}});
    EXPECT_NEAR(found[0], 0.16, 0.06);  // measured
    EXPECT_NEAR(found[1], 1.00, 0.02);
}

TEST(WarpScheduler, warps_that_never_wait_follow_each_other_without_a_gap) {
    const auto never = loop_of("f1", 130);
    const auto chase = loop_of("g2>2 h6&04", 16, 300);
    const auto found = speeds({{&never, 1}, {&never, 1}, {&chase, 1}});
    EXPECT_NEAR(found[0] + found[1], 1.1, 0.03);  // measured
    EXPECT_LT(found[2], 0.05);
    EXPECT_GT(speeds({{&never, 1}, {&chase, 1}})[1], 0.4);
}

/// Beside eight warps of shifts and logic that leave nothing of the ALU. Measured: H200,
/// 2026-11-30.
TEST(WarpScheduler, what_has_just_come_goes_before_older_warps) {
    const auto integers = loop_of("a2", 128);
    const auto speed_of = [&](const WarpProgram& program) {
        return speeds({{&integers, 4}, {&integers, 4}, {&program, 1}})[2];
    };
    EXPECT_NEAR(speed_of(loop_of("a1 f1 f1 f1", 32)), 0.96, 0.1) << "right behind its last one";
    EXPECT_GT(speed_of(loop_of("x2>0 a6&1", 8)), 0.7) << "as soon as its result is there";
    EXPECT_LT(speed_of(loop_of("a4", 32)), 0.1) << "not after its stall";
    EXPECT_LT(speed_of(loop_of("a2", 32)), 0.3) << "nor in a longer run";
}

TEST(WarpScheduler, warps_that_never_wait_let_nobody_before_them) {
    const auto never = loop_of("f1", 130);
    const auto roots = loop_of("x2>0 a6&1", 8);
    EXPECT_LT(speeds({{&never, 4}, {&roots, 1}})[1], 0.1);
}

TEST(WarpScheduler, a_unit_that_all_need_goes_to_the_older) {
    const auto special = loop_of("x1", 32);
    const auto found = speeds({{&special, 2}, {&special, 2}});
    EXPECT_NEAR(found[0] + found[1], 1.0, 0.1) << "no more than one can have";
    EXPECT_GT(found[0], 5 * found[1]);
}

/// Of blocks that are younger than all others.
double cycles_to_start(std::vector<ScheduledBlock> others, const ScheduledBlock& starting) {
    others.push_back(starting);
    return cycles_to_run(others, others.size() - 1, schedulers_of_h200());
}

/// Beside eight warps of a chain of shifts and logic, which leave nothing of the ALU; in longest
/// waits. Measured by the probe `starts`, H200.
double waits_to_start(const std::string& code) {
    const auto integers = loop_of("a4 a5 h5", 16);
    const std::vector<ScheduledBlock> older(8, {&integers, 1});
    const WarpProgram start{*parse_pass(code), 0};
    return cycles_to_start(older, {&start, 1}) / schedulers_of_h200().longest_wait;
}

std::string times(int count, const std::string& instructions) {
    return test::repeated(instructions, count) + "n1";
}

TEST(WarpSchedulerStart, a_block_alone_comes_to_its_loop_as_its_stalls_say) {
    const WarpProgram start{*parse_pass("n1 a4 f4 x2>0 f4&01"), 0};
    EXPECT_NEAR(cycles_to_start({}, {&start, 1}), 1 + 4 + 4 + 18, 3);
    EXPECT_NEAR(cycles_to_start({}, {&start, 4}), 1 + 4 + 4 + 18 + 3 * 8, 10) << "the XU takes 8";
}

TEST(WarpSchedulerStart, what_older_warps_leave_nothing_for_comes_after_the_longest_wait) {
    EXPECT_NEAR(waits_to_start(times(16, "a4")), 15.7, 1);
    EXPECT_LT(waits_to_start(times(16, "f4")), 0.1) << "they do not need that pipe";
}

TEST(WarpSchedulerStart, a_warp_that_has_waited_goes_on_as_long_as_no_pipe_holds_it_up) {
    EXPECT_NEAR(waits_to_start(times(16, "a2")), 3, 0.5);
    EXPECT_NEAR(waits_to_start(times(32, "a2")), 6, 0.5);
    EXPECT_LT(waits_to_start(times(32, "a1 f1")), 2.1);
}

/// Six words' hash, each turned into a float: the start of a mix of multiply-adds and logic.
const auto* const kHashes =
    "h5 a4 a2 a2 a2 a2 a2 a2 a1 h1 a2 a2 a1 h1 a2 a2 a2 a2 a2 a1 h1 a1 h1 a1 h1 a2 a1 h1 a1 h1 a2 "
    "a2 a1 h1 a2 a2 a2 a1 h1 a1 h1 a2 a1 h1 a1 h1 a2 a2 a2 a2 a2 a1 f1 a2 a2 a2 a2 a2 a2 a2 a2 a2 "
    "a2 a2 a1 f1 a1 f1 a1 f1 a1 f1 a1 f2 f1 a2";

TEST(WarpSchedulerStart, what_is_for_other_pipes_makes_room_for_more_in_a_row) {
    EXPECT_NEAR(waits_to_start(times(64, "a2")), 11, 0.5);  // measured
    EXPECT_NEAR(waits_to_start(kHashes), 9, 0.5);           // measured 8.8
    EXPECT_NEAR(waits_to_start("a4 a2 a2 a2 a3 f1 a2 a1 f3 a1 f3 n1"), 3, 0.5)
        << "not behind an instruction for another pipe, but three cycles behind one";
}

TEST(WarpSchedulerStart, behind_branches_and_results_nobody_waits_again) {
    EXPECT_NEAR(waits_to_start("h5 a2 n6 a4 n5 a13 n5 a7 n1"), 1, 0.1);
    EXPECT_NEAR(waits_to_start(times(8, "x2>0 a6&01")), 1, 0.1) << "for the first";
    EXPECT_NEAR(waits_to_start(times(8, "f3 a6")), 8, 0.1);
}

/// Measured of nine kernels: as many waits with four warps per scheduler as with one.
TEST(WarpSchedulerStart, warps_of_a_block_do_not_hold_each_other_up) {
    const auto integers = loop_of("a4 a5 h5", 16);
    const std::vector<ScheduledBlock> older(8, {&integers, 1});
    const WarpProgram start{*parse_pass(kHashes), 0};
    const auto waits = [&](std::uint32_t warps) { return cycles_to_start(older, {&start, warps}); };
    EXPECT_NEAR(waits(4), waits(1), 0.15 * waits(1));
}

TEST(WarpSchedulerStart, beside_warps_that_never_wait_most_wait_anew) {
    const auto never = loop_of("f1", 130);
    const std::vector<ScheduledBlock> older(4, {&never, 1});
    const WarpProgram start{*parse_pass(times(64, "a2")), 0};
    const auto waits = cycles_to_start(older, {&start, 1}) / schedulers_of_h200().longest_wait;
    EXPECT_NEAR(waits, 37, 6);  // measured
}

TEST(WarpSchedulerStart, what_a_block_asks_for_waits_behind_reads_of_shared_memory) {
    const auto waits_beside = [](const char* reads, bool begins) {
        const WarpProgram start{*parse_pass("n7>0 n1>1 a2&03 a2"), 0, begins};
        const auto reader = loop_of(reads, 16);
        const std::vector<ScheduledBlock> older(8, {&reader, 1});
        return cycles_to_start(older, {&start, 1}) / schedulers_of_h200().longest_wait;
    };
    EXPECT_NEAR(waits_beside("s1*4>0 a2", true), 2, 0.3);  // measured
    EXPECT_LT(waits_beside("s1>0 a2", true), 0.5) << "of 4 bytes";
    EXPECT_LT(waits_beside("s1*4>0 a2", false), 0.5) << "not behind the loop";
}

TEST(WarpSchedulerStart, a_load_that_comes_after_all_is_issued_wakes_nobody) {
    const WarpProgram start{*parse_pass("g1>0 a4"), 100};
    const auto integers = loop_of("a4 a5 h5", 16);
    const std::vector<ScheduledBlock> older(8, {&integers, 1});
    const auto play = [&] { return cycles_to_start(older, {&start, 4}); };
    EXPECT_EQ(play(), play());
    EXPECT_NEAR(play(), 32'768, 1'000);
}

TEST(WarpSchedulerStart, older_warps_go_before_those_that_fill_a_pipe) {
    const WarpProgram end{*parse_pass("a4 h5 a4 g1 n5"), 0};
    const auto integers = loop_of("a4 a5 h5", 16);
    const std::vector<ScheduledBlock> blocks{{&end, 4}, {&integers, 8}};
    EXPECT_LT(cycles_to_run(blocks, 0, schedulers_of_h200()), 200);
    const std::vector<ScheduledBlock> younger{{&integers, 8}, {&end, 4}};
    EXPECT_GT(cycles_to_run(younger, 1, schedulers_of_h200()), 32'768);
}

TEST(WarpSchedulerStart, who_gets_nothing_is_not_waited_for_without_end) {
    EXPECT_EQ(waits_to_start(times(300, "a4")), 100);
}

TEST(WarpScheduler, launches_of_one_kernel_are_of_one_program) {
    const auto never = loop_of("f1", 130);
    const auto copy = never;
    const std::vector<ScheduledBlock> once{{&never, 1}, {&never, 2}};
    const std::vector<ScheduledBlock> twice{{&never, 1}, {&copy, 2}};
    EXPECT_EQ(issue_rates(once, schedulers_of_h200()), issue_rates(twice, schedulers_of_h200()));
}

TEST(WarpScheduler, the_same_comes_out_each_time) {
    const auto mix = loop_of("f1 a1 f1 h2", 30);
    const std::vector<ScheduledBlock> blocks{{&mix, 2}, {&mix, 2}};
    EXPECT_EQ(issue_rates(blocks, schedulers_of_h200()), issue_rates(blocks, schedulers_of_h200()));
}

}  // namespace
}  // namespace overcast
