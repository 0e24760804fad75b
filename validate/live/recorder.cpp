#include "validate/live/recorder.hpp"

#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "tracer/launcher/cuda_driver.hpp"
#include "validate/truth/recorded_truth_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>

namespace overcast {
namespace {

namespace fs = std::filesystem;

/// Of so many one-stream recordings the one of median speed is kept: a process runs at one of
/// several speeds on the host, from its start to its end.
constexpr std::uint32_t kRecordings = 3;

std::string now_in_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Duration median_of_walls(std::vector<Duration> walls) {
    std::ranges::sort(walls);
    const auto middle = walls.size() / 2;
    return walls.size() % 2 == 1 ? walls[middle] : (walls[middle - 1] + walls[middle]) / 2;
}

void must_succeed(const CapturedResult& result, const std::vector<std::string>& command) {
    if (result.status == 0) {
        return;
    }
    std::string line;
    for (const auto& word : command) {
        line += (line.empty() ? "" : " ") + word;
    }
    const auto errors = result.errors.substr(0, result.errors.find_last_not_of('\n') + 1);
    throw Error(fmt::format("status {} of: {}{}{}", result.status, line,
                            errors.empty() ? "" : "\n  ", errors));
}

/// The host's time in calls: what differs from process to process.
Duration time_in_calls(const fs::path& file) {
    Duration total{};
    for (const auto& call : read_trace(file).api_calls) {
        total += call.end - call.start;
    }
    return total;
}

/// One case being recorded.
class CaseRecorder {
public:
    CaseRecorder(const SuiteCase& one, const RecordOptions& options, const Programs& programs,
                 fs::path folder, std::function<void(const std::string&)> next_step,
                 const std::atomic<bool>& stop)
        : one_{one},
          options_{options},
          programs_{programs},
          environment_{case_environment(one, programs)},
          folder_{std::move(folder)},
          next_step_{std::move(next_step)},
          stop_{stop},
          runs_{runs_of(one, options.streams)},
          series_(runs_.size()) {}

    /// True where there is something to judge: a trace and at least one run.
    bool record() {
        fs::create_directories(folder_);
        record_trace();
        for (std::uint32_t series = 0; series < one_.series; ++series) {
            for (std::size_t i = 0; i < runs_.size() && !stop_; ++i) {
                next_step_(words_of(runs_[i]));
                measure(i);
            }
        }
        for (auto& run : runs_) {
            if (run.timeline && options_.timelines && !stop_) {
                next_step_(words_of(run) + ", timeline");
                trace_run(run, folder_ / timeline_file(run));
            } else {
                run.timeline = false;
            }
        }
        return write_truth();
    }

private:
    [[nodiscard]] std::string words_of(const SuiteRun& run) const {
        return fmt::format("{}, {} {}, {} streams", one_.name, to_string(run.transform),
                           to_string(run.order), run.streams);
    }

    [[nodiscard]] static std::string timeline_file(const SuiteRun& run) {
        return fmt::format("timelines/{}-{}-{}.json.gz", to_string(run.transform),
                           to_string(run.order), run.streams);
    }

    void trace_run(const SuiteRun& run, const fs::path& file, bool mark_units = false) {
        fs::create_directories(file.parent_path());
        std::vector<std::string> command{programs_.overcast.string(),
                                         "trace",
                                         "--range",
                                         "profiler-api",
                                         "-o",
                                         file.string(),
                                         "--",
                                         programs_.cases.filename().string()};
        const auto arguments = case_arguments(one_, options_.preset, run);
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.emplace_back("--profile-one-pass");
        if (mark_units) {
            command.emplace_back("--mark-units");
        }
        const auto result = run_captured(command, environment_);
        if (!stop_) {
            must_succeed(result, command);
        }
        if (!stop_ && !fs::exists(file)) {
            throw Error(
                fmt::format("overcast trace left no {}:\n  {}", file.string(), result.errors));
        }
    }

    /// The recording from which everything is predicted: one stream, or one replica.
    void record_trace() {
        const SuiteRun run{one_.sweeps.front().transform == Transform::replicate
                               ? Transform::replicate
                               : Transform::distribute,
                           one_.recorded_order, 1, false};
        std::vector<std::pair<Duration, fs::path>> recordings;
        for (std::uint32_t i = 0; i < kRecordings && !stop_; ++i) {
            next_step_(one_.name + ", recording");
            const auto file = folder_ / fmt::format("trace-{}.json.gz", i);
            trace_run(run, file, one_.unit.starts_with("nvtx:"));
            if (!stop_) {
                recordings.emplace_back(time_in_calls(file), file);
            }
        }
        std::ranges::sort(recordings);
        if (!recordings.empty()) {
            fs::rename(recordings[recordings.size() / 2].second, folder_ / "trace.json.gz");
        }
        std::error_code gone;
        for (std::uint32_t i = 0; i < kRecordings; ++i) {
            fs::remove(folder_ / fmt::format("trace-{}.json.gz", i), gone);
        }
    }

    void measure(std::size_t i) {
        std::vector<std::string> command{programs_.cases.filename().string()};
        const auto arguments = case_arguments(one_, options_.preset, runs_[i]);
        command.insert(command.end(), arguments.begin(), arguments.end());
        for (const auto* word : {"--repetitions", "", "--json"}) {
            command.emplace_back(*word != '\0' ? word : std::to_string(options_.repetitions));
        }
        const auto result = run_captured(command, environment_);
        if (stop_) {
            return;
        }
        must_succeed(result, command);
        series_[i].push_back(parse_series(result.output));
    }

    bool write_truth() {
        RecordedTruth truth;
        truth.case_name = one_.program;
        truth.preset = options_.preset;
        truth.unit = one_.unit;
        truth.driver = kernel_driver_version().value_or("unknown");
        truth.date = now_in_utc();
        truth.command = "overcast-cases";
        for (const auto& word : case_arguments(one_, options_.preset, runs_.front())) {
            truth.command += " " + word;
        }
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (series_[i].size() < one_.series) {
                continue;  // interrupted: its noise would be unknown
            }
            auto run = combine_series(one_, runs_[i], series_[i]);
            if (runs_[i].timeline) {
                run.timeline_file = timeline_file(runs_[i]);
            }
            truth.device = series_[i].front().device;
            truth.runs.push_back(std::move(run));
        }
        if (truth.runs.empty()) {
            return false;
        }
        const auto file = folder_ / "measured.json";
        std::ofstream stream{file, std::ios::binary};
        stream << recorded_truth_json(truth);
        stream.close();
        if (!stream) {
            throw Error(fmt::format("cannot write {}", file.string()));
        }
        return true;
    }

    const SuiteCase& one_;
    const RecordOptions& options_;
    const Programs& programs_;
    EnvironmentChanges environment_;
    fs::path folder_;
    std::function<void(const std::string&)> next_step_;
    const std::atomic<bool>& stop_;
    std::vector<SuiteRun> runs_;
    std::vector<std::vector<MeasuredSeries>> series_;  ///< of each run
};

std::size_t steps_of(const SuiteCase& one, const RecordOptions& options) {
    const auto runs = runs_of(one, options.streams);
    const auto timelines = options.timelines ? std::ranges::count_if(runs, &SuiteRun::timeline) : 0;
    return kRecordings + runs.size() * one.series + static_cast<std::size_t>(timelines);
}

}  // namespace

std::vector<SuiteCase> chosen_cases(const std::vector<std::string>& names) {
    const auto rows = suite();
    if (names.empty()) {
        return {rows.begin(), rows.end()};
    }
    std::vector<SuiteCase> chosen;
    for (const auto& name : names) {
        const auto found = std::ranges::find(rows, name, &SuiteCase::name);
        if (found == rows.end()) {
            std::string known;
            for (const auto& row : rows) {
                known += (known.empty() ? "" : ", ") + row.name;
            }
            throw UsageError(
                fmt::format("--case '{}': there is no such case; known: {}", name, known));
        }
        chosen.push_back(*found);
    }
    return chosen;
}

RecordedRun combine_series(const SuiteCase& one, const SuiteRun& run,
                           const std::vector<MeasuredSeries>& series) {
    RecordedRun result;
    result.transform = run.transform;
    result.order = run.order;
    result.streams = run.streams;
    result.units = series.front().units;
    result.parts = series.front().parts;
    result.memory = one.memory;
    result.max_connections = one.max_connections;
    std::vector<Duration> all;
    for (const auto& single : series) {
        all.insert(all.end(), single.walls.begin(), single.walls.end());
        result.series_medians.push_back(median_of_walls(single.walls));
    }
    result.wall_median = median_of_walls(all);
    result.wall_min = *std::ranges::min_element(all);
    result.wall_max = *std::ranges::max_element(all);
    const auto [lowest, highest] = std::ranges::minmax(result.series_medians);
    result.noise_percent = static_cast<double>((highest - lowest).count()) /
                           static_cast<double>(result.wall_median.count()) * 100;
    result.repetitions = static_cast<std::uint32_t>(all.size());
    return result;
}

std::vector<fs::path> record_suite(const RecordOptions& options, const Programs& programs,
                                   const fs::path& folder, const Progress& progress,
                                   const std::function<void(const std::string&)>& complain,
                                   const std::atomic<bool>& stop) {
    const auto cases = chosen_cases(options.cases);
    std::size_t steps = 0;
    for (const auto& one : cases) {
        steps += steps_of(one, options);
    }
    std::size_t before = 0;
    std::vector<fs::path> recorded;
    for (const auto& one : cases) {
        if (stop) {
            break;
        }
        std::size_t done = before;
        const auto next_step = [&](const std::string& next) { progress(done++, steps, next); };
        const auto own = folder / one.name;
        try {
            if (CaseRecorder{one, options, programs, own, next_step, stop}.record()) {
                recorded.push_back(own);
            }
        } catch (const Error& error) {
            complain(fmt::format("{}: {}", one.name, error.what()));
        }
        before += steps_of(one, options);
    }
    return recorded;
}

}  // namespace overcast
