#include "report/advice_csv.hpp"
#include "report/advice_json.hpp"
#include "report/advice_table.hpp"
#include "report/advice_words.hpp"
#include "report/terminal_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

Diagnosis sample_diagnosis() {
    Diagnosis diagnosis;
    diagnosis.id = "pageable-memory";
    diagnosis.title = "Pageable host memory";
    diagnosis.evidence = "60 copies of 720 MiB use pageable memory, and hold the host for 90 ms";
    diagnosis.places = {{3, "cudaMemcpyAsync", "H2D 12 MiB, stream 13", TimelineTime{1500us}}};
    diagnosis.occurrences = 60;
    diagnosis.advised = true;
    diagnosis.alone = {12ms, 11ms, 13'500us};
    diagnosis.with_the_rest = {10ms, {}, {}};
    diagnosis.change = "cudaMallocHost(&host, bytes);\ncudaHostRegister(host, bytes, 0);";
    diagnosis.link = "https://docs.nvidia.com/cuda/";
    return diagnosis;
}

Schedule sample_schedule(std::uint32_t streams, Duration wall) {
    Schedule schedule;
    schedule.configuration.streams = streams;
    schedule.max_connections = 8;
    schedule.wall = wall;
    schedule.bound_by = Bound::h2d;
    return schedule;
}

Advice sample_advice() {
    Advice advice;
    advice.trace = "traces/pipeline.json.gz";
    advice.device = "NVIDIA H200";
    advice.device_model = "nvidia-h200";
    advice.operations = 80;
    advice.units = 20;
    advice.streams = 1;
    advice.wall = 30ms;
    advice.wall_without_causes = 15ms;
    auto idle = sample_diagnosis();
    idle.id = "busy-engine";
    idle.title = "One engine is busy all the time already";
    idle.verdict = Verdict::nothing_to_gain;
    idle.reason = "overlap can save at most the other 6 %";
    advice.diagnoses = {sample_diagnosis(), idle};
    advice.best = sample_schedule(16, 14'900us);
    advice.cheapest = sample_schedule(4, 15ms);
    advice.schedules_played = 35;
    advice.path.wall = 15ms;
    advice.path.operations = 41;
    advice.path.shares = {{"H2D 12 MiB", 40, 14ms}, {"gaps and latencies", 41, 1ms}};
    advice.path.links = {{"H2D 12 MiB", 1, "", "host", 0, TimelineTime{2us}, TimelineTime{300us}},
                         {"H2D 12 MiB", 39, "H2D 12 MiB", "copy engine", 1, TimelineTime{300us},
                          TimelineTime{14ms}}};
    return advice;
}

TEST(AdviceTable, begins_with_the_answer) {
    const auto text = advice_table(sample_advice(), {});
    EXPECT_THAT(text,
                HasSubstr("30.00 ms as recorded; 15.00 ms (2.00x) with the change below, on 4 "
                          "streams."));
    EXPECT_LT(text.find("as recorded;"), text.find("What to change"));
}

TEST(AdviceTable, shows_savings_places_changes_and_links) {
    const auto text = advice_table(sample_advice(), {});
    EXPECT_THAT(text, HasSubstr("1  12.00 ms  10.00 ms  Pageable host memory"));
    EXPECT_THAT(text, HasSubstr("saves 12.00 ms (11.00 ms to 13.50 ms) alone, 10.00 ms with the"));
    EXPECT_THAT(text, HasSubstr("cudaMemcpyAsync at 1.500 ms (H2D 12 MiB, stream 13); 59 more"));
    EXPECT_THAT(text, HasSubstr("   do    cudaMallocHost(&host, bytes);\n"
                                "         cudaHostRegister(host, bytes, 0);\n"));
    EXPECT_THAT(text, HasSubstr("https://docs.nvidia.com/cuda/"));
    EXPECT_THAT(text, HasSubstr("* One engine is busy all the time already:"));
    EXPECT_THAT(text, HasSubstr("Nothing to gain: overlap can save at most"));
}

TEST(AdviceTable, shows_the_schedules_and_the_critical_path) {
    const auto text = advice_table(sample_advice(), {});
    EXPECT_THAT(text, HasSubstr("best      16 streams, depth"));
    EXPECT_THAT(text, HasSubstr("simplest  4 streams, depth"));
    EXPECT_THAT(text, HasSubstr("15.00 ms, through 41 operations"));
    EXPECT_THAT(text, HasSubstr("93 %"));
    EXPECT_THAT(text, HasSubstr("then   39 x H2D 12 MiB, behind H2D 12 MiB (copy engine)"));
}

TEST(AdviceTable, fits_eighty_columns) {
    const auto text = advice_table(sample_advice(), {});
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = text.find('\n', begin);
        const auto line = text.substr(begin, end - begin);
        EXPECT_LE(display_width(line), kReportWidth) << line;
        begin = end + 1;
    }
}

TEST(AdviceTable, says_so_where_nothing_would_help) {
    auto advice = sample_advice();
    advice.diagnoses.clear();
    EXPECT_THAT(advice_table(advice, {}), HasSubstr("nothing that was found would save time"));
}

TEST(AdviceTable, does_not_count_what_it_does_not_advise) {
    auto advice = sample_advice();
    advice.diagnoses.front().advised = false;
    EXPECT_THAT(headline(advice, {}), HasSubstr("nothing that was found"));
    EXPECT_THAT(saving_in_words(advice.diagnoses.front(), {}), HasSubstr("not counted"));
}

TEST(AdviceTable, keeps_control_characters_of_a_recording_off_the_terminal) {
    auto advice = sample_advice();
    advice.trace = "run\x1b[31m.json";
    advice.diagnoses.front().evidence = "kernel \x1b]0;title";
    EXPECT_THAT(advice_table(advice, {}), Not(HasSubstr("\x1b")));
}

TEST(AdviceJson, holds_everything_in_microseconds) {
    const auto json = Json::parse(advice_json({sample_advice()}));
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["wall_us"], 30'000.0);
    const auto& first = json["diagnoses"][0];
    EXPECT_EQ(first["id"], "pageable-memory");
    EXPECT_EQ(first["verdict"], "saves");
    EXPECT_EQ(first["alone"]["saving_us"], 12'000.0);
    EXPECT_EQ(first["alone"]["interval_us"]["high"], 13'500.0);
    EXPECT_TRUE(first["with_the_rest"]["interval_us"].is_null());
    EXPECT_EQ(first["places"][0]["at_us"], 1500.0);
    EXPECT_EQ(json["schedules"]["cheapest"]["streams"], 4);
    EXPECT_TRUE(json["schedules"]["cut"].is_null());
    EXPECT_EQ(json["critical_path"]["links"][1]["count"], 39);
}

TEST(AdviceJson, is_an_array_for_several_traces) {
    EXPECT_EQ(Json::parse(advice_json({sample_advice(), sample_advice()})).size(), 2U);
}

TEST(AdviceCsv, has_a_row_for_each_diagnosis) {
    EXPECT_EQ(
        advice_csv({sample_advice()}),
        "trace,diagnosis,verdict,advised,occurrences,recorded_us,alone_us,alone_low_us,"
        "alone_high_us,with_the_rest_us,with_the_rest_low_us,with_the_rest_high_us,evidence,"
        "reason\n"
        "traces/pipeline.json.gz,pageable-memory,saves,yes,60,30000.000,12000.000,11000.000,"
        "13500.000,10000.000,,,\"60 copies of 720 MiB use pageable memory, and hold the host "
        "for 90 ms\",\n"
        "traces/pipeline.json.gz,busy-engine,nothing-to-gain,yes,60,30000.000,12000.000,"
        "11000.000,13500.000,10000.000,,,\"60 copies of 720 MiB use pageable memory, and hold "
        "the host for 90 ms\",overlap can save at most the other 6 %\n");
}

TEST(DiagnosisList, is_two_columns) {
    const auto text = diagnosis_list(
        {{"one-stream", "All work is on one stream",
          "repeated units that never overlap because they share a stream, which is a long line"}},
        {});
    EXPECT_EQ(text,
              "one-stream             repeated units that never overlap because they share a\n"
              "                       stream, which is a long line\n");
}

}  // namespace
}  // namespace overcast
