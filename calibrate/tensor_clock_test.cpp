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

/// Three kernels of so long, 1 ms apart; each within one that uses tensor cores for `tensor`, if
/// that is not 0.
Phase three_kernels(const std::string& quantity, Duration each, Duration tensor) {
    auto made = phase(quantity, 1000, 0, {});
    for (int i = 0; i < 3; ++i) {
        const auto start = i * 1ms;
        std::vector<Slot> slots{{ActivityKind::kernel, start + 50us, start + 50us + each}};
        if (tensor > Duration{}) {
            slots.push_back({ActivityKind::kernel, start, start + tensor});
        }
        auto group = phase(quantity, 1000, 0, slots).activities;
        group.front().name = "multiply_add(float*, int)";
        if (group.size() > 1) {
            group.back().name = "multiply_matrices(float*, unsigned long long)";
        }
        made.activities.insert(made.activities.end(), group.begin(), group.end());
    }
    return made;
}

std::vector<Phase> each_alone_and_beside() {
    return {three_kernels("tensor_alone_arithmetic", 200us, 0us),
            three_kernels("tensor_beside_arithmetic", 220us, 600us),
            three_kernels("tensor_alone_load", 200us, 0us),
            three_kernels("tensor_beside_load", 210us, 600us)};
}

TEST(MeasureTensorClock, is_how_much_longer_kernels_take_within_those_that_use_tensor_cores) {
    const auto draft =
        Runs{}.traced("tensor_clock", each_alone_and_beside()).draft_after(measure_tensor_clock);
    EXPECT_DOUBLE_EQ(draft.model.kernels.beside_tensor, 1.1);
    EXPECT_DOUBLE_EQ(draft.model.kernels.load_beside_tensor, 1.05);
}

TEST(MeasureTensorClock, says_where_no_kernel_ran_beside_them) {
    auto too_short = each_alone_and_beside();
    too_short[1] = three_kernels("tensor_beside_arithmetic", 220us, 100us);
    const auto measured = [&] {
        return Runs{}.traced("tensor_clock", too_short).draft_after(measure_tensor_clock);
    };
    EXPECT_THAT(measured,
                ThrowsMessage<ModelFileError>(
                    "the probe tensor_clock brought no kernels of tensor_beside_arithmetic"));
}

}  // namespace
}  // namespace overcast
