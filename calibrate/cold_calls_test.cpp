// How much of a recorded call passes after the device has heard of its work.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

/// Calls of so long, an eighth of which passes after the device has heard of the work, which it
/// starts `latency` later.
Phase calls(char kind, Duration call, Duration latency) {
    std::vector<Slot> slots;
    for (int i = 0; i < 5; ++i) {
        const auto issued = i * 100us;
        const auto start = issued + call - call / 8 + latency;
        slots.push_back({kind_of(kind), start, start + 2us, 4, 10, 1, ChannelType::copy, issued});
    }
    auto made = phase(std::string{"cold_"} + kind, 0, 0, slots);
    for (auto& activity : made.activities) {
        activity.returned = activity.issued + call;
    }
    return made;
}

std::vector<Phase> warm_and_cold() {
    std::vector<Phase> made;
    for (const auto call : {2us, 4us, 16us}) {
        made.push_back(calls('h', call, 2us));
        made.push_back(calls('d', call, 2500ns));
        made.push_back(calls('k', 2 * call, 4us));
    }
    return made;
}

TEST(MeasureColdCalls, finds_the_share_of_a_call_behind_its_work) {
    const auto model =
        Runs{}.traced("cold_calls", warm_and_cold()).draft_after(measure_cold_calls).model;
    EXPECT_DOUBLE_EQ(model.tracing_cost.traced.share_after_work, 0.125);
}

TEST(MeasureColdCalls, says_what_is_missing) {
    auto some = warm_and_cold();
    std::erase_if(some, [](const Phase& one) { return one.label.quantity == "cold_d"; });
    EXPECT_THROW(Runs{}.traced("cold_calls", some).draft_after(measure_cold_calls), ModelFileError);
    EXPECT_THROW(Runs{}.draft_after(measure_cold_calls), ProbeDidNotRun);
}

}  // namespace
}  // namespace overcast
