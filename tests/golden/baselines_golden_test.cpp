// What the baselines say of recorded programs: they are fixed points that our own model is judged
// beside, so they may not move. `OVERCAST_UPDATE_GOLDEN=1 ctest -R golden` writes them anew.

#include "formats/format_table.hpp"
#include "validate/baselines/baseline.hpp"
#include "workload/units.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace overcast {
namespace {

/// Nothing is taken out of the recording: the text depends on no device model.
Extraction recorded(const std::filesystem::path& file) {
    auto extraction = extract(read_trace(file), TracingCost{}, {});
    find_units(extraction.workload, {});
    return extraction;
}

std::string row(const Extraction& recording, Transform transform, std::uint32_t streams) {
    Configuration configuration;
    configuration.transform = transform;
    configuration.streams = streams;
    configuration.parts = transform == Transform::split ? streams : 1;
    auto text = fmt::format("{:<10} {:>7}", to_string(transform), streams);
    for (const auto& baseline : baselines()) {
        const auto predicted = baseline.predict(recording, configuration);
        text += predicted ? fmt::format(" {:>18.6f}", to_microseconds(*predicted) / 1e3)
                          : fmt::format(" {:>18}", "-");
    }
    return text + '\n';
}

void expect_golden(const std::string& name) {
    const std::filesystem::path folder{OVERCAST_SOURCE_DIR};
    const auto recording = recorded(folder / "traces/h200" / name / "trace.json.gz");
    auto text = fmt::format("{} units of traces/h200/{}, ms\n{:<10} {:>7}",
                            recording.workload.units, name, "transform", "streams");
    for (const auto& baseline : baselines()) {
        text += fmt::format(" {:>18}", baseline.name);
    }
    text += '\n';
    for (const auto transform : {Transform::distribute, Transform::replicate, Transform::split}) {
        for (const std::uint32_t streams : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U}) {
            text += row(recording, transform, streams);
        }
    }
    const auto file = folder / "tests/golden/baselines" / (name + ".txt");
    if (std::getenv("OVERCAST_UPDATE_GOLDEN") != nullptr) {
        std::ofstream{file} << text;
    }
    std::ifstream stream{file};
    ASSERT_TRUE(stream) << file << " is missing";
    const std::string expected{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_EQ(text, expected);
}

TEST(BaselineGolden, pipeline_bound_by_copies_to_the_device) { expect_golden("pipeline"); }

TEST(BaselineGolden, balanced_engines) { expect_golden("balanced"); }

}  // namespace
}  // namespace overcast
