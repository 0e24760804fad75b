// When a channel looks whether what its head waits for is done.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using namespace test;

constexpr auto kLatency = 2us;
constexpr auto kFirstLook = 1us;  // after the return of the call
constexpr auto kPeriod = 8us;

/// The earlier operation ends at 100 us. The channel of the later one looks for the first time
/// 1 us after the return of its call, and then every 8 us; a look that finds the other done starts
/// it 1 us later.
Phase arrival(const std::string& quantity, Duration returned) {
    auto look = returned + kFirstLook;
    while (look < 100us) {
        look += kPeriod;
    }
    const auto start = look + (kLatency - kFirstLook);
    return phase(
        quantity, 0, 0,
        {{kind_of(quantity[8]), 0us, 100us, 0, 10, 1, ChannelType::copy, 0us},
         {kind_of(quantity[9]), start, start + 10us, 0, 10, 1, ChannelType::copy, returned}});
}

std::vector<Phase> phases() {
    std::vector<Phase> made;
    for (const std::string quantity : {"arrival_kh", "arrival_kd", "arrival_dh", "arrival_hk"}) {
        for (auto returned = 80us; returned < 108us; ++returned) {
            made.push_back(arrival(quantity, returned));
        }
    }
    return made;
}

Draft draft_of(const std::vector<Phase>& some) {
    return Runs{}.traced("copy_decisions", some).draft_after(measure_copy_decisions);
}

const Observation& observation(const Draft& draft, const std::string& name) {
    return *std::ranges::find(draft.notes.observations, name, &Observation::name);
}

TEST(MeasureCopyDecisions, finds_how_late_a_call_may_return) {
    const auto draft = draft_of(phases());
    // 1 us, found between two calls that are 1 us apart; half of what recording adds on top.
    const auto& cost = draft.model.tracing_cost;
    const auto late = [&](GapKind kind) {
        return draft.model.gaps.late_arrival[static_cast<std::size_t>(kind)].value();
    };
    const auto copy = (cost.traced.calls.copy - cost.untraced.copy) / 2;
    const auto launch = (cost.traced.calls.kernel_launch - cost.untraced.kernel_launch) / 2;
    for (const auto kind : {GapKind::kernel_to_d2h, GapKind::d2h_to_h2d}) {
        EXPECT_NEAR(static_cast<double>((late(kind) - copy).count()), 1'000, 510);
    }
    EXPECT_NEAR(static_cast<double>((late(GapKind::h2d_to_kernel) - launch).count()), 1'000, 510);
    EXPECT_THAT(draft.notes.parameters.at("gap.kern2host_ovhd_late_arrival_ns").source,
                HasSubstr("half of what recording adds"));
}

TEST(MeasureCopyDecisions, finds_when_a_channel_looks_again) {
    const auto draft = draft_of(phases());
    const auto& periods = observation(draft, "gap.looks_again_ns_by_pair");
    ASSERT_EQ(periods.points.size(), 4U);
    for (const auto& [pair, period] : periods.points) {
        EXPECT_NEAR(period.value, 8'000, 200) << pair;
    }
}

TEST(MeasureCopyDecisions, keeps_the_pairs_apart_where_one_shows_no_period) {
    auto some = phases();
    for (auto& one : some) {  // the first pair never waits
        if (one.label.quantity == "arrival_kh" && one.activities[1].returned < TraceTime{99us}) {
            one.activities[1].start = TraceTime{100us};
        }
    }
    const auto draft = draft_of(some);
    const auto& periods = observation(draft, "gap.looks_again_ns_by_pair");
    ASSERT_EQ(periods.points.size(), 3U);
    EXPECT_DOUBLE_EQ(periods.points.front().first, 1);
    EXPECT_DOUBLE_EQ(periods.points.back().first, 3);
}

TEST(MeasureCopyDecisions, says_what_is_missing) {
    auto some = phases();
    std::erase_if(some, [](const Phase& one) { return one.label.quantity == "arrival_dh"; });
    EXPECT_THROW(draft_of(some), ModelFileError);
    EXPECT_THROW(Runs{}.draft_after(measure_copy_decisions), ModelFileError);
}

}  // namespace
}  // namespace overcast
