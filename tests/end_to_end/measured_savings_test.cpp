// The savings that were measured on a GPU, beside what advise says today, and what docs/advice.md
// says of both.
#include "tests/end_to_end/running_command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace overcast::test {
namespace {

constexpr std::size_t kMeasured = 6;   // cells before what advise says
constexpr std::size_t kPredicted = 6;  // the cell of the prediction, in ms

/// The cells of the rows of tables that begin with a number.
std::vector<std::vector<std::string>> numbered_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < 4 || !line.starts_with("| ") || line[2] < '0' || line[2] > '9') {
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream row{line.substr(2)};
        for (std::string cell; std::getline(row, cell, '|');) {
            cells.push_back(cell);
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

void expect_in_the_documentation(const std::string& folder) {
    const std::filesystem::path source{OVERCAST_SOURCE_DIR};
    const auto finished =
        run_in_shell("bash " + (source / "tests/gpu/measure_advice.sh").string() +
                     " --again " OVERCAST_PROGRAM " " + (source / folder).string());
    EXPECT_EQ(finished.status, 0) << finished.output << finished.errors;
    const auto rows = numbered_rows(finished.output);
    const auto documented = numbered_rows(read_file((source / "docs/advice.md").string()));
    EXPECT_EQ(rows.size(), 5U);
    for (const auto& row : rows) {
        ASSERT_GT(row.size(), kPredicted);
        const auto same = std::ranges::find_if(documented, [&](const auto& other) {
            return other.size() == row.size() &&
                   std::equal(row.begin(), row.begin() + kMeasured, other.begin());
        });
        ASSERT_NE(same, documented.end()) << "measure again, or correct docs/advice.md: " << row[1];
        EXPECT_NEAR(std::stod((*same)[kPredicted]), std::stod(row[kPredicted]), 0.05) << row[1];
    }
}

TEST(MeasuredSavings, are_as_predicted_and_as_documented) {
    expect_in_the_documentation("traces/h200-advice/largest-first");
}

TEST(MeasuredSavings, are_as_predicted_where_a_change_makes_the_program_slower) {
    expect_in_the_documentation("traces/h200-advice/depth-first-early");
}

}  // namespace
}  // namespace overcast::test
