// How long before the end of the copy that runs a copy engine chooses the next one.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

constexpr auto kToStart = 2us;  ///< from the return of a call to the start of a copy
constexpr auto kAhead = 6us;
constexpr auto kEnd = 100us;  ///< of the copy that runs

/// A copy runs until kEnd; the next one in its channel is ready `early` before that. A channel with
/// a ready copy goes first if that is too late, or if the next one got a channel of its own.
Phase stay_or_leave(const std::string& pair, Duration early, std::uint32_t channel = 10) {
    const bool call = pair[0] == 'c';
    const auto copy = kind_of(pair[1]);
    const bool leaves = early < kAhead || channel != 10;
    const auto follows = leaves ? 112us : 101us;
    const auto other = leaves ? 101us : 112us;
    const auto returned = call ? kEnd - early - kToStart : 8us;
    std::vector<Slot> slots{
        {copy, kToStart, kEnd, 0, 10, 1, ChannelType::copy, 0us},
        {copy, other, other + 10us, 0, 11, 2, ChannelType::copy, 4us},
        {copy, follows, follows + 10us, 0, channel, 5, ChannelType::copy, returned}};
    if (!call) {
        slots.push_back({kind_of(pair[0]), 0us, kEnd - early, 0, 20, 5, ChannelType::copy, -4us});
    }
    std::ranges::stable_sort(slots, {}, &Slot::start);
    return phase("look_ahead_" + pair, 0, 0, slots);
}

std::vector<Phase> early_phases() {
    std::vector<Phase> made;
    for (const std::string pair : {"ch", "cd", "kh", "kd", "dh", "hd"}) {
        for (auto early = 0us; early < 20us; ++early) {
            made.push_back(stay_or_leave(pair, early));
        }
    }
    return made;
}

Draft look_ahead_draft(const std::vector<Phase>& some) {
    return Runs{}.traced("copy_decisions", some).draft_after(measure_look_ahead);
}

TEST(MeasureLookAhead, finds_when_a_recorded_copy_starts_after_the_device_hears_of_it) {
    auto some = early_phases();
    const auto start = [&] { return look_ahead_draft(some).model.tracing_cost.traced.copy_start; };
    EXPECT_EQ(start(), kToStart);
    for (auto& one : some) {
        for (auto& activity : one.activities) {
            activity.issued = activity.returned - 4us;
        }
    }
    const auto share = defaults().tracing_cost.traced.share_after_work;
    EXPECT_GT(share, 0);
    EXPECT_EQ(start(), kToStart + round_to_duration(share * 4000));
}

TEST(MeasureLookAhead, finds_until_when_an_engine_stays_on_its_channel) {
    const auto ahead = look_ahead_draft(early_phases()).model.look_ahead;
    for (const auto& one : {ahead.call, ahead.kernel, ahead.h2d, ahead.d2h}) {
        EXPECT_EQ(one, 5500ns);  // between 5 us, where it leaves, and 6
    }
}

// It always comes last.
TEST(MeasureLookAhead, leaves_out_copies_that_got_another_channel) {
    auto some = early_phases();
    for (auto early = 0us; early < 20us; ++early) {
        some.push_back(stay_or_leave("kh", early, 12));
    }
    EXPECT_EQ(look_ahead_draft(some).model.look_ahead.kernel, 5500ns);
}

TEST(MeasureLookAhead, says_what_is_missing) {
    auto some = early_phases();
    std::erase_if(some, [](const Phase& one) { return one.label.quantity == "look_ahead_dh"; });
    EXPECT_THROW(look_ahead_draft(some), ModelFileError);
    EXPECT_THROW(Runs{}.draft_after(measure_look_ahead), ModelFileError);
}

}  // namespace
}  // namespace overcast
