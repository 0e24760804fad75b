// Runs the suite on this machine's GPU and writes what it did: traces, truth, timelines.
#pragma once

#include "validate/live/cases_program.hpp"
#include "validate/live/suite.hpp"
#include "validate/truth/recorded_truth.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace overcast {

struct RecordOptions {
    std::vector<std::string> cases;  ///< names of suite rows; empty = all
    std::string preset = "h200";
    std::vector<std::uint32_t> streams;  ///< replaces those of the suite; empty = the suite's
    std::uint32_t repetitions = 15;      ///< of one series
    bool timelines = true;               ///< trace the chosen runs on their streams too
    bool counters = false;               ///< read hardware counters for the one-stream trace
};

/// Told before each step: how many are done, how many there are, what comes next.
using Progress = std::function<void(std::size_t done, std::size_t steps, const std::string& next)>;

/// Writes FOLDER/CASE/{trace.json.gz, measured.json, timelines/} for each case, and returns the
/// folders of the finished ones. A case that fails is said on `complain` and left out; one whose
/// counters cannot be read is said there too, and kept. Stops early
/// when `stop` becomes true: the case at hand keeps the runs of which every series was measured.
std::vector<std::filesystem::path> record_suite(
    const RecordOptions& options, const Programs& programs, const std::filesystem::path& folder,
    const Progress& progress, const std::function<void(const std::string&)>& complain,
    const std::atomic<bool>& stop);

/// The rows of the suite that are meant, without names all but those `only_if_named`. Throws
/// UsageError naming a case that is none.
std::vector<SuiteCase> chosen_cases(const std::vector<std::string>& names);

/// One run from its series, each one process.
RecordedRun combine_series(const SuiteCase& one, const SuiteRun& run,
                           const std::vector<MeasuredSeries>& series);

}  // namespace overcast
