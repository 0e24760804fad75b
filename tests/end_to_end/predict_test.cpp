// `overcast predict` from a file to an answer.
#include "formats/format_table.hpp"
#include "tests/end_to_end/running_command.hpp"
#include "tests/support/chrome_timeline_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overcast::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json predict_json(const std::string& arguments) {
    const auto finished = run_overcast("predict " + arguments + " --format json");
    EXPECT_EQ(finished.status, 0) << finished.errors;
    return Json::parse(finished.output);
}

std::vector<std::string> keys_of(const Json& json) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    return keys;
}

TEST(Predict, needs_no_options) {
    const TestFolder folder;
    const auto finished = run_overcast("predict " + folder.recording());
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("24 operations in 8 units"));
    EXPECT_THAT(finished.output, HasSubstr("(distribute)"));
    EXPECT_THAT(finished.output, HasSubstr("nvidia-h200"));
    EXPECT_THAT(finished.output, HasSubstr("Best: "));
}

TEST(Predict, gives_json_with_the_promised_keys) {
    const TestFolder folder;
    const auto json = predict_json(folder.recording() + " --streams 1,2,4,8");
    EXPECT_THAT(keys_of(json),
                ::testing::IsSupersetOf({"schema_version", "trace", "device_model", "transform",
                                         "sync", "predictions", "best"}));
    ASSERT_EQ(json["predictions"].size(), 8U);
    const auto& first = json["predictions"][0];
    EXPECT_THAT(keys_of(first), ElementsAre("streams", "order", "units", "parts", "max_connections",
                                            "wall_us", "interval_us", "device_us", "speedup",
                                            "bound_by", "utilisation", "device_bytes", "warnings"));
    EXPECT_THAT(keys_of(first["utilisation"]), ElementsAre("h2d", "d2h", "sm", "host"));
    EXPECT_THAT(keys_of(first["interval_us"]), ElementsAre("low", "high", "level"));
    EXPECT_LT(first["interval_us"]["low"], first["wall_us"]);
    EXPECT_GT(first["interval_us"]["high"], first["wall_us"]);
    EXPECT_THAT(keys_of(json["best"]), ElementsAre("streams", "order", "wall_us"));
}

TEST(Predict, expects_eight_units_to_overlap_on_four_streams) {
    const TestFolder folder;
    const auto json = predict_json(folder.recording() + " --streams 1,4 --order depth");
    // Copies of 155 us and a kernel of 150 us per unit: 8 * 460 us in turn, at best
    // 8 * 155 + 305 us side by side, a factor of 2.4. Latencies and duplex cost some of it.
    EXPECT_NEAR(json["predictions"][0]["wall_us"].get<double>(), 8 * 460, 8 * 460 * 0.1);
    EXPECT_GT(json["predictions"][1]["speedup"].get<double>(), 1.7);
    EXPECT_LT(json["predictions"][1]["speedup"].get<double>(), 2.4);
}

TEST(Predict, gives_a_list_of_results_for_several_traces) {
    const TestFolder folder;
    const auto json = predict_json(folder.recording("a.json") + " " +
                                   folder.recording("b.json.gz") + " --streams 1");
    ASSERT_EQ(json["results"].size(), 2U);
    EXPECT_THAT(json["results"][0]["trace"].get<std::string>(), HasSubstr("a.json"));
    EXPECT_EQ(json["results"][0]["predictions"], json["results"][1]["predictions"]);
}

TEST(Predict, works_out_no_interval_where_told) {
    const TestFolder folder;
    const auto json = predict_json(folder.recording() + " --streams 4 --no-interval");
    EXPECT_TRUE(json["predictions"][0]["interval_us"].is_null());
}

TEST(Predict, gives_the_same_bytes_twice) {
    const TestFolder folder;
    const auto command = "predict " + folder.recording() + " --format json";
    EXPECT_EQ(run_overcast(command).output, run_overcast(command).output);
}

TEST(Predict, takes_rules_overheads_and_connections_into_account) {
    const TestFolder folder;
    const auto trace = folder.recording();
    const auto wall = [&](const std::string& options) {
        return predict_json(trace + " --streams 4 --order breadth " +
                            options)["predictions"][0]["wall_us"]
            .get<double>();
    };
    const auto plain = wall("");
    EXPECT_LT(wall("--without duplex"), plain);
    EXPECT_GT(wall("--overhead host2kern_ovhd=1ms"), plain);
    EXPECT_EQ(predict_json(trace + " --max-connections 2")["predictions"][0]["max_connections"], 2);
}

/// A chain of multiply-adds beside older warps that use most issue slots: it took 519.2 us.
TEST(Predict, plays_schedulers_unless_they_are_switched_off) {
    const auto wall = [](const std::string& options) {
        return predict_json(OVERCAST_SOURCE_DIR
                            "/traces/h200-pairs/co_run_pairs_a/trace.json.gz"
                            " --range nvtx:group=12 --unit nvtx:unit --streams 2 --order depth"
                            " --no-interval --device-model nvidia-h200 " +
                            options)["predictions"][0]["wall_us"]
            .get<double>();
    };
    EXPECT_NEAR(wall(""), 519.2, 10);
    EXPECT_NEAR(wall("--without schedules"), 578.8, 10);
}

TEST(Predict, draws_the_timeline_below_the_table) {
    const TestFolder folder;
    const auto arguments = "predict " + folder.recording() + " --streams 4 --order depth";
    const auto table = run_overcast(arguments);
    const auto both = run_overcast(arguments + " --text-timeline");
    EXPECT_EQ(both.status, 0) << both.errors;
    EXPECT_TRUE(both.output.starts_with(table.output));
    EXPECT_THAT(both.output, HasSubstr("timeline   distribute, 4 streams, depth order"));
    EXPECT_THAT(both.output, HasSubstr("\nstream 3   "));
    EXPECT_THAT(both.output, HasSubstr("\nhost       "));
    const auto chart = run_overcast(arguments + " --chart");
    EXPECT_TRUE(chart.output.starts_with(table.output));
    EXPECT_THAT(chart.output, HasSubstr("wall time, shorter is better"));
}

TEST(Predict, writes_timelines_of_recordings_by_the_rules_of_the_format) {
    const TestFolder folder;
    for (const std::string name : {"balanced", "gnocchi_v3", "mixed_kinds_small"}) {
        const auto file = folder.file(name + ".json");
        const auto finished =
            run_overcast("predict " OVERCAST_SOURCE_DIR "/traces/h200/" + name +
                         "/trace.json.gz --no-interval --streams 6 --timeline " + file);
        ASSERT_EQ(finished.status, 0) << finished.errors;
        const auto text = read_file(file);
        EXPECT_THAT(ChromeTimelineRules::broken_by(text), ::testing::IsEmpty()) << name;
        EXPECT_THAT(text, HasSubstr(R"("cat":"overcast_dependency","name":"copy engine")"));
    }
}

TEST(Predict, writes_a_timeline_that_reads_as_json) {
    const TestFolder folder;
    const auto file = folder.file("timeline.json");
    const auto finished =
        run_overcast("predict " + folder.recording() + " --streams 4 --timeline " + file);
    ASSERT_EQ(finished.status, 0) << finished.errors;
    const auto timeline = Json::parse(read_file(file));
    EXPECT_EQ(timeline["overcast"]["kind"], "timeline");
    EXPECT_GE(timeline["traceEvents"].size(), 24U);
    EXPECT_THAT(ChromeTimelineRules::broken_by(read_file(file)), ::testing::IsEmpty());
}

TEST(Predict, warns_where_the_device_has_no_model) {
    const TestFolder folder;
    auto trace = read_trace(folder.recording());
    ASSERT_EQ(trace.devices.front().name, "NVIDIA H200");
    const auto text = read_file(folder.recording("plain.json"));
    auto other = text;
    const std::string name = "NVIDIA H200";
    for (auto at = other.find(name); at != std::string::npos; at = other.find(name, at)) {
        other.replace(at, name.size(), "NVIDIA X100");
    }
    const auto finished = run_overcast("predict " + folder.file("other.json", other));
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("no device model for 'NVIDIA X100'"));
}

TEST(Predict, shows_other_models_beside_it) {
    const TestFolder folder;
    const auto json = predict_json(folder.recording() +
                                   " --streams 1,4 --order depth --baseline serial"
                                   " --baseline ideal-overlap --baseline trans-kernel-model");
    for (const auto& prediction : json["predictions"]) {
        EXPECT_THAT(keys_of(prediction["baselines"]),
                    ElementsAre("serial", "ideal-overlap", "trans-kernel-model"));
        // Nothing is slower than one after the other, and nothing faster than the ideal.
        EXPECT_LE(prediction["baselines"]["ideal-overlap"], prediction["wall_us"]);
    }
    const auto& one = json["predictions"][0];
    const auto& four = json["predictions"][1];
    EXPECT_EQ(one["baselines"]["serial"], four["baselines"]["serial"]);
    EXPECT_LT(four["wall_us"], four["baselines"]["serial"]);
}

TEST(Predict, reads_what_nvprof_prints) {
    const auto json = predict_json(OVERCAST_SOURCE_DIR
                                   "/tests/data/nvprof/vecadd_23000_1stream.csv --streams 1,2 "
                                   "--baseline serial --baseline trans-kernel-model");
    EXPECT_EQ(json["transform"], "replicate");
    // The table does not say how many blocks an SM of that device holds.
    EXPECT_EQ(json["predictions"][0]["baselines"].dump(),
              R"({"serial":275.425,"trans-kernel-model":null})");
    EXPECT_THAT(json["warnings"].dump(), HasSubstr("holds no host calls"));
}

}  // namespace
}  // namespace overcast::test
