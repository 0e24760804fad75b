#include "validate/cases/harness/schedule.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace overcast::cases {
namespace {

using Phases = std::vector<std::vector<std::uint32_t>>;

/// "a0 a1 b0": unit a is 0; with parts "a.1.0" is step 0 of its part 1; a replica stands in front.
/// Behind the @ stands the lane set.
std::string shown(const Layout& layout, Order order, const Phases& phases) {
    std::string text;
    for (const auto& step : plan_pass(layout, order, phases)) {
        text += text.empty() ? "" : " ";
        if (layout.transform == Transform::replicate) {
            text += std::to_string(step.replica);
        }
        text += static_cast<char>('a' + step.unit);
        if (layout.transform == Transform::split) {
            text += '.' + std::to_string(step.part) + '.';
        }
        text += std::to_string(step.step) + '@' + std::to_string(step.lane_set);
    }
    return text;
}

Layout layout(Transform transform, std::uint32_t units, std::uint32_t streams,
              std::uint32_t parts = 1) {
    return {transform, units, streams, parts};
}

const Phases kThreeUnits{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};

TEST(Schedule, depth_first_distributes_whole_units_over_the_streams) {
    EXPECT_EQ(shown(layout(Transform::distribute, 3, 2), Order::depth, kThreeUnits),
              "a0@0 a1@0 a2@0 b0@1 b1@1 b2@1 c0@0 c1@0 c2@0");
}

TEST(Schedule, breadth_first_takes_one_step_of_every_unit_in_turn) {
    EXPECT_EQ(shown(layout(Transform::distribute, 3, 2), Order::breadth, kThreeUnits),
              "a0@0 b0@1 c0@0 a1@0 b1@1 c1@0 a2@0 b2@1 c2@0");
}

TEST(Schedule, breadth_first_passes_over_units_that_have_run_out_of_steps) {
    EXPECT_EQ(shown(layout(Transform::distribute, 3, 3), Order::breadth, {{0}, {0, 0, 0}, {0, 0}}),
              "a0@0 b0@1 c0@2 b1@1 c1@2 b2@1");
}

TEST(Schedule, recorded_order_goes_phase_by_phase_and_keeps_units_together_in_each) {
    EXPECT_EQ(shown(layout(Transform::distribute, 3, 2), Order::recorded, kThreeUnits),
              "a0@0 a1@0 b0@1 b1@1 c0@0 c1@0 a2@0 b2@1 c2@0");
}

TEST(Schedule, recorded_order_of_a_single_phase_is_depth_first) {
    const Phases phases{{0, 0}, {0, 0}};
    const Layout two = layout(Transform::distribute, 2, 2);
    EXPECT_EQ(shown(two, Order::recorded, phases), shown(two, Order::depth, phases));
}

TEST(Schedule, one_stream_changes_the_streams_and_nothing_else) {
    EXPECT_EQ(shown(layout(Transform::distribute, 2, 1), Order::recorded, {{0, 1}, {0, 1}}),
              "a0@0 b0@0 a1@0 b1@0");
}

TEST(Schedule, parts_of_a_unit_are_strands_of_their_own) {
    const Phases phases{{0, 1}, {0, 1}};
    const Layout halves = layout(Transform::split, 2, 2, 2);
    EXPECT_EQ(shown(halves, Order::depth, phases),
              "a.0.0@0 a.0.1@0 a.1.0@1 a.1.1@1 b.0.0@0 b.0.1@0 b.1.0@1 b.1.1@1");
    EXPECT_EQ(shown(halves, Order::breadth, phases),
              "a.0.0@0 a.1.0@1 b.0.0@0 b.1.0@1 a.0.1@0 a.1.1@1 b.0.1@0 b.1.1@1");
}

TEST(Schedule, recorded_order_issues_the_parts_of_each_recorded_step_in_turn) {
    // One stream recorded a0 a1 b0 b1 (phase 0), then a2 b2.
    EXPECT_EQ(shown(layout(Transform::split, 2, 2, 2), Order::recorded, {{0, 0, 1}, {0, 0, 1}}),
              "a.0.0@0 a.1.0@1 a.0.1@0 a.1.1@1 b.0.0@0 b.1.0@1 b.0.1@0 b.1.1@1 "
              "a.0.2@0 a.1.2@1 b.0.2@0 b.1.2@1");
}

TEST(Schedule, more_parts_than_streams_go_round) {
    EXPECT_EQ(shown(layout(Transform::split, 1, 2, 3), Order::depth, {{0}}),
              "a.0.0@0 a.1.0@1 a.2.0@0");
}

TEST(Schedule, a_replica_is_one_strand_of_all_units) {
    const Phases phases{{0, 0}, {0, 0}};
    const Layout twice = layout(Transform::replicate, 2, 2);
    EXPECT_EQ(shown(twice, Order::depth, phases),
              "0a0@0 0a1@0 0b0@0 0b1@0 1a0@1 1a1@1 1b0@1 1b1@1");
    EXPECT_EQ(shown(twice, Order::breadth, phases),
              "0a0@0 1a0@1 0a1@0 1a1@1 0b0@0 1b0@1 0b1@0 1b1@1");
}

TEST(Schedule, a_replica_repeats_the_recorded_order) {
    const Phases phases{{0, 1}, {0, 1}};
    const Layout twice = layout(Transform::replicate, 2, 2);
    EXPECT_EQ(shown(twice, Order::recorded, phases),
              "0a0@0 0b0@0 0a1@0 0b1@0 1a0@1 1b0@1 1a1@1 1b1@1");
    EXPECT_EQ(shown(twice, Order::breadth, phases),
              "0a0@0 1a0@1 0b0@0 1b0@1 0a1@0 1a1@1 0b1@0 1b1@1");
}

TEST(Schedule, a_strand_has_the_number_of_its_unit_and_part) {
    std::vector<std::uint32_t> strands;
    for (const auto& step :
         plan_pass(layout(Transform::split, 2, 1, 2), Order::depth, {{0}, {0}})) {
        strands.push_back(step.strand);
    }
    EXPECT_EQ(strands, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Schedule, a_step_may_not_return_to_an_earlier_phase) {
    EXPECT_THROW(plan_pass(layout(Transform::distribute, 1, 1), Order::recorded, {{1, 0}}),
                 std::logic_error);
}

}  // namespace
}  // namespace overcast::cases
