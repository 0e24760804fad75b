#include "forecast/slow_copies.hpp"

#include "forecast/predict.hpp"
#include "tests/support/extraction.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using testing::TraceBuilder;
using testing::warns;

constexpr Bytes kCopied{1'000'000};  // 1 ms in the round model

DeviceModel model_of(const std::string& device) {
    auto model = test::round_model();
    model.device_names = {device};
    return model;
}

Warnings warnings(const TraceBuilder& trace, const DeviceModel& model = model_of("Test GPU")) {
    ForecastOptions options;
    options.intervals = false;
    return forecast(trace.build(), model, options).sweep.warnings;
}

TraceBuilder copies(Duration to_device, Duration to_host) {
    TraceBuilder trace;
    trace.issue(testing::h2d(kCopied).taking(to_device))
        .issue(testing::d2h(kCopied).taking(to_host))
        .synchronise_stream(7);
    return trace;
}

TEST(SlowCopies, are_those_that_took_a_quarter_longer_than_by_the_model) {
    EXPECT_FALSE(warns(warnings(copies(1ms, 1ms)), "slow-copies"));
    EXPECT_FALSE(warns(warnings(copies(1240us, 1240us)), "slow-copies"));
    EXPECT_TRUE(warns(warnings(copies(1260us, 1ms)), "slow-copies"));
    EXPECT_TRUE(warns(warnings(copies(1ms, 1260us)), "slow-copies"));
}

TEST(SlowCopies, say_nothing_of_pageable_memory) {
    TraceBuilder trace;
    trace.issue(testing::h2d(kCopied).pageable().taking(9ms)).synchronise_stream(7);
    EXPECT_FALSE(warns(warnings(trace), "slow-copies"));
}

TEST(SlowCopies, say_nothing_of_another_gpu) {
    EXPECT_FALSE(warns(warnings(copies(9ms, 9ms), model_of("Another GPU")), "slow-copies"));
}

}  // namespace
}  // namespace overcast
