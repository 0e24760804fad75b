#include "advise/advise.hpp"

#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using testing::TraceBuilder;

constexpr std::uint32_t kUnits = 6;

/// Units of (H2D 1 ms, kernel 1 ms of one block, D2H 1 ms), on one stream, with a wait in each
/// where `waits`.
Trace program(bool waits) {
    TraceBuilder trace;
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
        trace.issue(testing::h2d(Bytes{1'000'000}).taking(1ms))
            .issue(testing::kernel("scale").grid(1).taking(1ms))
            .issue(testing::d2h(Bytes{1'000'000}).taking(1ms));
        if (waits) {
            trace.synchronise_stream(7);
        }
    }
    return trace.synchronise_stream(7).build();
}

Advice advice_on(const Trace& trace) {
    AdviseOptions options;
    options.intervals = false;
    return advise(trace, test::round_model(), options);
}

const Diagnosis* find(const Advice& advice, std::string_view id) {
    const auto found = std::ranges::find(advice.diagnoses, id, &Diagnosis::id);
    return found == advice.diagnoses.end() ? nullptr : &*found;
}

/// A and B agree within 3 %: calls and latencies of a few microseconds are left out of the figures.
void expect_near(Duration actual, Duration expected) {
    EXPECT_NEAR(to_microseconds(actual), to_microseconds(expected),
                0.03 * to_microseconds(expected));
}

TEST(Advise, finds_what_streams_save) {
    const auto advice = advice_on(program(false));
    expect_near(advice.wall, kUnits * 3ms);
    // Three engines of 1 ms per unit: K + 2 steps.
    expect_near(advice.wall_without_causes, (kUnits + 2) * 1ms);
    const auto* streams = find(advice, "one-stream");
    ASSERT_NE(streams, nullptr);
    EXPECT_EQ(streams->verdict, Verdict::saves);
    EXPECT_EQ(streams->alone.time, advice.wall - advice.wall_without_causes);
    ASSERT_TRUE(advice.cheapest);
    EXPECT_EQ(advice.cheapest->configuration.streams, 3U) << "more do not help";
}

TEST(Advise, two_causes_that_hide_each_other_save_nothing_alone_and_much_together) {
    const auto advice = advice_on(program(true));
    const auto* waits = find(advice, "unit-waits");
    const auto* streams = find(advice, "one-stream");
    ASSERT_NE(waits, nullptr);
    ASSERT_NE(streams, nullptr);
    EXPECT_LT(waits->alone.time, 200us);
    EXPECT_LT(streams->alone.time, 200us);
    expect_near(waits->with_the_rest.time, (2 * kUnits - 2) * 1ms);
    expect_near(streams->with_the_rest.time, (2 * kUnits - 2) * 1ms);
    EXPECT_EQ(waits->verdict, Verdict::saves);
}

TEST(Advise, ranks_by_the_larger_saving) {
    const auto advice = advice_on(program(true));
    for (std::size_t i = 1; i < advice.diagnoses.size(); ++i) {
        const auto& before = advice.diagnoses[i - 1];
        const auto& after = advice.diagnoses[i];
        EXPECT_TRUE(before.verdict < after.verdict ||
                    (before.verdict == after.verdict &&
                     (before.verdict != Verdict::saves || before.most() >= after.most())));
    }
}

TEST(Advise, says_where_each_cause_was_seen) {
    const auto advice = advice_on(program(true));
    const auto* waits = find(advice, "unit-waits");
    ASSERT_NE(waits, nullptr);
    EXPECT_EQ(waits->occurrences, kUnits - 1);
    ASSERT_FALSE(waits->places.empty());
    EXPECT_EQ(waits->places[0].operation, 3U);
    EXPECT_EQ(waits->places[0].call, "cudaStreamSynchronize");
}

TEST(Advise, the_critical_path_adds_up_to_the_wall_time) {
    const auto advice = advice_on(program(false));
    Duration total{};
    for (const auto& share : advice.path.shares) {
        total += share.time;
    }
    EXPECT_EQ(total, advice.wall_without_causes);
    EXPECT_GE(advice.path.operations, kUnits);
}

TEST(Advise, the_search_stays_within_the_memory_of_the_device) {
    TraceBuilder trace;
    for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
        trace.issue(testing::h2d(Bytes{1'000'000}).from(0x1000).to(0x9000).taking(1ms))
            .issue(testing::kernel("scale").grid(1).taking(1ms))
            .issue(testing::d2h(Bytes{1'000'000}).from(0x9000).to(0x5000).taking(1ms));
    }
    trace.allocate(0x9000, Bytes{1'000'000}).synchronise_stream(7);
    trace.trace().devices.front().memory = Bytes{2'500'000};  // room for two sets of buffers
    auto recorded = trace.build();
    recorded.memory_operations.front().time = TraceTime{};
    const auto advice = advice_on(recorded);
    ASSERT_TRUE(advice.best);
    EXPECT_EQ(advice.best->configuration.streams, 2U);
    EXPECT_NE(find(advice, "device-memory"), nullptr);
    EXPECT_NE(find(advice, "shared-buffers"), nullptr);
}

TEST(Advise, a_program_without_units_gets_no_schedule) {
    TraceBuilder trace;
    trace.issue(testing::h2d(Bytes{1'000'000}).taking(1ms))
        .issue(testing::kernel("scale").taking(1ms))
        .synchronise_stream(7);
    const auto advice = advice_on(trace.build());
    EXPECT_FALSE(advice.best);
    EXPECT_FALSE(advice.path.shares.empty());
}

TEST(Advise, gives_the_same_twice) {
    const auto once = advice_on(program(true));
    const auto again = advice_on(program(true));
    ASSERT_EQ(once.diagnoses.size(), again.diagnoses.size());
    for (std::size_t i = 0; i < once.diagnoses.size(); ++i) {
        EXPECT_EQ(once.diagnoses[i].alone.time, again.diagnoses[i].alone.time);
        EXPECT_EQ(once.diagnoses[i].evidence, again.diagnoses[i].evidence);
    }
}

}  // namespace
}  // namespace overcast
