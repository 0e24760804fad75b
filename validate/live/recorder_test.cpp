#include "validate/live/recorder.hpp"

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "formats/format_table.hpp"
#include "validate/live/kept_recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace overcast {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

const SuiteCase& pipeline() { return suite().front(); }

MeasuredSeries series_of(std::vector<Duration> walls) {
    MeasuredSeries series;
    series.device = "NVIDIA H200";
    series.units = 20;
    series.walls = std::move(walls);
    return series;
}

TEST(CombineSeries, takes_the_median_of_all_and_the_noise_between_the_medians) {
    SuiteRun run;
    run.order = IssueOrder::breadth;
    run.streams = 4;
    // Medians 100 and 104; all: 98 100 101 103 104 110, median 102.
    const auto result = combine_series(pipeline(), run,
                                       {series_of({Duration{98}, Duration{100}, Duration{101}}),
                                        series_of({Duration{110}, Duration{103}, Duration{104}})});
    EXPECT_EQ(result.wall_median, Duration{102});
    EXPECT_EQ(result.wall_min, Duration{98});
    EXPECT_EQ(result.wall_max, Duration{110});
    EXPECT_DOUBLE_EQ(result.noise_percent, 4.0 / 102 * 100);
    EXPECT_EQ(result.repetitions, 6U);
    EXPECT_EQ(result.series_medians, (std::vector{Duration{100}, Duration{104}}));
    EXPECT_EQ(result.order, IssueOrder::breadth);
    EXPECT_EQ(result.units, 20U);
}

TEST(ParseSeries, reads_what_overcast_cases_prints) {
    const auto answers = parse_series(
        pipeline(),
        R"({"device": "NVIDIA H200", "units": 20, "parts": 4, "streams": 4, "walls_us": [1.5, 2]})"
        "\n");
    ASSERT_EQ(answers.size(), 1U);
    const auto& series = answers.front();
    EXPECT_EQ(series.device, "NVIDIA H200");
    EXPECT_EQ(series.parts, 4U);
    EXPECT_EQ(series.walls, (std::vector{Duration{1500}, Duration{2000}}));
    EXPECT_EQ(series.range, std::nullopt);
    EXPECT_THROW(parse_series(pipeline(), "segmentation fault"), Error);
    EXPECT_THROW(
        parse_series(pipeline(), R"({"device": "", "units": 1, "parts": 1, "walls_us": []})"),
        Error);
    EXPECT_THROW(parse_series(pipeline(), ""), Error);
}

/// What overcast-cases prints for one member.
std::string answer_of(std::string_view member) {
    return R"({"device":"NVIDIA H200","streams":3,"units":3,"parts":1,"walls_us":[5],"range":")" +
           std::string{member} + "\"}\n";
}

TEST(ParseSeries, reads_a_line_for_each_member_in_their_order) {
    const auto one = SuiteCase{}.swept("group", 4, 5);
    const auto answers = parse_series(one, answer_of("group=4") + answer_of("group=5"));
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1].range, "group=5");
    EXPECT_EQ(answers[1].streams, 3U);
    EXPECT_THROW(parse_series(one, answer_of("group=4")), Error);
    EXPECT_THROW(parse_series(one, answer_of("group=5") + answer_of("group=4")), Error);
    EXPECT_THROW(parse_series(pipeline(), answer_of("group=4")), Error);
}

TEST(ChosenCases, lists_the_known_ones_where_a_name_is_wrong) {
    EXPECT_EQ(chosen_cases({}).size(), suite().size() - 4);
    EXPECT_EQ(chosen_cases({"co_run_pairs_a", "co_run_pairs_b"}).size(), 2U) << "only if named";
    EXPECT_EQ(chosen_cases({"pipeline"}).size(), 1U);
    try {
        chosen_cases({"pipelin"});
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("known: pipeline, "));
    }
}

/// Two scripts that stand for overcast and overcast-cases: they note how they were called.
class RecordSuite : public ::testing::Test {
protected:
    void SetUp() override {
        programs_ = {folder_ / "overcast", folder_ / "overcast-cases"};
        const auto log = (folder_ / "log").string();
        // overcast trace --range profiler-api -o FILE --record full -- PROGRAM …
        script(programs_.overcast, "echo trace \"$@\" >> " + log +
                                       "\ncp " OVERCAST_SOURCE_DIR
                                       "/traces/h200/tiny/trace.json.gz \"$5\"\n");
        script(programs_.cases,
               "echo run \"$@\" c=$CUDA_DEVICE_MAX_CONNECTIONS >> " + log + "\n" + answer_);
    }

    static void script(const fs::path& file, const std::string& body) {
        std::ofstream{file} << "#!/bin/sh\n" << body;
        fs::permissions(file, fs::perms::owner_all);
    }
    static RecordOptions few_runs_of(const std::string& name) {
        RecordOptions options;
        options.cases = {name};
        options.streams = {1};
        options.repetitions = 3;
        return options;
    }
    [[nodiscard]] std::string log() const {
        std::ifstream stream{folder_ / "log"};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }
    std::vector<fs::path> record(const RecordOptions& options) {
        return record_suite(
            options, programs_, folder_ / "out",
            [&](std::size_t done, std::size_t steps, const std::string&) {
                EXPECT_LT(done, steps);
                if (++steps_seen_ == stop_after_) {
                    stop_ = true;
                }
            },
            [&](const std::string& text) { complaints_ += text; }, stop_);
    }

    std::string answer_ =
        R"(echo '{"device":"NVIDIA H200","units":20,"parts":1,"walls_us":[10,11,12]}')";
    TemporaryFolder temporary_;
    fs::path folder_ = temporary_.path();
    Programs programs_;
    std::string complaints_;
    std::atomic<bool> stop_{false};
    std::size_t steps_seen_ = 0;
    std::size_t stop_after_ = 0;
};

TEST_F(RecordSuite, leaves_trace_truth_and_timelines_of_each_case) {
    RecordOptions options;
    options.cases = {"pipeline_connections_1"};
    options.streams = {1, 8};
    options.repetitions = 3;
    const auto recorded = record(options);
    ASSERT_EQ(recorded.size(), 1U) << complaints_;
    EXPECT_TRUE(fs::exists(recorded[0] / "trace.json.gz"));
    EXPECT_TRUE(fs::exists(recorded[0] / "timelines/distribute-breadth-8.json.gz"));
    const auto truth = read_recorded_truth(recorded[0] / "measured.json");
    ASSERT_EQ(truth.runs.size(), 4U);  // two orders of 1 and 8 streams
    EXPECT_EQ(truth.runs[0].wall_median, Duration{11'000});
    EXPECT_EQ(truth.runs[0].repetitions, 6U);  // two series of three
    EXPECT_EQ(truth.runs[0].max_connections, 1U);
    EXPECT_FALSE(truth.runs[0].timeline_file);
    EXPECT_EQ(truth.runs[1].timeline_file, "timelines/distribute-depth-8.json.gz");
    EXPECT_THAT(log(), HasSubstr("run pipeline --preset h200 --transform distribute --order "
                                 "breadth --streams 8 --memory pinned --repetitions 3 --json c=1"));
    EXPECT_THAT(log(), HasSubstr("-- overcast-cases pipeline --preset h200"));
    EXPECT_EQ(steps_seen_, 3U + 2 * 4 + 2 * 5);  // recordings, series of runs, timelines
}

TEST_F(RecordSuite, does_not_keep_the_recording_whose_copies_were_slow) {
    // One recording issues in less time than the others, but works ten times as long on the device.
    const fs::path recorded{OVERCAST_SOURCE_DIR "/traces/h200"};
    const auto slow = (recorded / "pipeline/trace.json.gz").string();
    const auto fast = (recorded / "tiny/trace.json.gz").string();
    ASSERT_LT(time_in_issuing_calls(read_trace(slow)), time_in_issuing_calls(read_trace(fast)));
    ASSERT_GT(time_at_work(read_trace(slow)), time_at_work(read_trace(fast)));
    script(programs_.overcast, "case $5 in *trace-1.json.gz) from=" + slow + ";; *) from=" + fast +
                                   ";; esac\ncp $from \"$5\"\n");
    const auto kept = record(few_runs_of("pipeline_connections_1"));
    ASSERT_EQ(kept.size(), 1U) << complaints_;
    EXPECT_EQ(time_at_work(read_trace(kept[0] / "trace.json.gz")), time_at_work(read_trace(fast)));
}

TEST_F(RecordSuite, keeps_the_recording_at_the_first_quartile_of_the_time_at_work) {
    // Twelve recordings: of the fastest program three, of the next three, of the slowest six.
    const fs::path recorded{OVERCAST_SOURCE_DIR "/traces/h200"};
    std::map<Duration, std::string> by_time;
    for (const auto* name : {"chatty_286", "chatty_78", "tiny"}) {
        const auto file = recorded / name / "trace.json.gz";
        by_time[time_at_work(read_trace(file))] = file;
    }
    const auto fastest = by_time.begin()->second;
    const auto next = std::next(by_time.begin())->second;
    const auto slowest = by_time.rbegin()->second;
    script(programs_.overcast, "case $5 in *-[024].json.gz) from=" + fastest +
                                   ";; *-[135].json.gz) from=" + next + ";; *) from=" + slowest +
                                   ";; esac\ncp $from \"$5\"\n");
    const auto kept = record(few_runs_of("tiny"));
    ASSERT_EQ(kept.size(), 1U) << complaints_;
    EXPECT_EQ(time_at_work(read_trace(kept[0] / "trace.json.gz")),
              std::next(by_time.begin())->first);
}

TEST_F(RecordSuite, keeps_the_most_typical_of_five_timelines) {
    const std::string recorded{OVERCAST_SOURCE_DIR "/traces/"};
    const auto file = std::string{"/chain/timelines/distribute-depth-8.json.gz"};
    auto rare = recorded + "h200" + file;
    auto usual = recorded + "h200-busy" + file;
    if (time_in_issuing_calls(read_trace(usual)) < time_in_issuing_calls(read_trace(rare))) {
        std::swap(usual, rare);  // by its calls alone the rare one would be kept
    }
    script(programs_.overcast, "case $5 in *timelines/*-[04].json.gz) from=" + rare +
                                   ";; *) from=" + usual + ";; esac\ncp $from \"$5\"\n");
    RecordOptions options;
    options.cases = {"pipeline_connections_1"};
    options.streams = {8};
    options.repetitions = 3;
    const auto kept = record(options);
    ASSERT_EQ(kept.size(), 1U) << complaints_;
    const auto timelines = kept[0] / "timelines";
    EXPECT_EQ(time_in_issuing_calls(read_trace(timelines / "distribute-depth-8.json.gz")),
              time_in_issuing_calls(read_trace(usual)));
    EXPECT_EQ(std::distance(fs::directory_iterator{timelines}, fs::directory_iterator{}), 2);
}

TEST_F(RecordSuite, measures_a_run_again_whose_series_disagree) {
    // The second process is twice as slow as all others.
    const auto calls = (folder_ / "calls").string();
    script(programs_.cases,
           "echo >> " + calls + "\nif [ $(wc -l < " + calls +
               ") = 2 ]; then walls=20,21,22; else walls=10,11,12; fi\necho "
               "'{\"device\":\"NVIDIA H200\",\"units\":20,\"parts\":1,\"walls_us\":['"
               "$walls']}'\n");
    const auto recorded = record(few_runs_of("pipeline_connections_1"));
    ASSERT_EQ(recorded.size(), 1U) << complaints_;
    const auto truth = read_recorded_truth(recorded[0] / "measured.json");
    ASSERT_EQ(truth.runs.size(), 2U);  // two orders; both have a first series before any a second
    EXPECT_EQ(truth.runs[0].series_medians, (std::vector<Duration>{11us, 11us}));
    EXPECT_EQ(truth.runs[1].series_medians, (std::vector<Duration>{21us, 11us, 11us, 11us}));
    EXPECT_LT(truth.runs[1].wall_median, 13us);
    EXPECT_EQ(truth.runs[1].repetitions, 12U);
}

TEST_F(RecordSuite, records_and_measures_all_members_of_a_case_at_once) {
    script(
        programs_.cases,
        "echo run \"$@\" >> " + (folder_ / "log").string() +
            "\nfor i in $(seq 0 159); do echo '{\"device\":\"NVIDIA H200\",\"units\":'$((2 + i % "
            "7))',\"parts\":1,\"streams\":'$((2 + i % "
            "7))',\"range\":\"group='$i'\",\"walls_us\":[1'$i'"
            "]}'; done");
    RecordOptions options;
    options.cases = {"co_run_b"};
    options.streams = {1, 8};  // of other cases
    options.repetitions = 3;
    const auto recorded = record(options);
    ASSERT_EQ(recorded.size(), 1U) << complaints_;
    const auto truth = read_recorded_truth(recorded[0] / "measured.json");
    ASSERT_EQ(truth.runs.size(), 160U);
    EXPECT_EQ(truth.unit, "nvtx:unit");
    EXPECT_EQ(truth.runs[17].range, "nvtx:group=17");
    EXPECT_EQ(truth.runs[17].streams, 5U);
    EXPECT_EQ(truth.runs[17].units, 5U);
    EXPECT_EQ(truth.runs[17].wall_median, Duration{117'000});
    EXPECT_EQ(truth.runs[17].series_medians.size(), 2U);
    EXPECT_EQ(truth.runs[17].timeline_file, "timelines/distribute-depth-each.json.gz");
    EXPECT_TRUE(fs::exists(recorded[0] / "timelines/distribute-depth-each.json.gz"));
    EXPECT_THAT(log(), HasSubstr("run co_run_b --preset h200 --transform distribute --order depth "
                                 "--streams each --memory pinned --sweep group=0..159 "
                                 "--repetitions 3 --json"));
    EXPECT_THAT(log(), HasSubstr("--streams 1 --memory pinned --sweep group=0..159 "
                                 "--profile-one-pass --mark-units\n"));
    EXPECT_THAT(log(), HasSubstr("--streams each --memory pinned --sweep group=0..159 "
                                 "--profile-one-pass\n"));
    EXPECT_EQ(steps_seen_, 3U + 2 + 1);  // recordings, one process per series, one timeline
}

TEST_F(RecordSuite, keeps_the_finished_runs_when_it_is_stopped) {
    RecordOptions options;
    options.cases = {"pipeline_connections_1", "pipeline_pageable"};
    options.streams = {1, 8};
    stop_after_ = 3 + 4 + 2;  // in the second series, before its second run
    const auto recorded = record(options);
    ASSERT_EQ(recorded.size(), 1U);
    EXPECT_EQ(read_recorded_truth(recorded[0] / "measured.json").runs.size(), 1U);
    EXPECT_FALSE(fs::exists(folder_ / "out/pipeline_pageable"));
}

TEST_F(RecordSuite, says_what_failed_and_goes_on) {
    script(programs_.cases, "case $1 in pipeline) echo no such GPU >&2; exit 1;; esac\n" + answer_);
    RecordOptions options;
    options.cases = {"pipeline", "tiny"};
    options.streams = {2};
    const auto recorded = record(options);
    ASSERT_EQ(recorded.size(), 1U) << complaints_;
    EXPECT_EQ(recorded[0].filename(), "tiny");
    EXPECT_THAT(complaints_, HasSubstr("pipeline: status 1 of: overcast-cases pipeline"));
    EXPECT_THAT(complaints_, HasSubstr("no such GPU"));
}

}  // namespace
}  // namespace overcast
