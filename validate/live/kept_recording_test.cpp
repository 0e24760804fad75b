#include "validate/live/kept_recording.hpp"

#include "formats/format_table.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

TEST(TimeInIssuingCalls, leaves_out_the_calls_that_wait) {
    testing::TraceBuilder trace;
    trace.issue(testing::kernel("a")).issue(testing::kernel("b"));
    const auto issuing = time_in_issuing_calls(trace.build());
    EXPECT_GT(issuing, Duration{});
    trace.synchronise_device();
    EXPECT_EQ(time_in_issuing_calls(trace.build()), issuing);
}

TEST(TimeAtWork, is_also_that_of_the_device) {
    const auto of = [](Duration copy) {
        testing::TraceBuilder trace;
        trace.issue(testing::h2d(Bytes{1'000'000}).taking(copy)).issue(testing::kernel("a"));
        return trace.build();
    };
    EXPECT_EQ(time_at_work(of(2ms)) - time_at_work(of(1ms)), 1ms);
    EXPECT_EQ(time_in_issuing_calls(of(2ms)), time_in_issuing_calls(of(1ms)));
}

/// Two recordings of one program whose copies were served in unlike orders.
struct TwoOrders {
    fs::path fast{OVERCAST_SOURCE_DIR "/traces/h200/chain/timelines/distribute-depth-8.json.gz"};
    fs::path slow{OVERCAST_SOURCE_DIR
                  "/traces/h200-busy/chain/timelines/distribute-depth-8.json.gz"};

    TwoOrders() {
        if (time_in_issuing_calls(read_trace(slow)) < time_in_issuing_calls(read_trace(fast))) {
            std::swap(slow, fast);
        }
    }
};

TEST(MostTypical, serves_copies_as_most_of_the_others_do) {
    const TwoOrders two;
    EXPECT_EQ(most_typical({two.fast, two.slow, two.slow}), 1U);
    EXPECT_EQ(most_typical({two.slow, two.fast, two.fast}), 1U);
    EXPECT_EQ(most_typical({two.fast}), 0U);
}

TEST(MostTypical, is_one_of_the_three_whose_calls_were_fastest) {
    const TwoOrders two;
    // What four serve alike is not chosen where three others were faster.
    EXPECT_EQ(most_typical({two.slow, two.slow, two.slow, two.slow, two.fast, two.fast, two.fast}),
              4U);
}

TEST(MostTypical, is_the_fastest_where_none_is_like_another) {
    const fs::path recorded{OVERCAST_SOURCE_DIR "/traces/h200"};
    const auto tiny = recorded / "tiny/trace.json.gz";
    const auto chatty = recorded / "chatty_286/trace.json.gz";
    const bool tiny_is_fast =
        time_in_issuing_calls(read_trace(tiny)) < time_in_issuing_calls(read_trace(chatty));
    EXPECT_EQ(most_typical({tiny, chatty}), tiny_is_fast ? 0U : 1U);
}

}  // namespace
}  // namespace overcast
