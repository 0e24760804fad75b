// How many small copies an engine takes ahead.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using namespace test;

/// Tries with rows of copies of so many bytes: the engine leaves where the late one could have
/// begun fewer than `ahead` copies before the last of the row.
std::string tries(double bytes, double ahead) {
    std::string text;
    for (double copies = -1; copies < 23; copies += 0.5) {
        text += "sample " + std::string{copies < ahead ? "queue_left " : "queue_stayed "} +
                std::to_string(bytes) + " " + std::to_string(copies) + "\n";
    }
    return text;
}

Draft draft_of(const std::string& untraced, const std::string& traced) {
    return Runs{}
        .untraced("copy_queue", untraced)
        .printed("copy_queue", ProbeMode::full, traced)
        .draft_after(measure_copy_queue);
}

TEST(MeasureCopyQueue, finds_how_many_copies_are_taken_ahead) {
    const auto ahead = draft_of(tries(4, 12.1) + tries(65536, 1.1) + tries(131072, -0.4),
                                tries(4, 6.1) + tries(65536, 0.6) + tries(131072, -0.4))
                           .model.look_ahead;
    using Points = std::vector<Curve::Point>;
    EXPECT_EQ(ahead.copies_ahead.points(), (Points{{4, 12.25}, {65536, 1.25}, {131072, 0}}));
    EXPECT_EQ(ahead.recorded_copies_ahead.points(),
              (Points{{4, 6.25}, {65536, 0.75}, {131072, 0}}));
}

TEST(MeasureCopyQueue, takes_no_more_of_larger_copies) {
    const auto some = tries(4, 6) + tries(65536, 2.1) + tries(131072, 9);
    const auto ahead = draft_of(some, some).model.look_ahead;
    EXPECT_EQ(ahead.copies_ahead.points().back(), (Curve::Point{131072, 2.25}));
}

// More than the row holds: that size says nothing.
TEST(MeasureCopyQueue, leaves_out_sizes_of_which_it_saw_no_limit) {
    const auto some = tries(8192, 6) + tries(65536, 1);
    const auto ahead = draft_of(tries(4, 100) + some, some).model.look_ahead;
    ASSERT_EQ(ahead.copies_ahead.points().size(), 2U);
    EXPECT_EQ(ahead.copies_ahead.points().front().x, 8192);
}

TEST(MeasureCopyQueue, says_what_is_missing) {
    EXPECT_THROW(draft_of(tries(4, 100) + tries(8192, 100), tries(4, 6)), ModelFileError);
    EXPECT_THROW(Runs{}.draft_after(measure_copy_queue), ModelFileError);
}

}  // namespace
}  // namespace overcast
