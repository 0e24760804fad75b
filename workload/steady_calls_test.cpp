#include "workload/steady_calls.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

std::vector<IssuedCall> calls_that_took(const std::vector<Duration>& durations,
                                        CallMeaning meaning) {
    std::vector<IssuedCall> calls;
    for (const auto duration : durations) {
        IssuedCall call;
        call.traced = duration;
        call.meaning = meaning;
        calls.push_back(call);
    }
    return calls;
}

void steady(std::vector<IssuedCall>& calls) {
    const Trace trace;
    steady_calls(calls, trace, Joins{trace});
}

TEST(SteadyCalls, a_call_that_was_held_up_gets_the_median_of_its_name) {
    auto calls =
        calls_that_took({25us, 2us, 3us, 2us, 2us, 2us, 72us, 3us}, CallMeaning::kernel_launch);
    steady(calls);  // sorted: 2 2 2 2 3 3 25 72, the median is 2.5
    EXPECT_EQ(calls[0].traced, 2500ns);
    EXPECT_EQ(calls[1].traced, 2us);
    EXPECT_EQ(calls[2].traced, 3us);
    EXPECT_EQ(calls[6].traced, 2500ns);
}

TEST(SteadyCalls, the_first_copy_call_is_cold_in_any_run) {
    const auto first_of = [](Duration first) {
        auto calls =
            calls_that_took({first, 2us, 2us, 2us, 2us, 2us, 72us, 2us}, CallMeaning::copy);
        steady(calls);
        EXPECT_EQ(calls[6].traced, 2us);
        return calls[0].traced;
    };
    EXPECT_EQ(first_of(3us), 3us);
    EXPECT_EQ(first_of(25us), 4us);
}

// Half of them copy 64 KiB, and need three times as long.
TEST(SteadyCalls, calls_that_ask_for_something_else_have_a_median_of_their_own) {
    Trace trace;
    auto calls = calls_that_took({}, CallMeaning::copy);
    for (std::uint32_t i = 1; i <= 20; ++i) {
        IssuedCall call;
        call.correlation = CorrelationId{i};
        call.meaning = CallMeaning::copy;
        call.traced = i % 2 == 0 ? 6us : 2us;
        calls.push_back(call);
        DeviceActivity copy;
        copy.correlation = call.correlation;
        TracedCopy what;
        what.bytes = Bytes{i % 2 == 0 ? 65'536U : 4096U};
        copy.what = what;
        trace.activities.push_back(copy);
    }
    calls[2].traced = 50us;
    steady_calls(calls, trace, Joins{trace});
    EXPECT_EQ(calls[0].traced, 2us);
    EXPECT_EQ(calls[1].traced, 6us);
    EXPECT_EQ(calls[2].traced, 2us);
}

TEST(SteadyCalls, few_calls_and_calls_that_wait_are_left_alone) {
    auto few = calls_that_took({25us, 2us, 2us}, CallMeaning::copy);
    steady(few);
    EXPECT_EQ(few[0].traced, 25us);
    auto waits =
        calls_that_took({25us, 2us, 2us, 2us, 2us, 2us, 2us, 2us}, CallMeaning::synchronise_stream);
    steady(waits);
    EXPECT_EQ(waits[0].traced, 25us);
}

// Every second release unmaps memory; one took long because it was the first.
TEST(SteadyCalls, of_calls_that_handle_memory_both_kinds_are_kept) {
    auto calls =
        calls_that_took({1200us, 5us, 50us, 5us, 50us, 5us, 50us, 5us, 52us}, CallMeaning::release);
    for (auto& call : calls) {
        call.own_work = call.traced;
    }
    steady(calls);  // the third quartile is 50 or 52, the median 50
    EXPECT_EQ(calls[0].own_work, 50us);
    EXPECT_EQ(calls[1].own_work, 5us);
    EXPECT_EQ(calls[8].own_work, 52us);
}

}  // namespace
}  // namespace overcast
