// `overcast advise` from a file to an answer.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string recording(const std::string& name) {
    return (std::filesystem::path{OVERCAST_SOURCE_DIR} / "traces/h200" / name / "trace.json.gz")
        .string();
}

Json advise_json(const std::string& arguments) {
    const auto finished = run_overcast("advise " + arguments + " --format json");
    EXPECT_EQ(finished.status, 0) << finished.errors;
    return Json::parse(finished.output);
}

TEST(Advise, needs_no_options) {
    const auto finished = run_overcast("advise " + recording("pipeline_pageable"));
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("as recorded; "));
    EXPECT_THAT(finished.output, HasSubstr("Pageable host memory"));
    EXPECT_THAT(finished.output, HasSubstr("cudaMallocHost"));
    EXPECT_THAT(finished.output, HasSubstr("Its critical path"));
}

TEST(Advise, lists_the_causes_that_it_looks_for) {
    const auto finished = run_overcast("advise --list");
    EXPECT_EQ(finished.status, 0) << finished.errors;
    for (const auto* id : {"pageable-memory", "unit-waits", "max-connections", "carve-out"}) {
        EXPECT_THAT(finished.output, HasSubstr(id));
    }
}

TEST(Advise, takes_the_what_ifs_of_predict) {
    const auto plain = advise_json(recording("pipeline_pageable") + " --no-interval");
    const auto pinned = advise_json(recording("pipeline_pageable") + " --no-interval --pinned");
    EXPECT_EQ(plain["diagnoses"][0]["id"], "pageable-memory");
    for (const auto& diagnosis : pinned["diagnoses"]) {
        EXPECT_NE(diagnosis["id"], "pageable-memory");
    }
    // What was advised is there already: one figure, from two sides.
    const auto saved = plain["diagnoses"][0]["alone"]["saving_us"].get<double>();
    EXPECT_NEAR(plain["wall_us"].get<double>() - saved, pinned["wall_us"].get<double>(), 1.0);
}

TEST(Advise, searches_the_streams_that_it_is_given) {
    const auto json = advise_json(recording("balanced") + " --no-interval --streams 2 --no-cut");
    EXPECT_EQ(json["schedules"]["cheapest"]["streams"], 2);
    EXPECT_TRUE(json["schedules"]["cut"].is_null());
}

TEST(Advise, counts_savings_beyond_those_of_changes_that_are_made) {
    const auto program = recording("pipeline_pageable") + " --no-interval --no-cut";
    const auto plain = advise_json(program);
    const auto made = advise_json(program + " --made pageable-memory");
    const auto saved = plain["diagnoses"][0]["alone"]["saving_us"].get<double>();
    ASSERT_EQ(plain["diagnoses"][0]["id"], "pageable-memory");
    EXPECT_NEAR(made["wall_us"].get<double>(), plain["wall_us"].get<double>() - saved, 0.01);
    for (const auto& diagnosis : made["diagnoses"]) {
        EXPECT_NE(diagnosis["id"], "pageable-memory");
    }
}

TEST(Advise, refuses_to_make_a_change_that_this_program_does_not_need) {
    const auto finished =
        run_overcast("advise " + recording("pipeline") + " --made pageable-memory");
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("no such cause"));
}

TEST(Advise, gives_csv_for_several_traces) {
    const auto finished = run_overcast("advise --format csv --no-interval " +
                                       recording("pipeline") + " " + recording("balanced"));
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("pipeline/trace.json.gz,one-stream,saves"));
    EXPECT_THAT(finished.output, HasSubstr("balanced/trace.json.gz,one-stream,saves"));
}

TEST(Advise, refuses_a_rate_without_its_unit) {
    const auto finished = run_overcast("advise " + recording("pipeline") + " --h2d-bandwidth 25");
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("a rate with its unit"));
}

TEST(Advise, refuses_to_scale_a_kernel_that_is_not_there) {
    const auto finished =
        run_overcast("advise " + recording("pipeline") + " --kernel-scale nothing=2");
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("no kernel"));
}

TEST(Predict, pinned_memory_is_as_fast_as_the_recording_with_pinned_memory) {
    const auto wall = [](const std::string& arguments) {
        const auto finished = run_overcast("predict --format json --no-interval --streams 1 " +
                                           arguments + " --order depth");
        EXPECT_EQ(finished.status, 0) << finished.errors;
        return Json::parse(finished.output)["predictions"][0]["wall_us"].get<double>();
    };
    const auto pinned = wall(recording("pipeline"));
    EXPECT_NEAR(wall(recording("pipeline_pageable") + " --pinned"), pinned, 0.02 * pinned);
}

}  // namespace
}  // namespace overcast::test
