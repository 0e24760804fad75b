#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ThrowsMessage;
using namespace test;

Phase of(const std::string& quantity, double x, const char* name, Duration each) {
    auto made = phase(quantity, x, 0, {{ActivityKind::kernel, 0us, each}});
    made.activities.front().name = name;
    return made;
}

constexpr const char* kArithmetic = "multiply_and_add(float*, int, float)";
constexpr const char* kOthers = "void ask_for_memory<false>(float4*, unsigned int, int)";

/// A pass of these takes 1 us on an idle device and `pass` with all warps; others take a tenth
/// longer beside them, and `late` more.
std::vector<Phase> of_a_kind(const std::string& kind, Duration pass, Duration late) {
    return {of("late_ends_idle_" + kind, 100, kOthers, 100us),
            of("late_ends_full_" + kind, 100, kOthers, 100 * pass),
            of("late_ends_beside_" + kind, 10, kArithmetic, 22us + late),
            of("late_ends_beside_" + kind, 50, kArithmetic, 110us + late)};
}

std::vector<Phase> alone() {
    return {of("late_ends_alone", 10, kArithmetic, 20us),
            of("late_ends_alone", 50, kArithmetic, 100us)};
}

Draft measured(const std::vector<Phase>& phases) {
    return Runs{}.traced("late_ends", phases).draft_after(measure_late_ends);
}

TEST(MeasureLateEnds, are_what_kernels_of_any_length_take_longer_over_what_a_request_waits) {
    auto phases = alone();
    for (auto& each : of_a_kind("l2", 2us, 1500ns)) {
        phases.push_back(each);
    }
    for (auto& each : of_a_kind("dram", 3us, 4us)) {
        phases.push_back(each);
    }
    for (auto& each : of_a_kind("rewrites", 3us, 6us)) {
        phases.push_back(each);
    }
    // 1.5, 2 and 3
    EXPECT_NEAR(measured(phases).model.kernels.requests_outside_loop, 2, 1e-6);
}

TEST(MeasureLateEnds, are_none_where_nothing_takes_longer) {
    auto phases = alone();
    for (auto& each : of_a_kind("l2", 2us, 0us)) {
        phases.push_back(each);
    }
    EXPECT_NEAR(measured(phases).model.kernels.requests_outside_loop, 0, 1e-6);
}

TEST(MeasureLateEnds, says_what_is_missing) {
    EXPECT_THAT(
        [] { measured(alone()); },
        ThrowsMessage<ModelFileError>("the probe late_ends brought no kernels beside others"));
}

}  // namespace
}  // namespace overcast
