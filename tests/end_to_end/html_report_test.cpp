// --html, and that table, JSON and page of one recording hold the same figures. What a browser
// makes of the page is tested in tests/browser.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string recorded(const std::string& name) {
    return std::string{OVERCAST_SOURCE_DIR} + "/traces/h200/" + name + "/trace.json.gz";
}

std::string output_of(const std::string& arguments) {
    const auto finished = run_overcast(arguments);
    EXPECT_EQ(finished.status, 0) << finished.errors;
    return finished.output;
}

/// The lines of the table that hold a configuration, as words, without the mark of the best.
std::vector<std::vector<std::string>> rows_of(const std::string& table) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines{table};
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> words;
        std::istringstream text{line};
        for (std::string word; text >> word;) {
            if (word != ">") {
                words.push_back(word);
            }
        }
        const auto digits = [](const std::string& word) {
            return word.find_first_not_of("0123456789") == std::string::npos;
        };
        if (words.size() >= 10 && digits(words[0])) {
            rows.push_back(words);
        }
    }
    return rows;
}

/// `shown` is a decimal number; it must be `value` rounded to as many digits.
void expect_shown(const std::string& shown, double value, const std::string& what) {
    const auto point = shown.find('.');
    const auto decimals = point == std::string::npos ? 0 : shown.size() - point - 1;
    const double unit = std::pow(10.0, -static_cast<double>(decimals));
    EXPECT_NEAR(std::stod(shown), value, unit / 2 * 1.000001) << what;
}

double unit_in_us(const std::string& unit) {
    if (unit == "us") return 1;
    if (unit == "ms") return 1e3;
    return unit == "s" ? 1e6 : 1e-3;
}

class Figures : public ::testing::TestWithParam<const char*> {};

TEST_P(Figures, of_the_table_are_those_of_the_json) {
    setenv("LC_ALL", "C", 1);  // a table in ASCII
    const auto trace = recorded(GetParam());
    const auto json = Json::parse(output_of("predict " + trace + " --format json"));
    const auto rows = rows_of(output_of("predict " + trace));
    ASSERT_EQ(rows.size(), json["predictions"].size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const auto& prediction = json["predictions"][i];
        // streams, order, wall, unit, low-high, speed-up, bound by, H2D, D2H, SM, host
        ASSERT_EQ(row.size(), 11U);
        EXPECT_EQ(row[0], std::to_string(prediction["streams"].get<int>()));
        EXPECT_EQ(row[1], prediction["order"].get<std::string>());
        const double unit = unit_in_us(row[3]);
        expect_shown(row[2], prediction["wall_us"].get<double>() / unit, "wall");
        const auto dash = row[4].find('-');
        expect_shown(row[4].substr(0, dash), prediction["interval_us"]["low"].get<double>() / unit,
                     "low");
        expect_shown(row[4].substr(dash + 1),
                     prediction["interval_us"]["high"].get<double>() / unit, "high");
        expect_shown(row[5].substr(0, row[5].size() - 1), prediction["speedup"], "speed-up");
        const auto& shares = prediction["utilisation"];
        std::size_t column = 7;
        for (const auto* engine : {"h2d", "d2h", "sm", "host"}) {
            expect_shown(row[column].substr(0, row[column].size() - 1),
                         shares[engine].get<double>() * 100, engine);
            ++column;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(OfRecordings, Figures,
                         ::testing::Values("balanced", "pipeline", "mixed_kinds_small"));

#ifdef OVERCAST_HAVE_HTML

Json data_of(const std::string& page) {
    constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)";
    const auto begin = page.find(kBegin) + kBegin.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

const Json& section(const Json& data, const std::string& kind) {
    for (const auto& one : data["sections"]) {
        if (one["kind"] == kind) {
            return one["data"];
        }
    }
    throw std::runtime_error("no section " + kind);
}

TEST_P(Figures, of_the_page_are_those_of_the_json) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    const auto json =
        Json::parse(output_of("predict " + recorded(GetParam()) + " --format json --html " + file));
    const auto data = data_of(read_file(file));
    EXPECT_EQ(section(data, "streams")["sweep"], json);
    const auto& panels = section(data, "timelines")["views"][0]["panels"];
    ASSERT_EQ(panels.size(), 2U);
    EXPECT_EQ(panels[0]["timeline"]["wall_ns"].get<double>() / 1e3,
              json["best"]["wall_us"].get<double>());
}

TEST(HtmlReport, sets_measured_timelines_beside_predicted_ones) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    const auto json =
        Json::parse(output_of("validate --replay " + std::string{OVERCAST_SOURCE_DIR} +
                              "/traces/h200/balanced --format json --html " + file));
    const auto data = data_of(read_file(file));
    EXPECT_EQ(section(data, "accuracy")["report"], json);
    std::size_t recorded_timelines = 0;
    for (const auto& run : json["cases"]) {
        recorded_timelines += run["timeline"].is_null() ? 0U : 1U;
    }
    const auto& views = section(data, "timelines")["views"];
    ASSERT_EQ(views.size(), recorded_timelines);
    EXPECT_EQ(views[0]["title"], "balanced: distribute, depth order, 3 streams");
    for (const auto& view : views) {
        ASSERT_EQ(view["panels"].size(), 2U);
        EXPECT_EQ(view["panels"][0]["title"], "predicted");
        EXPECT_EQ(view["panels"][1]["title"], "measured");
    }
}

/// A recording whose first kernel's name means harm.
std::string hostile(const TestFolder& folder, const std::string& name) {
    auto trace = Json::parse(read_file(folder.recording("whole.json")));
    for (auto& event : trace["traceEvents"]) {
        if (event.value("cat", "") == "kernel") {
            event["name"] = name;
        }
    }
    return folder.file("hostile.json", trace.dump());
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

constexpr auto kHostileName = "<script>alert(1)</script><!--";

TEST(HtmlReport, of_advise_has_the_figures_of_the_json) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    const auto json =
        Json::parse(output_of("advise " + recorded("balanced") + " --format json --html " + file));
    const auto data = data_of(read_file(file));
    EXPECT_EQ(section(data, "advice")["advice"], json);
    const auto& panels = section(data, "timelines")["views"][0]["panels"];
    ASSERT_EQ(panels.size(), 2U);
    EXPECT_EQ(panels[0]["timeline"]["wall_ns"].get<double>() / 1e3,
              json["wall_without_causes_us"].get<double>());
    EXPECT_EQ(panels[1]["timeline"]["wall_ns"].get<double>() / 1e3,
              json["recorded_wall_us"].get<double>());
    EXPECT_EQ(section(data, "warnings"), json["warnings"]);
}

TEST(HtmlReport, of_advise_keeps_a_hostile_name_text) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    output_of("advise " + hostile(folder, kHostileName) + " --no-interval --html " + file);
    const auto page = read_file(file);
    EXPECT_EQ(count_of(page, "<script"), 3U);  // the data, ECharts and the page's own
    const auto names = section(data_of(page), "timelines")["views"][0]["panels"][0];
    EXPECT_THAT(names["timeline"]["names"].dump(), HasSubstr(kHostileName));
}

TEST(HtmlReport, of_advise_takes_one_trace) {
    const TestFolder folder;
    const auto run = folder.recording();
    const auto finished = run_overcast("advise " + run + " " + run + " --html x.html");
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("--html takes one trace"));
}

TEST(HtmlReport, of_compare_has_the_figures_of_the_json) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    const auto json =
        Json::parse(output_of("compare " + recorded("balanced") + " " + recorded("mixed_kinds") +
                              " --rows 5 --format json --html " + file));
    const auto data = data_of(read_file(file));
    const auto& shown = section(data, "comparison");
    for (const auto* key : {"left", "right", "start_delay", "kinds", "waits", "warnings"}) {
        EXPECT_EQ(shown["comparison"][key], json[key]) << key;
    }
    for (const auto* list : {"moved", "changed"}) {
        ASSERT_EQ(shown[list].size(), 5U) << list;
        for (const auto& operation : shown[list]) {
            EXPECT_EQ(std::count(json["matched"].begin(), json["matched"].end(), operation), 1);
        }
    }
    for (const auto* list : {"only_left", "only_right"}) {
        std::size_t count = 0;
        for (const auto& group : shown[list]) {
            count += group["count"].get<std::size_t>();
        }
        EXPECT_GT(count, 0U) << list;
        EXPECT_EQ(count, json[list].size()) << list;
    }
    const auto& panels = section(data, "timelines")["views"][0]["panels"];
    ASSERT_EQ(panels.size(), 2U);
    for (const std::size_t side : {0U, 1U}) {
        const auto* name = side == 0 ? "left" : "right";
        EXPECT_EQ(panels[side]["title"], json[name]["label"]);
        EXPECT_EQ(panels[side]["timeline"]["wall_ns"].get<double>() / 1e3,
                  json[name]["makespan_us"].get<double>());
    }
}

TEST(HtmlReport, of_compare_lists_first_what_moved_most) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    const auto json = Json::parse(output_of("compare --replayed " + recorded("balanced") +
                                            " --rows 3 --format json --html " + file));
    const auto shift = [](const Json& operation) {
        const auto start = [](const Json& times) {
            const auto& device = times["device_start_us"];
            return (device.is_null() ? times["call_start_us"] : device).get<double>();
        };
        return std::abs(start(operation["right"]) - start(operation["left"]));
    };
    std::vector<double> shifts;
    std::transform(json["matched"].begin(), json["matched"].end(), std::back_inserter(shifts),
                   shift);
    std::sort(shifts.rbegin(), shifts.rend());
    const auto data = data_of(read_file(file));
    const auto& moved = section(data, "comparison")["moved"];
    ASSERT_EQ(moved.size(), 3U);
    for (std::size_t i = 0; i < moved.size(); ++i) {
        EXPECT_NEAR(shift(moved[i]), shifts[i], 1e-6);
    }
}

TEST(HtmlReport, of_compare_keeps_a_hostile_name_text) {
    const TestFolder folder;
    const auto file = folder.file("page.html");
    output_of("compare --replayed " + hostile(folder, kHostileName) + " --rows 50 --html " + file);
    const auto page = read_file(file);
    EXPECT_EQ(count_of(page, "<script"), 3U);  // the data, ECharts and the page's own
    EXPECT_THAT(data_of(page).dump(), HasSubstr(kHostileName));
}

TEST(HtmlReport, says_where_it_comes_from) {
    const TestFolder folder;
    const auto file = folder.file("it's.html");
    output_of("predict " + folder.recording() + " --streams 1,2 --html \"" + file + "\"");
    const auto data = data_of(read_file(file));
    const auto rows = section(data, "provenance").dump();
    EXPECT_THAT(rows, HasSubstr("nvidia-h200"));
    EXPECT_THAT(rows, HasSubstr("--streams 1,2 --html '"));
    EXPECT_THAT(rows, HasSubstr(R"(it'\\''s.html')"));
    EXPECT_THAT(data["headline"].get<std::string>(), HasSubstr("2 streams"));
}

TEST(HtmlReport, takes_one_trace) {
    const TestFolder folder;
    const auto run = folder.recording();
    const auto finished = run_overcast("predict " + run + " " + run + " --html x.html");
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("--html takes one trace"));
}

TEST(HtmlReport, says_when_it_cannot_be_written) {
    const TestFolder folder;
    const auto finished =
        run_overcast("predict " + folder.recording() + " --html /nowhere/page.html");
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.errors, HasSubstr("cannot write '/nowhere/page.html'"));
}

#else

TEST(HtmlReport, says_what_is_missing_where_it_was_built_without) {
    const TestFolder folder;
    const auto finished = run_overcast("predict " + folder.recording() + " --html x.html");
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.errors, HasSubstr("install nodejs and npm"));
}

#endif

}  // namespace
}  // namespace overcast::test
