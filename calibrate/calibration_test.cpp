#include "calibrate/calibration.hpp"

#include "core/temporary_folder.hpp"
#include "model/device_model_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

Calibration calibration(DeviceModelNotes notes) {
    return {load_device_model(std::string{OVERCAST_SOURCE_DIR} + "/model/devices/nvidia-h200.json"),
            std::move(notes),
            "nvidia-h200",
            {}};
}

std::size_t occurrences(std::string_view text, std::string_view of) {
    std::size_t count = 0;
    for (auto at = text.find(of); at != std::string_view::npos; at = text.find(of, at + 1)) {
        ++count;
    }
    return count;
}

TEST(CountParameters, a_parameter_is_measured_where_a_note_says_what_measured_it) {
    DeviceModelNotes notes;
    notes.parameters["h2d.latency_ns"] = {"probe copies", {}};
    notes.parameters["gap.event_ns"] = {"probe events", {}};
    const auto none = count_parameters(calibration({}));
    const auto two = count_parameters(calibration(notes));
    EXPECT_EQ(none.measured, 0U);
    EXPECT_EQ(two.measured, 2U);
    EXPECT_EQ(two.defaults, none.defaults - 2);
}

TEST(CountParameters, counts_each_row_of_the_file) {
    const auto made = calibration({});
    EXPECT_EQ(count_parameters(made).defaults,
              occurrences(device_model_json(made.model, made.notes, made.defaults_of),
                          "\"source\":\"default: "));
}

// --quick leaves probes out, and of one that cannot run its step has complained.
TEST(Fitted, notes_what_lacks_its_probe_and_complains_of_what_brought_nothing_usable) {
    ProbeRuns runs;
    ProbeRun machine;
    machine.output.texts["device"] = "NVIDIA H200";
    runs.add({"machine", ProbeMode::untraced}, machine);
    runs.add({"queue_depth", ProbeMode::untraced}, {});  // no launch was blocked
    std::vector<std::string> complaints;
    const auto made = fitted(runs, {}, [&](const auto& text) { complaints.push_back(text); });
    ASSERT_EQ(complaints.size(), 1U);
    EXPECT_EQ(complaints.front(), "launch queue: no launch blocked the host; the defaults stay");
    EXPECT_GT(made.notes.failures.size(), 20U);
}

// --quick runs copies, events and others in one process. Without a tracer what is recorded fails.

TEST(RunProbes, one_that_cannot_run_takes_none_of_its_process_with_it) {
    const TemporaryFolder folder;
    const auto probes = folder.path() / "probes";
    std::ofstream{probes} << "#!/bin/sh\n"
                             "for name; do\n"
                             "  test $name != events || { echo no events >&2; exit 1; }\n"
                             "  test $name = --quick || echo \"probe $name\nvalue $name 7\"\n"
                             "done\n";
    std::filesystem::permissions(probes, std::filesystem::perms::owner_all);
    std::vector<std::string> complaints;
    const auto runs = run_probes(
        true, {folder.path() / "no-tracer", probes}, [](auto&&...) {},
        [&](const auto& text) { complaints.push_back(text); });
    EXPECT_EQ(runs.get("copies", ProbeMode::untraced).output.values.at("copies"), 7);
    EXPECT_FALSE(runs.get("copies", ProbeMode::untraced).output.values.contains("gaps"));
    EXPECT_THROW((void)runs.get("events", ProbeMode::untraced), ProbeDidNotRun);
    EXPECT_THAT(complaints,
                ::testing::Contains("the probe events, untraced cannot run: status 1: no events"));
    EXPECT_THAT(complaints,
                ::testing::Not(::testing::Contains(::testing::HasSubstr("gaps, untraced"))));
}

}  // namespace
}  // namespace overcast
