// One recording that holds many members, each measured for itself.
#include "core/temporary_folder.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"
#include "validate/accuracy/accuracy_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using testing::kernel;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TraceBuilder;

/// A group of two units, each a kernel of one block on its own or the same stream.
void add_group(TraceBuilder& trace, std::string_view name, std::uint32_t streams, Duration first,
               Duration second) {
    trace.range(name, [&](TraceBuilder& group) {
        for (std::uint32_t unit = 0; unit < 2; ++unit) {
            group.range("unit", [&](TraceBuilder& own) {
                own.issue(kernel(std::string{name} + (unit == 0 ? " first" : " second"))
                              .grid(1)
                              .block(256)
                              .on(13 + unit % streams)
                              .taking(unit == 0 ? first : second));
            });
        }
        for (std::uint32_t stream = 0; stream < streams; ++stream) {
            group.synchronise_stream(13 + stream);
        }
    });
    trace.host_time(50us);
}

/// Two groups. On two streams each kernel takes `slower` times as long.
Trace groups(std::uint32_t streams, int slower) {
    TraceBuilder trace;
    add_group(trace, "group=0", streams, 100us * slower, 100us * slower);
    add_group(trace, "group=1", streams, 300us * slower, 700us * slower);
    return trace.build();
}

RecordedRun run_of(const std::string& range, Duration wall) {
    RecordedRun run;
    run.range = range;
    run.streams = 2;
    run.units = 2;
    run.wall_median = run.wall_min = run.wall_max = wall;
    run.timeline_file = "each.json";
    return run;
}

class SweptCase : public ::testing::Test {
protected:
    SweptCase() {
        write_chrome_trace(groups(2, 2), temporary_.path() / "each.json");
        recorded_.folder = temporary_.path();
        recorded_.trace = groups(1, 1);
        recorded_.truth.unit = "nvtx:unit";
        recorded_.truth.runs = {run_of("nvtx:group=0", 200us), run_of("nvtx:group=1", 1400us)};
        options_.unit = parse_unit_choice("nvtx:unit");
    }

    [[nodiscard]] CaseAccuracy judged() const {
        return measure_accuracy(recorded_, test::round_model(), options_);
    }

    TemporaryFolder temporary_;
    RecordedCase recorded_;
    ForecastOptions options_;
};

TEST_F(SweptCase, predicts_each_run_from_its_own_range) {
    const auto result = judged();
    ASSERT_THAT(result.runs, SizeIs(2));
    // Side by side on two SMs the longer of both kernels decides; calls add some microseconds.
    EXPECT_NEAR(to_microseconds(result.runs[0].predicted), 100, 30);
    EXPECT_NEAR(to_microseconds(result.runs[1].predicted), 700, 30);
    EXPECT_EQ(result.family, Family::co_run);
    EXPECT_TRUE(is_swept(result));
}

TEST_F(SweptCase, is_judged_by_the_same_range_of_the_timeline_file) {
    const auto result = judged();
    for (const auto& run : result.runs) {
        ASSERT_TRUE(run.timeline);
        EXPECT_EQ(run.timeline->operations, 2U);
        ASSERT_THAT(run.timeline->slowdowns, SizeIs(2));
        EXPECT_DOUBLE_EQ(run.timeline->slowdowns[1].measured, 2);
        EXPECT_DOUBLE_EQ(run.timeline->slowdowns[1].predicted, 1);
    }
    EXPECT_EQ(result.runs[1].timeline->slowdowns[0].kernel, "group=1 first");
}

TEST_F(SweptCase, says_once_what_holds_for_many_members) {
    for (auto& run : recorded_.truth.runs) {
        run.units = 7;
    }
    std::vector<std::string> of_units;
    for (const auto& warning : judged().warnings) {
        if (warning.code == "units-differ") {
            of_units.push_back(warning.text);
        }
    }
    EXPECT_THAT(of_units,
                ElementsAre(AllOf(StartsWith("group=0: 2 units were predicted where 7 were"),
                                  EndsWith("; the like holds for 1 more"))));
}

TEST_F(SweptCase, gives_the_baselines_the_same_range) {
    const auto result = judged();
    const auto& serial = result.runs[1].baselines.front();
    ASSERT_TRUE(serial);
    EXPECT_GE(*serial, 1000us);  // 300 + 700
    EXPECT_LE(*result.runs[0].baselines.front(), 300us);
}

TEST_F(SweptCase, has_no_best_configuration_among_its_members) {
    EXPECT_THAT(judged().decisions, IsEmpty());
}

TEST_F(SweptCase, gets_figures_of_its_own_in_the_report) {
    auto plain = judged();
    plain.case_name = "plain";
    for (auto& run : plain.runs) {
        run.measured.range.reset();
    }
    auto swept = judged();
    swept.case_name = "swept";
    const auto report = make_report({plain, swept});
    ASSERT_THAT(report.swept_cases, SizeIs(1));
    EXPECT_EQ(report.swept_cases.front().first, "swept");
    EXPECT_EQ(report.swept_cases.front().second.ours.errors.count, 2U);
    EXPECT_EQ(report.swept_cases.front().second.slowdowns.kernels, 4U);
    EXPECT_EQ(report.all.ours.errors.count, 4U);
}

TEST(ListedRuns, of_many_members_are_the_ten_worst) {
    CaseAccuracy one;
    one.runs.resize(12);
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
        one.runs[i].error_percent = i % 2 == 0 ? static_cast<double>(i) : -static_cast<double>(i);
    }
    EXPECT_THAT(listed_runs(one), SizeIs(12));
    one.runs[0].measured.range = "nvtx:group=0";
    EXPECT_THAT(listed_runs(one), ElementsAre(11, 10, 9, 8, 7, 6, 5, 4, 3, 2));
    one.runs.resize(3);
    EXPECT_THAT(listed_runs(one), ElementsAre(0, 1, 2));
}

TEST(ConfigurationWords, name_the_member) {
    auto run = run_of("nvtx:group=17", 1us);
    run.max_connections = 8;
    EXPECT_EQ(configuration_words(run), "distribute c8 group=17");
}

}  // namespace
}  // namespace overcast
