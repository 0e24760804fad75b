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

TEST(SteadyCalls, a_call_that_was_held_up_gets_the_median_of_its_name) {
    auto calls = calls_that_took({25us, 2us, 3us, 2us, 2us, 2us, 72us, 3us}, CallMeaning::copy);
    steady_calls(calls);  // sorted: 2 2 2 2 3 3 25 72, the upper median is 3
    EXPECT_EQ(calls[0].traced, 3us);
    EXPECT_EQ(calls[1].traced, 2us);
    EXPECT_EQ(calls[6].traced, 3us);
}

TEST(SteadyCalls, few_calls_and_calls_that_wait_are_left_alone) {
    auto few = calls_that_took({25us, 2us, 2us}, CallMeaning::copy);
    steady_calls(few);
    EXPECT_EQ(few[0].traced, 25us);
    auto waits =
        calls_that_took({25us, 2us, 2us, 2us, 2us, 2us, 2us, 2us}, CallMeaning::synchronise_stream);
    steady_calls(waits);
    EXPECT_EQ(waits[0].traced, 25us);
}

// Every second release unmaps memory; one took long because it was the first.
TEST(SteadyCalls, of_calls_that_handle_memory_both_kinds_are_kept) {
    auto calls =
        calls_that_took({1200us, 5us, 50us, 5us, 50us, 5us, 50us, 5us, 52us}, CallMeaning::release);
    for (auto& call : calls) {
        call.own_work = call.traced;
    }
    steady_calls(calls);  // the third quartile is 50 or 52, the median 50
    EXPECT_EQ(calls[0].own_work, 50us);
    EXPECT_EQ(calls[1].own_work, 5us);
    EXPECT_EQ(calls[8].own_work, 52us);
}

}  // namespace
}  // namespace overcast
