// Each diagnosis on a program where it fires and on one where it is silent: what it says, and what
// its removal saves on an H200. `OVERCAST_UPDATE_GOLDEN=1 ctest -R golden` writes them anew.

#include "advise/advise.hpp"
#include "advise/diagnosis_table.hpp"
#include "advise/words.hpp"
#include "formats/format_table.hpp"
#include "tests/golden/advice_programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace overcast {
namespace {

const std::filesystem::path kSource{OVERCAST_SOURCE_DIR};

Advice advice_on(const std::string& program) {
    static const auto model = load_device_model("nvidia-h200");
    if (const auto made = test::made_program(program)) {
        return advise(*made, model, {});
    }
    return advise(read_trace((kSource / "traces/h200" / program).string() + ".json.gz"), model, {});
}

std::string saving(const Saving& saving) {
    auto text = time_in_words(saving.time);
    if (saving.low && saving.high) {
        text += fmt::format(" ({} to {})", time_in_words(*saving.low), time_in_words(*saving.high));
    }
    return text;
}

std::string in_words(const Advice& advice, const std::string& id) {
    const auto found = std::ranges::find(advice.diagnoses, id, &Diagnosis::id);
    if (found == advice.diagnoses.end()) {
        return "silent\n";
    }
    auto text = fmt::format("{}, {} times{}\nseen: {}\n", to_string(found->verdict),
                            found->occurrences, found->advised ? ", advised" : "", found->evidence);
    if (found->verdict == Verdict::saves) {
        text +=
            fmt::format("of {}: alone {}, with the others made {}\n", time_in_words(advice.wall),
                        saving(found->alone), saving(found->with_the_rest));
    } else {
        text += fmt::format("because: {}\n", found->reason);
    }
    for (const auto& place : found->places) {
        text += fmt::format("where: {} {} {} at {}\n", place.operation, place.call, place.what,
                            time_in_words(place.at.time_since_epoch()));
    }
    std::istringstream code{found->change};
    constexpr std::size_t kRoom = 71;  // of a report's 80 columns
    for (std::string line; std::getline(code, line);) {
        const auto bytes_of_dots = line.find("…") == std::string::npos ? 0U : 2U;
        EXPECT_LE(line.size(), kRoom + bytes_of_dots) << line;
    }
    return text + fmt::format("do:\n{}\n", found->change);
}

struct AdviceCase {
    std::string id;
    std::string fires;  ///< a program of advice_programs.cpp, or a recording of traces/h200
    std::string silent;
};

class AdviceGolden : public ::testing::TestWithParam<AdviceCase> {};

TEST_P(AdviceGolden, fires_and_stays_silent) {
    const auto& [id, fires, silent] = GetParam();
    const auto loud = in_words(advice_on(fires), id);
    const auto quiet = in_words(advice_on(silent), id);
    EXPECT_NE(loud, "silent\n");
    EXPECT_EQ(quiet, "silent\n");
    const auto text = fmt::format("{}\n\n{}:\n{}\n{}:\n{}", id, fires, loud, silent, quiet);
    const auto file = kSource / "tests/golden/advice" / (id + ".txt");
    if (std::getenv("OVERCAST_UPDATE_GOLDEN") != nullptr) {
        std::ofstream{file} << text;
    }
    std::ifstream stream{file};
    ASSERT_TRUE(stream) << file << " is missing";
    const std::string expected{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_EQ(text, expected);
}

std::vector<AdviceCase> cases() {
    return {
        // Recorded on an H200.
        {"pageable-memory", "pipeline_pageable/trace", "pipeline/trace"},
        {"one-stream", "pipeline/trace", "pipeline/timelines/distribute-depth-8"},
        {"issue-order", "pipeline/timelines/distribute-breadth-8",
         "pipeline/timelines/distribute-depth-8"},
        {"stream-count", "pipeline/timelines/distribute-depth-3", "pipeline/trace"},
        {"max-connections", "pipeline_connections_1/trace", "pipeline/trace"},
        {"small-copies", "tiny_inline/trace", "pipeline/trace"},
        {"launch-bound", "chatty_78/trace", "pipeline/trace"},
        {"full-kernels", "balanced/trace", "small_grid/trace"},
        {"same-direction-copies", "pipeline/timelines/distribute-depth-8", "pipeline/trace"},
        {"busy-engine", "market_work_8/trace", "small_grid/trace"},
        {"l2-footprint", "pipeline/trace", "matmul_64/trace"},
        {"carve-out", "side_by_side/trace", "pipeline/trace"},
        // Made by hand.
        {"synchronous-copies", "synchronous copies", "units on one stream"},
        {"unit-waits", "a wait in every unit", "units on one stream"},
        {"host-waits", "a wait in the middle", "a wait in every unit"},
        {"device-waits", "waits for the device", "units on one stream"},
        {"implicit-waits", "memory freed in the loop", "units on one stream"},
        {"allocation-in-loop", "memory allocated in the loop", "units on one stream"},
        {"lazy-loading", "kernels loaded at first launch", "units on one stream"},
        {"launch-blocking", "launch blocking", "units on one stream"},
        {"event-waits", "a wait for another stream", "units on two streams"},
        {"default-stream", "legacy default stream", "units on two streams"},
        {"shared-buffers", "shared buffers", "units on one stream"},
        {"host-functions", "host functions", "units on one stream"},
        {"launch-queue", "a full launch queue", "units on one stream"},
        {"device-memory", "little device memory", "units on one stream"},
        {"managed-memory", "managed memory", "units on one stream"},
        {"serialising-recorder", "serialised kernels", "units on two streams"},
    };
}

std::string name_of(const ::testing::TestParamInfo<AdviceCase>& info) {
    auto name = info.param.id;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Diagnoses, AdviceGolden, ::testing::ValuesIn(cases()), name_of);

TEST(AdviceGolden, has_a_case_for_each_diagnosis) {
    for (const auto& row : diagnosis_table()) {
        EXPECT_TRUE(std::ranges::any_of(cases(), [&](const AdviceCase& golden) {
            return golden.id == row.id;
        })) << row.id;
    }
}

}  // namespace
}  // namespace overcast
