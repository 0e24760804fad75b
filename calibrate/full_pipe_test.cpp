#include "calibrate/measurements.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using test::Runs;

double share_after(const std::string& text, double capacity) {
    auto before = test::defaults();
    before.kernels.wide_loads_share = 0.5;
    before.kernels.capacities[SmUnit::issue_slots] = capacity;
    const auto draft = Runs{}.untraced("full_pipe", text).draft_after(measure_full_pipe, before);
    return draft.model.kernels.wide_loads_share;
}

TEST(MeasureFullPipe, is_what_wide_loads_use_of_the_slots_that_cannot_be_reached) {
    const std::string text =
        "sample full_pipe_wide_loads 0 0.1\nsample full_pipe_wide_loads 4 0.02\n"
        "sample full_pipe_wide_loads 8 0.001\nsample full_pipe_wide_loads 8 0.002\n"
        "sample full_pipe_wide_loads 8 0.009\n";
    EXPECT_DOUBLE_EQ(share_after(text, 0.875), 0.002 / 0.125);
    EXPECT_DOUBLE_EQ(share_after(text, 0.999), 1);
}

TEST(MeasureFullPipe, takes_the_wait_beside_most_older_warps) {
    const auto* const text =
        "sample full_pipe_xu 0 9\nsample full_pipe_xu 4 8000\nsample full_pipe_xu 8 8700\n"
        "sample full_pipe_xu 8 8760\nsample full_pipe_xu 8 9900\nsample full_pipe_logic 4 100\n"
        "sample full_pipe_logic 8 16000\n";
    const auto kernels =
        Runs{}.untraced("full_pipe", text).draft_after(measure_full_pipe).model.kernels;
    EXPECT_DOUBLE_EQ(kernels.longest_xu_wait_ns, 8760);
    EXPECT_DOUBLE_EQ(kernels.longest_wait_ns, 16000);
}

TEST(MeasureFullPipe, takes_the_wait_for_a_slot_per_square_of_older_warps) {
    const auto wait = [](const std::string& text) {
        return Runs{}
            .untraced("full_pipe", text)
            .draft_after(measure_full_pipe)
            .model.kernels.slot_wait_ns;
    };
    const std::string alone = "sample full_pipe_slots 0 2\nsample full_pipe_slots 1 9\n";
    EXPECT_DOUBLE_EQ(wait(alone + "sample full_pipe_slots 2 42\nsample full_pipe_slots 3 110\n"
                                  "sample full_pipe_slots 4 192.8\n"),
                     11.925);
    EXPECT_DOUBLE_EQ(wait(alone), test::defaults().kernels.slot_wait_ns);
    EXPECT_DOUBLE_EQ(wait("sample full_pipe_slots 8 1000\n"),
                     test::defaults().kernels.slot_wait_ns);
}

TEST(MeasureFullPipe, keeps_what_the_model_has_where_all_slots_can_be_reached) {
    EXPECT_DOUBLE_EQ(share_after("sample full_pipe_wide_loads 8 0.001\n", 1), 0.5);
    EXPECT_DOUBLE_EQ(share_after("", 0.9), 0.5);
}

}  // namespace
}  // namespace overcast
