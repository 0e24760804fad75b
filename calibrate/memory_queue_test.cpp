#include "calibrate/measurements.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using test::Runs;

TEST(MeasureMemoryQueue, counts_the_loads_that_pass_while_a_read_waits) {
    const auto* const text =
        "sample memory_queue_read 0 20\nsample memory_queue_read 1 22\n"
        "sample memory_queue_read 8 1020\nsample memory_queue_read 8 1030\n"
        "sample memory_queue_read 8 5000\nsample memory_queue_instruction 1 30\n"
        "sample memory_queue_instruction 8 25\n";
    const auto kernels =
        Runs{}.untraced("memory_queue", text).draft_after(measure_memory_queue).model.kernels;
    EXPECT_DOUBLE_EQ(kernels.capacities.queue_instructions, (1030 - 20) / 25.0);
}

}  // namespace
}  // namespace overcast
