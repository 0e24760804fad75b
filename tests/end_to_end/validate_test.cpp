// The published accuracy: what `overcast validate --replay traces/h200` says on any machine.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSource = OVERCAST_SOURCE_DIR;
const std::string kRecorded = kSource + "/traces/h200";

[[maybe_unused]] std::string replaced(std::string text, const std::string& from,
                                      const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

TEST(Validate, says_which_tolerance_is_exceeded_and_fails_with_3) {
    const TestFolder folder;
    const auto strict =
        folder.file("strict.json", R"({"cases": {"tiny": {"mape_percent": 0.01}}, "summary": {}})");
    const auto finished =
        run_overcast("validate --case tiny --replay " + kRecorded + " --tolerances " + strict);
    EXPECT_EQ(finished.status, 3);
    EXPECT_THAT(finished.errors, StartsWith("error: tiny: mean error "));
    EXPECT_EQ(run_overcast("validate --no-tolerances --case tiny --replay " + kRecorded +
                           " --tolerances " + strict)
                  .status,
              0);
}

// Other recordings are of another machine: nothing is known of how far off they may be.
TEST(Validate, judges_by_the_tolerances_beside_the_cases_alone) {
    const TestFolder folder;
    const auto moved = folder.file("tiny");
    std::filesystem::copy(kRecorded + "/tiny", moved, std::filesystem::copy_options::recursive);
    const auto replay = "validate --summary --replay " + moved;
    EXPECT_EQ(run_overcast(replay).status, 0);
    std::ofstream{folder.file("tolerances.json")}
        << R"({"cases": {"tiny": {"mape_percent": 0.01}}, "summary": {}})";
    EXPECT_EQ(run_overcast(replay).status, 3);
}

// Without a GPU, too: nothing is measured first.
TEST(Validate, refuses_a_wrong_name_before_it_measures) {
    EXPECT_THAT(run_overcast("validate --without engine-dran").errors,
                HasSubstr("unknown rule 'engine-dran'; the rules are: channel-ownership,"));
    EXPECT_THAT(run_overcast("validate --device-model nvidia-h2000").errors,
                HasSubstr("nvidia-h2000"));
    EXPECT_THAT(run_overcast("validate --tolerances no-such-file.json").errors,
                HasSubstr("no-such-file.json"));
    EXPECT_THAT(run_overcast("validate --unit count:none").errors, HasSubstr("count:none"));
}

TEST(Validate, says_once_why_cases_cannot_be_read) {
    const TestFolder folder;
    for (const std::string name : {"tiny", "tiny_inline"}) {
        std::filesystem::copy(kRecorded + "/" + name, folder.file(name),
                              std::filesystem::copy_options::recursive);
    }
    const auto model = folder.file("device-model.json");
    std::ofstream{model} << "{";
    const auto replay =
        "validate --summary --replay " + std::filesystem::path{model}.parent_path().string();
    const auto none = run_overcast(replay);
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.output, "");
    EXPECT_THAT(none.errors, StartsWith("error: " + model));
    EXPECT_EQ(none.errors.find(model), none.errors.rfind(model));
    EXPECT_THAT(none.errors, HasSubstr("error: none of the 2 cases could be read\n"));
    std::filesystem::remove(model);
    std::ofstream{folder.file("tiny") + "/measured.json"} << "{";
    const auto one = run_overcast(replay);
    EXPECT_EQ(one.status, 1);
    EXPECT_THAT(one.output, HasSubstr("host-bound"));
}

#ifdef __SANITIZE_ADDRESS__
// The whole suite takes minutes here; what is said of it is judged where no sanitizer slows it.
TEST(Validate, writes_a_report) {
    const TestFolder folder;
    const auto finished = run_overcast(
        "validate --no-tolerances --case balanced --case side_by_side --format markdown --replay " +
        kRecorded + " --plot " + folder.file("errors.svg"));
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("\n### side_by_side\n"));
    EXPECT_THAT(read_file(folder.file("errors.svg")), HasSubstr("</svg>"));
}
#else
/// The whole suite, judged once.
const Finished& full_run() {
    static const auto finished = run_overcast("validate --format json --replay " + kRecorded);
    return finished;
}

const nlohmann::json& full_report() {
    static const auto report = nlohmann::json::parse(full_run().output);
    return report;
}

TEST(Validate, holds_the_tolerances_on_the_bundled_recordings) {
    EXPECT_EQ(full_run().status, 0);
    EXPECT_EQ(full_run().errors, "");
}

TEST(Validate, judges_enough_cases_of_every_family) {
    std::map<std::string, std::set<std::string>> cases;
    std::map<std::string, int> runs;
    for (const auto& run : full_report().at("cases")) {
        cases[run.at("family")].insert(run.at("case").get<std::string>());
        runs[run.at("family")] += run.at("streams").get<int>() > 1 ? 1 : 0;
    }
    ASSERT_EQ(cases.size(), 7U);
    for (const auto& [family, names] : cases) {
        EXPECT_GE(names.size(), 3U) << family;
        EXPECT_GE(runs[family], 20) << family;
    }
    EXPECT_GE(full_report().at("summary").at("count"), 250);
}

TEST(Validate, gives_for_each_run_what_was_promised) {
    const auto& run = full_report().at("cases").at(1);
    for (const auto* key :
         {"case", "family", "preset", "transform", "order", "streams", "units", "parts",
          "max_connections", "memory", "measured_us", "noise_percent", "predicted_us",
          "error_percent", "interval_us", "timeline", "baselines"}) {
        EXPECT_TRUE(run.contains(key)) << key;
    }
    for (const auto* name : {"serial", "ideal-overlap", "trans-kernel-model"}) {
        EXPECT_TRUE(run.at("baselines").contains(name)) << name;
        EXPECT_TRUE(full_report().at("baselines").contains(name)) << name;
    }
    EXPECT_LT(run.at("interval_us").at("low"), run.at("predicted_us"));
    EXPECT_GT(run.at("interval_us").at("high"), run.at("predicted_us"));
    for (const auto* key : {"count", "coverage_percent", "coverage_within_noise_percent",
                            "mean_width_percent", "median_width_percent"}) {
        EXPECT_TRUE(full_report().at("intervals").contains(key)) << key;
    }
    const double measured = run.at("measured_us");
    const double predicted = run.at("predicted_us");
    EXPECT_NEAR(run.at("error_percent"), (predicted - measured) / measured * 100, 0.001);
    for (const auto* key :
         {"count", "mape_percent", "case_mape_percent", "family_mape_percent", "median_percent",
          "p90_percent", "p95_percent", "max_percent", "bias_percent", "regret_percent"}) {
        EXPECT_TRUE(full_report().at("summary").contains(key)) << key;
    }
}

TEST(Validate, is_nearer_than_serial_in_every_family_and_than_all_baselines_in_the_median) {
    for (const auto& [family, figures] : full_report().at("families").items()) {
        const auto& own = figures.at("mape_percent");
        const auto& serial = figures.at("baselines").at("serial").at("mape_percent");
        EXPECT_LT(own, serial) << family;
    }
    const auto& all = full_report();
    for (const auto& [name, figures] : all.at("baselines").items()) {
        EXPECT_LT(all.at("summary").at("median_percent"), figures.at("median_percent")) << name;
    }
}

TEST(Validate, predicts_another_machine_with_the_installed_model_as_well_as_with_its_own) {
    const auto finished = run_overcast("validate --no-tolerances --format json --replay " +
                                       kSource + "/traces/h200-busy");
    ASSERT_EQ(finished.status, 0) << finished.errors;
    const auto report = nlohmann::json::parse(finished.output);
    EXPECT_EQ(report.at("summary").at("count"), 433);
    // 2.3 and 2.2 % when it was recorded; the noise of its truth is 0.8 % in the median, p95 16 %.
    EXPECT_LT(report.at("summary").at("mape_percent"), 2.8);
    EXPECT_LT(report.at("other_parameters").at("mape_percent"), 2.8);
}

TEST(Validate, published_the_report_that_it_writes_today) {
    // After a change that is meant, write it anew with the command that stands in its head.
    const TestFolder folder;
    const auto finished =
        run_overcast("validate --format markdown --replay " + kRecorded + " --plot " +
                     folder.file("validation-errors.svg") + " -o " + folder.file("validation.md"));
    EXPECT_EQ(finished.status, 0) << finished.errors;
    auto text = read_file(folder.file("validation.md"));
    text = replaced(std::move(text), kSource + "/", "");
    text = replaced(std::move(text), folder.file("validation"), "docs/validation");
    EXPECT_EQ(text, read_file(kSource + "/docs/validation.md"));
    EXPECT_EQ(read_file(folder.file("validation-errors.svg")),
              read_file(kSource + "/docs/validation-errors.svg"));
}
#endif

TEST(Validate, gave_the_readme_its_tables) {
    const auto report = read_file(kSource + "/docs/validation.md");
    for (const auto* head :
         {"| family | runs | mean | mean of cases", "| family | runs | holds the truth"}) {
        const auto begin = report.find(head);
        ASSERT_NE(begin, std::string::npos);
        const auto table = report.substr(begin, report.find("\n\n", begin) - begin);
        EXPECT_THAT(read_file(kSource + "/README.md"), HasSubstr(table));
    }
}

TEST(Validate, takes_the_parameters_of_the_same_sitting_and_sets_the_installed_ones_apart) {
    const TestFolder folder;
    const std::filesystem::path sitting{folder.file("sitting")};
    std::filesystem::create_directories(sitting);
    std::filesystem::copy(kRecorded + "/balanced_split", sitting / "balanced_split",
                          std::filesystem::copy_options::recursive);
    auto model = nlohmann::json::parse(read_file(kSource + "/model/devices/nvidia-h200.json"));
    auto& latency = model.at("parameters").at("d2h.latency_ns").at("value");
    latency = latency.get<double>() + 200'000;  // every copy back takes 0.2 ms longer to begin
    model.at("name") = "this-sitting";
    std::ofstream{sitting / "device-model.json"} << model.dump();

    const auto ask = [&](const std::string& more) {
        const auto finished = run_overcast("validate --no-tolerances --format json --replay " +
                                           sitting.string() + more);
        EXPECT_EQ(finished.status, 0) << finished.errors;
        return nlohmann::json::parse(finished.output);
    };
    const auto own = ask("");
    EXPECT_EQ(own.at("device_model"), "this-sitting");
    EXPECT_EQ(own.at("other_parameters").at("device_model"), "nvidia-h200");
    const auto chosen = ask(" --device-model nvidia-h200");
    EXPECT_EQ(chosen.at("device_model"), "nvidia-h200");
    EXPECT_TRUE(chosen.at("other_parameters").is_null());
    EXPECT_EQ(chosen.at("summary").at("mape_percent"),
              own.at("other_parameters").at("mape_percent"));
}

TEST(Validate, keeps_the_table_within_80_columns) {
    // Of each family a case with a long name, of one the longest name of all.
    const auto finished = run_overcast(
        "validate --no-tolerances --case side_by_side_waves --case mixed_kinds_small "
        "--case vecadd_23000 --case pipeline_connections_32 --case gnocchi_v4_one_block "
        "--case small_grid_replicate --case batched --replay " +
        kRecorded);
    EXPECT_EQ(finished.status, 0) << finished.errors;
    std::istringstream lines{finished.output};
    for (std::string line; std::getline(lines, line);) {
        std::size_t width = 0;
        for (const char byte : line) {
            width += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
        }
        EXPECT_LE(width, 80U) << line;
    }
}

TEST(Validate, writes_a_line_of_csv_per_run) {
    const auto finished =
        run_overcast("validate --case balanced_split --format csv --replay " + kRecorded);
    EXPECT_THAT(finished.output, StartsWith("case,family,preset,transform,order,streams,"));
    // Two orders of 1, 2, 4 and 8 streams, and the titles.
    EXPECT_EQ(std::count(finished.output.begin(), finished.output.end(), '\n'), 9);
    EXPECT_THAT(finished.output, HasSubstr("\nbalanced_split,balanced,h200,split,depth,8,"));
}

}  // namespace
}  // namespace overcast::test
