// docs/output-format.md and what the program writes name the same keys and columns.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

namespace overcast::test {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

/// The names between backticks in the first column of the section's table.
Names documented(const std::string& section) {
    static const auto page = read_file(OVERCAST_SOURCE_DIR "/docs/output-format.md");
    const auto begin = page.find("\n## " + section + "\n");
    EXPECT_NE(begin, std::string::npos) << section;
    std::istringstream lines{page.substr(begin + 1, page.find("\n## ", begin + 1) - begin)};
    Names names;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        const auto cell = line.substr(0, line.find(" | ", 2));
        static const std::regex quoted{"`([^`]*)`"};
        for (std::sregex_iterator match{cell.begin(), cell.end(), quoted}, end; match != end;
             ++match) {
            EXPECT_TRUE(names.insert((*match)[1]).second) << (*match)[1] << " stands there twice";
        }
    }
    return names;
}

/// Objects whose keys the data brings.
bool has_keys_of_its_own(const std::string& key) {
    static const Names keys{"overheads", "baselines", "environment", "counters",
                            "code",      "families",  "swept_cases"};
    return keys.contains(key);
}

void add_paths(const Json& json, const std::string& path, bool own_keys, Names& paths) {
    if (json.is_array()) {
        for (const auto& element : json) {
            add_paths(element, path + "[]", false, paths);
        }
    }
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) {
        const auto inner = (path.empty() ? "" : path + ".") + (own_keys ? "NAME" : key);
        paths.insert(inner);
        add_paths(value, inner, !own_keys && has_keys_of_its_own(key), paths);
    }
}

Names paths_of(const std::string& arguments) {
    const auto finished = run_overcast(arguments + " --format json");
    EXPECT_FALSE(finished.output.empty()) << finished.errors;
    const auto json = Json::parse(finished.output);
    EXPECT_EQ(json.at("schema_version"), 1);
    Names paths;
    for (const auto& object : json.contains("results") ? json.at("results") : Json::array({json})) {
        EXPECT_EQ(object.at("schema_version"), 1);
        add_paths(object, "", false, paths);
    }
    return paths;
}

Names columns_of(const std::string& arguments) {
    const auto output = run_overcast(arguments + " --format csv").output;
    std::istringstream titles{output.substr(0, output.find('\n'))};
    Names columns;
    for (std::string column; std::getline(titles, column, ',');) {
        columns.insert(column);
    }
    return columns;
}

std::string trace(const std::string& name) {
    return OVERCAST_SOURCE_DIR "/traces/h200/" + name + "/trace.json.gz";
}

/// A trace with doubts, and one with variables.
std::string traces(const TestFolder& folder) {
    return trace("balanced") + " " + trace("pipeline_connections_8") + " " +
           trace("mixed_kinds_small") + " " + folder.recording() + " " +
           OVERCAST_SOURCE_DIR "/tests/data/nvprof/vecadd_23000_1stream.csv";
}

/// What stands in several places with the same meaning stands once on the page.
Names with_figures_once(const Names& paths) {
    Names result;
    for (auto path : paths) {
        for (const std::string part : {"intervals", "timeline", "slowdowns", "baselines"}) {
            const auto prefix = "families.NAME." + part;
            if (path.starts_with(prefix)) path.erase(0, std::string{"families.NAME."}.size());
        }
        for (const std::string place : {"families.NAME.", "baselines.NAME.", "other_parameters."}) {
            if (path.starts_with(place) && path != "other_parameters.device_model") {
                path = "summary." + path.substr(place.size());
            }
        }
        result.insert(path);
    }
    return result;
}

TEST(OutputFormat, of_predict_is_documented) {
    const TestFolder folder;
    EXPECT_EQ(paths_of("predict " + traces(folder) + " --streams 1,2 --baseline serial"),
              documented("JSON of predict"));
    auto columns = columns_of("predict " + folder.recording() + " --baseline serial");
    ASSERT_EQ(columns.erase("baseline_serial_us"), 1U);
    columns.insert("baseline_NAME_us");
    EXPECT_EQ(columns, documented("CSV of predict"));
}

TEST(OutputFormat, of_show_is_documented) {
    const TestFolder folder;
    EXPECT_EQ(paths_of("show " + traces(folder)), documented("JSON of show"));
    EXPECT_EQ(columns_of("show " + folder.recording()), documented("CSV of show"));
}

TEST(OutputFormat, of_doctor_is_documented) {
    EXPECT_EQ(paths_of("doctor"), documented("JSON of doctor"));
    EXPECT_EQ(columns_of("doctor"), documented("CSV of doctor"));
}

TEST(OutputFormat, of_validate_is_documented) {
    // With the parameters of a sitting beside the case, so that the installed ones are the others.
    const TestFolder folder;
    const std::string source = OVERCAST_SOURCE_DIR;
    std::filesystem::copy(source + "/traces/h200/balanced_split", folder.file("balanced_split"),
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(source + "/model/devices/nvidia-h200.json",
                          folder.file("device-model.json"));
    const auto arguments = "validate --no-tolerances --replay " + folder.file("balanced_split") +
                           " " + source + "/traces/h200/side_by_side";
    EXPECT_EQ(with_figures_once(paths_of(arguments)), documented("JSON of validate"));
    auto columns = columns_of(arguments);
    for (const auto* name : {"serial_us", "ideal-overlap_us", "trans-kernel-model_us"}) {
        EXPECT_EQ(columns.erase(name), 1U) << name;
    }
    columns.insert("NAME_us");
    EXPECT_EQ(columns, documented("CSV of validate"));
}

TEST(OutputFormat, of_show_has_a_row_for_each_kind_kernel_stream_and_call) {
    const TestFolder folder;
    const auto csv = run_overcast("show " + folder.recording() + " --format csv").output;
    for (const auto* section : {",kind,", ",kernel,", ",stream,", ",call,"}) {
        EXPECT_THAT(csv, ::testing::HasSubstr(section));
    }
}

}  // namespace
}  // namespace overcast::test
