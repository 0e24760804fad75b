#include "validate/truth/recorded_truth.hpp"

#include "core/error.hpp"
#include "validate/truth/recorded_truth_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace overcast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kMeasured = R"({
  "schema_version": 1, "case": "pipeline", "preset": "seed", "unit": "count:4", "device": "NVIDIA H200", "driver": "580.159.03",
  "date": "2026-11-20T14:00:00Z", "command": "overcast-cases pipeline", "bytes": 12582912,
  "runs": [
    {"transform": "distribute", "order": "breadth", "streams": 6, "units": 20, "parts": 1,
     "memory": "pinned", "max_connections": null, "wall_median_us": 10400.5,
     "wall_min_us": 10390, "wall_max_us": 10500.25, "noise_percent": 0.06, "repetitions": 30,
     "series_median_us": [10400.5, 10401], "timeline_file": null},
    {"transform": "split", "order": "depth", "streams": 2, "units": 1, "parts": 4,
     "memory": "pageable", "max_connections": 8, "wall_median_us": 5, "wall_min_us": 5,
     "wall_max_us": 5, "noise_percent": 0, "repetitions": 15,
     "series_median_us": [5], "timeline_file": "depth-2.json.gz"}
  ]
})";

/// The document above with its first `from` replaced by `to`.
std::string altered(std::string_view from, std::string_view to) {
    std::string text{kMeasured};
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
}

std::string error_of(std::string_view text) {
    try {
        parse_recorded_truth(text, "measured.json");
    } catch (const TraceFormatError& error) {
        return error.what();
    }
    return "no error";
}

TEST(RecordedTruth, reads_every_field) {
    const RecordedTruth truth = parse_recorded_truth(kMeasured, "measured.json");
    EXPECT_EQ(truth.case_name, "pipeline");
    EXPECT_EQ(truth.preset, "seed");
    EXPECT_EQ(truth.unit, "count:4");
    EXPECT_EQ(truth.device, "NVIDIA H200");
    EXPECT_EQ(truth.driver, "580.159.03");
    EXPECT_EQ(truth.date, "2026-11-20T14:00:00Z");
    EXPECT_EQ(truth.command, "overcast-cases pipeline");
    ASSERT_EQ(truth.runs.size(), 2U);

    const RecordedRun& first = truth.runs[0];
    EXPECT_EQ(first.transform, Transform::distribute);
    EXPECT_EQ(first.order, IssueOrder::breadth);
    EXPECT_EQ(first.streams, 6U);
    EXPECT_EQ(first.units, 20U);
    EXPECT_EQ(first.memory, MemoryKind::pinned);
    EXPECT_EQ(first.max_connections, std::nullopt);
    EXPECT_EQ(first.wall_median, Duration{10'400'500});
    EXPECT_EQ(first.wall_min, Duration{10'390'000});
    EXPECT_EQ(first.wall_max, Duration{10'500'250});
    EXPECT_DOUBLE_EQ(first.noise_percent, 0.06);
    EXPECT_EQ(first.repetitions, 30U);
    EXPECT_EQ(first.series_medians, (std::vector{Duration{10'400'500}, Duration{10'401'000}}));
    EXPECT_EQ(first.timeline_file, std::nullopt);

    const RecordedRun& second = truth.runs[1];
    EXPECT_EQ(second.transform, Transform::split);
    EXPECT_EQ(second.order, IssueOrder::depth);
    EXPECT_EQ(second.parts, 4U);
    EXPECT_EQ(second.memory, MemoryKind::pageable);
    EXPECT_EQ(second.max_connections, 8U);
    EXPECT_EQ(second.timeline_file, "depth-2.json.gz");
}

TEST(RecordedTruth, names_the_file_that_is_not_there) {
    EXPECT_THROW(
        {
            try {
                read_recorded_truth("no-such-folder/measured.json");
            } catch (const TraceFormatError& error) {
                EXPECT_THAT(error.what(), HasSubstr("no-such-folder/measured.json"));
                throw;
            }
        },
        TraceFormatError);
}

TEST(RecordedTruth, names_file_and_byte_of_broken_json) {
    // The object ends after 20 of its bytes; the parser notices one byte later.
    EXPECT_THAT(error_of(kMeasured.substr(0, 20)),
                AllOf(StartsWith("measured.json: byte 21:"), HasSubstr("not valid JSON")));
    EXPECT_THAT(error_of(""), HasSubstr("not valid JSON"));
    EXPECT_THAT(error_of(std::string(1'000'000, '[')), HasSubstr("not valid JSON"));
}

TEST(RecordedTruth, refuses_what_does_not_make_sense_and_says_where) {
    const std::pair<std::string, std::string> cases[]{
        {"[]", "expected an object, found array"},
        {altered("\"schema_version\": 1", "\"schema_version\": 2"), "\"schema_version\" is 2"},
        {altered("\"device\": \"NVIDIA H200\"", "\"device\": 7"), "\"device\" must be a text"},
        {altered("\"case\": \"pipeline\",", ""), "\"case\" is missing"},
        {altered("count:4", "count:none"), "\"unit\" cannot be used: --unit count:none"},
        {altered("[5]", "[]"), "runs[1]: \"series_median_us\" must be a list of at least one"},
        {altered("\"streams\": 6", "\"streams\": 0"), "runs[0]: \"streams\" is out of range"},
        {altered("\"streams\": 6", "\"streams\": -6"), "runs[0]: \"streams\" must be a whole"},
        {altered("\"streams\": 6", "\"streams\": 4294967296"), "\"streams\" is out of range"},
        {altered("\"order\": \"breadth\"", "\"order\": \"width\""),
         "\"order\" is \"width\"; known: depth, breadth, recorded"},
        {altered("10400.5", "\"10400.5\""), "\"wall_median_us\" must be a number"},
        {altered("10400.5", "1e300"), "\"wall_median_us\" is out of range"},
        {altered("10400.5", "-1"), "\"wall_median_us\" is out of range"},
        {altered("10400.5", "10389"), "does not lie between wall_min_us and wall_max_us"},
        {altered("\"max_connections\": 8", "\"max_connections\": 0"),
         "runs[1]: \"max_connections\" is out of range"},
        {altered("\"parts\": 4", "\"parts\": 4, \"range\": 17"),
         "runs[1]: \"range\" must be a text"},
        {altered("\"parts\": 4", "\"parts\": 4, \"range\": \"group=1\""),
         "runs[1]: \"range\" is \"group=1\"; expected nvtx:NAME"},
        {altered("\"parts\": 4", "\"parts\": 4, \"range\": \"nvtx:\""),
         "runs[1]: \"range\" is \"nvtx:\"; expected nvtx:NAME"},
    };
    for (const auto& [text, reason] : cases) {
        EXPECT_THAT(error_of(text), AllOf(StartsWith("measured.json: "), HasSubstr(reason)));
    }
}

TEST(RecordedTruth, is_read_back_as_it_was_written) {
    const RecordedTruth truth = parse_recorded_truth(kMeasured, "measured.json");
    const auto text = recorded_truth_json(truth);
    // One line for each of the two runs, whatever they hold.
    EXPECT_THAT(text, HasSubstr("\n    {\"transform\":\"split\",\"order\":\"depth\""));
    const RecordedTruth again = parse_recorded_truth(text, "again.json");
    EXPECT_EQ(recorded_truth_json(again), text);
    EXPECT_EQ(again.unit, truth.unit);
    EXPECT_EQ(again.runs[1].timeline_file, truth.runs[1].timeline_file);
    EXPECT_EQ(again.runs[0].wall_max, truth.runs[0].wall_max);
    EXPECT_EQ(again.runs[0].series_medians, truth.runs[0].series_medians);
}

TEST(RecordedTruth, tells_of_which_part_of_the_recording_a_run_is) {
    const auto text = altered("\"parts\": 4", "\"parts\": 4, \"range\": \"nvtx:group=17\"");
    const auto truth = parse_recorded_truth(text, "measured.json");
    EXPECT_EQ(truth.runs[0].range, std::nullopt);
    EXPECT_EQ(truth.runs[1].range, "nvtx:group=17");
    const auto written = recorded_truth_json(truth);
    EXPECT_EQ(written.find("\"range\""),
              written.rfind("\"range\""));  // where there is none: no key
    EXPECT_EQ(parse_recorded_truth(written, "again.json").runs[1].range, "nvtx:group=17");
}

TEST(RecordedTruth, refuses_a_file_without_runs) {
    EXPECT_THAT(error_of(R"({"schema_version": 1, "case": "", "preset": "h200",
                             "unit": "auto", "device": "", "driver": "", "date": "", "command": "", "runs": []})"),
                HasSubstr("\"runs\" must be a list of at least one run"));
}

}  // namespace
}  // namespace overcast
