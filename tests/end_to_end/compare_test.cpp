// `overcast compare`: a recording beside its replay, and two recordings.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <vector>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json compare_json(const std::string& arguments) {
    const auto finished = run_overcast("compare " + arguments + " --format json");
    EXPECT_EQ(finished.status, 0) << finished.errors;
    return Json::parse(finished.output);
}

/// The same program with its last copy left out.
std::string shorter(const TestFolder& folder) {
    auto json = Json::parse(read_file(folder.recording("whole.json")));
    auto& events = json["traceEvents"];
    const auto is_last_copy = [](const Json& event) {
        return event.contains("args") && event["args"].value("correlation", 0) == 24;
    };
    events.erase(std::remove_if(events.begin(), events.end(), is_last_copy), events.end());
    return folder.file("shorter.json", json.dump());
}

TEST(Compare, sets_a_recording_beside_its_replay) {
    const TestFolder folder;
    const auto finished = run_overcast("compare --replayed " + folder.recording());
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("24 operations and 1 wait"));
    EXPECT_THAT(finished.output, HasSubstr("makespan"));
    EXPECT_THAT(finished.output, HasSubstr("start of the call to start on the device"));
    EXPECT_THAT(finished.output, HasSubstr("cudaStreamSynchronize"));
}

TEST(Compare, a_replay_meets_a_recording_of_one_stream) {
    const TestFolder folder;
    const auto json = compare_json("--replayed " + folder.recording());
    const double recorded = json["left"]["makespan_us"];
    const double replayed = json["right"]["makespan_us"];
    EXPECT_NEAR(replayed, recorded, recorded * 0.02);
    EXPECT_LT(json["start_delay"]["median"], 0.05);
    EXPECT_LT(json["waiting_calls"]["median"], 0.05);
    EXPECT_TRUE(json["only_left"].empty());
    EXPECT_TRUE(json["only_right"].empty());
}

TEST(Compare, sets_two_recordings_side_by_side) {
    const TestFolder folder;
    const auto json = compare_json(folder.recording() + " " + shorter(folder));
    EXPECT_EQ(json["left"]["operations"], 24);
    EXPECT_EQ(json["right"]["operations"], 23);
    ASSERT_EQ(json["only_left"].size(), 1U);
    EXPECT_EQ(json["only_left"][0]["kind"], "D2H copy");
    EXPECT_TRUE(json["only_right"].empty());
}

TEST(Compare, a_recording_does_not_differ_from_itself) {
    const TestFolder folder;
    const auto trace = folder.recording();
    const auto finished = run_overcast("compare " + trace + " " + trace);
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_EQ(finished.output.find("moved most"), std::string::npos);
    EXPECT_EQ(finished.output.find("changed most"), std::string::npos);
}

TEST(Compare, writes_csv_to_a_file) {
    const TestFolder folder;
    const auto file = folder.file("compared.csv");
    const auto finished =
        run_overcast("compare --replayed " + folder.recording() + " --format csv -o " + file);
    EXPECT_EQ(finished.status, 0) << finished.errors;
    const auto text = read_file(file);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 24 + 1);
}

TEST(Compare, says_what_it_needs) {
    const TestFolder folder;
    const auto trace = folder.recording();
    for (const auto& arguments :
         {trace, trace + " " + trace + " --replayed", std::string{"--replayed"},
          trace + " " + trace + " --without duplex", trace + " --replayed --rows x"}) {
        const auto finished = run_overcast("compare " + arguments);
        EXPECT_EQ(finished.status, 2) << arguments;
        EXPECT_THAT(finished.errors, HasSubstr("see 'overcast compare --help'")) << arguments;
    }
}

TEST(Compare, replays_samples_of_other_tools) {
    for (const std::string sample :
         {"kineto/two_streams_graph.json", "kineto/whole_microseconds.json",
          "nvprof/vecadd_23000_2streams.csv"}) {
        const auto json = compare_json("--replayed " OVERCAST_SOURCE_DIR "/tests/data/" + sample);
        EXPECT_EQ(json["left"]["operations"], json["right"]["operations"]) << sample;
        EXPECT_EQ(json["left"]["streams"], 2) << sample;
        EXPECT_TRUE(json["only_left"].empty()) << sample;
        for (const auto& kind : json["kinds"]) {  // durations are as they were
            EXPECT_NEAR(kind["left_us"].get<double>(), kind["right_us"].get<double>(), 0.01)
                << sample << ' ' << kind["kind"];
        }
    }
}

/// Traces of other tools that do not belong to this repository: beside it, or where
/// OVERCAST_SAMPLE_TRACES says.
std::vector<std::string> traces_of_others() {
    namespace fs = std::filesystem;
    const char* elsewhere = std::getenv("OVERCAST_SAMPLE_TRACES");
    const fs::path folder{elsewhere != nullptr ? elsewhere : OVERCAST_SOURCE_DIR "/../shared/data"};
    std::vector<std::string> files;
    std::error_code absent;
    for (const auto& entry : fs::recursive_directory_iterator{folder, absent}) {
        if (entry.is_regular_file() && entry.path().extension() != ".md") {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(TracesOfOthers, show_predict_and_compare_work_on_each) {
    const auto files = traces_of_others();
    if (files.empty()) {
        std::cout << "no traces of other tools beside the repository (../shared/data): not run\n";
        return;
    }
    for (const auto& file : files) {
        for (const std::string command :
             {"show ", "predict --no-interval --transform as-recorded ", "compare --replayed "}) {
            const auto finished = run_overcast(command + file);
            EXPECT_EQ(finished.status, 0) << command << file << '\n' << finished.errors;
            EXPECT_FALSE(finished.output.empty());
        }
    }
}

TEST(TracesOfOthers, a_replay_is_as_near_as_the_documentation_says) {
    struct Goal {
        std::string file;
        double makespan;  ///< relative
        double starts;    ///< median, from the call to the device
        double waits;     ///< median
    };
    const auto files = traces_of_others();
    for (const auto& goal :
         {Goal{"h100_2gpu_1s.sqlite", 0.05, 0.1, 0.1}, Goal{"alexnet.json.gz", 0.05, 0.1, 0.1},
          Goal{"event_sync_multi_stream.json.gz", 0.05, 0.1, 0.1}}) {
        const auto file = std::find_if(files.begin(), files.end(),
                                       [&](const auto& each) { return each.ends_with(goal.file); });
        if (file == files.end()) {
            std::cout << goal.file << " is not beside the repository (../shared/data): not run\n";
            continue;
        }
        const auto json = compare_json("--replayed " + *file);
        const double recorded = json["left"]["makespan_us"];
        const double replayed = json["right"]["makespan_us"];
        EXPECT_NEAR(replayed, recorded, recorded * goal.makespan) << goal.file;
        EXPECT_LE(json["start_delay"]["median"], goal.starts) << goal.file;
        EXPECT_LE(json["waiting_calls"]["median"], goal.waits) << goal.file;
    }
}

}  // namespace
}  // namespace overcast::test
