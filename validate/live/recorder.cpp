#include "validate/live/recorder.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "core/utc_time.hpp"
#include "formats/format_table.hpp"
#include "tracer/launcher/cuda_driver.hpp"
#include "validate/live/kept_recording.hpp"
#include "validate/truth/recorded_truth_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace overcast {
namespace {

namespace fs = std::filesystem;

/// Of so many recordings of a case the one at the first quartile of the time at work is kept:
/// processes differ, and what else host and GPU do only slows them. Passes of the truth that it
/// slowed are made again; a recording is one pass and cannot be. Of three that is the fastest.
/// Copies of pageable memory scatter by themselves from process to process, to either side: there
/// the middle one is kept. Of timelines the most typical one is.
constexpr std::uint32_t kRecordings = 3;
constexpr std::uint32_t kRecordingsOfHostBound = 12;
constexpr std::uint32_t kRecordingsOfPageable = 11;
constexpr std::uint32_t kTimelines = 5;

bool is_pageable(const SuiteCase& one) { return one.memory == MemoryKind::pageable; }

/// Cases whose truth needs many series are those that the host bounds, and pageable ones.
bool needs_many_series(const SuiteCase& one) { return one.series > 2; }
bool bound_by_host(const SuiteCase& one) { return needs_many_series(one) && !is_pageable(one); }

std::uint32_t recordings_of(const SuiteCase& one) {
    return is_pageable(one)     ? kRecordingsOfPageable
           : bound_by_host(one) ? kRecordingsOfHostBound
                                : kRecordings;
}

std::uint32_t timelines_of(const SuiteCase& one) { return one.members ? 1 : kTimelines; }

/// A run whose two series lie further apart, as a share of the lower one, met others' work in one
/// of them: so many further ones decide.
constexpr double kSettled = 0.05;
constexpr std::uint32_t kFurtherSeries = 2;

Duration median_wall(const MeasuredSeries& series) { return median_of(series.walls); }

bool settled(const std::vector<MeasuredSeries>& series) {
    if (series.empty()) {
        return true;
    }
    const auto [lowest, highest] = std::ranges::minmax(series, {}, median_wall);
    return median_wall(highest) - median_wall(lowest) <=
           std::chrono::duration_cast<Duration>(median_wall(lowest) * kSettled);
}

/// The recording than which one of `part` was faster at work.
std::size_t quiet_one(const std::vector<fs::path>& recordings, std::size_t part) {
    std::vector<std::pair<Duration, std::size_t>> times;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        times.emplace_back(time_at_work(read_trace(recordings[i])), i);
    }
    std::ranges::sort(times);
    return times[times.size() / part].second;
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
          series_(runs_.size(), SeriesOfMembers(one.members ? one.members->count() : 1)) {}

    /// Why there are no counters although they were asked for; empty where nothing is wrong.
    [[nodiscard]] const std::string& uncounted() const { return uncounted_; }

    /// True where there is something to judge: a trace and at least one run.
    bool record() {
        fs::create_directories(folder_);
        record_trace();
        if (options_.counters && !stop_) {
            next_step_(one_.name + ", counters");
            count_kernels();
        }
        for (std::uint32_t series = 0; series < one_.series; ++series) {
            for (std::size_t i = 0; i < runs_.size() && !stop_; ++i) {
                next_step_(words_of(runs_[i]));
                measure(i);
            }
        }
        measure_the_unsettled();
        for (auto& run : runs_) {
            run.timeline =
                run.timeline && options_.timelines &&
                keep_one_recording(words_of(run) + ", timeline", run, folder_ / timeline_file(run),
                                   timelines_of(one_), most_typical);
        }
        return write_truth();
    }

private:
    [[nodiscard]] std::string words_of(const SuiteRun& run) const {
        return fmt::format(
            "{}, {} {}, {}", one_.name, to_string(run.transform), to_string(run.order),
            run.streams ? fmt::format("{} streams", *run.streams)
                        : fmt::format("{}, a stream for each unit", one_.members->in_words()));
    }

    [[nodiscard]] static std::string timeline_file(const SuiteRun& run) {
        return fmt::format("timelines/{}-{}-{}.json.gz", to_string(run.transform),
                           to_string(run.order), run.streams_word());
    }

    void trace_run(const SuiteRun& run, const fs::path& file, bool mark_units = false) {
        fs::create_directories(file.parent_path());
        std::vector<std::string> command{programs_.overcast.string(),
                                         "trace",
                                         "--range",
                                         "profiler-api",
                                         "-o",
                                         file.string(),
                                         "--record",
                                         "full",
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
        keep_one_recording(
            one_.name + ", recording", recorded_run(), folder_ / "trace.json.gz",
            recordings_of(one_),
            [this](const auto& files) { return quiet_one(files, is_pageable(one_) ? 2 : 4); },
            one_.unit.starts_with("nvtx:"));
    }

    using Choice = std::function<std::size_t(const std::vector<fs::path>&)>;

    /// False where it was stopped: then none is there.
    bool keep_one_recording(const std::string& step, const SuiteRun& run, const fs::path& file,
                            std::uint32_t of, const Choice& choose, bool mark_units = false) {
        const auto suffix = std::string{".json.gz"};
        const auto stem = file.string().substr(0, file.string().size() - suffix.size());
        std::vector<fs::path> recordings;
        for (std::uint32_t i = 0; i < of && !stop_; ++i) {
            next_step_(step);
            recordings.emplace_back(fmt::format("{}-{}{}", stem, i, suffix));
            trace_run(run, recordings.back(), mark_units);
        }
        const bool complete = !stop_;
        if (complete) {
            fs::rename(recordings[choose(recordings)], file);
        }
        std::error_code gone;
        for (const auto& recording : recordings) {
            fs::remove(recording, gone);
        }
        return complete;
    }

    /// The same one-stream run once more. What goes wrong leaves the trace as it is.
    void count_kernels() {
        const SuiteRun run = recorded_run();
        const auto file = folder_ / "trace.json.gz";
        std::vector<std::string> command{
            programs_.overcast.string(),        "trace", "--counters-into", file.string(), "--",
            programs_.cases.filename().string()};
        const auto arguments = case_arguments(one_, options_.preset, run);
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.emplace_back("--profile-one-pass");
        const auto result = run_captured(command, environment_);
        if (!stop_ && (result.status != 0 || read_trace(file).counters.empty())) {
            uncounted_ = "no counters: " + result.errors;
        }
    }

    [[nodiscard]] SuiteRun recorded_run() const {
        return {one_.sweeps.front().transform == Transform::replicate ? Transform::replicate
                                                                      : Transform::distribute,
                one_.recorded_order, 1, false};
    }

    /// Of a case that needs many series there are enough; one process of a case of many members
    /// measures them all, and some of them always differ.
    void measure_the_unsettled() {
        if (needs_many_series(one_) || one_.members) {
            return;
        }
        for (std::uint32_t further = 0; further < kFurtherSeries; ++further) {
            for (std::size_t i = 0; i < runs_.size() && !stop_; ++i) {
                if (!settled(series_[i].front())) {
                    measure(i);
                }
            }
        }
    }

    void measure(std::size_t i) {
        std::vector<std::string> command{programs_.cases.filename().string()};
        const auto arguments = case_arguments(one_, options_.preset, runs_[i]);
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.emplace_back("--repetitions");
        command.push_back(std::to_string(options_.repetitions));
        command.emplace_back("--json");
        const auto result = run_captured(command, environment_);
        if (stop_) {
            return;
        }
        must_succeed(result, command);
        auto answers = parse_series(one_, result.output);
        for (std::size_t member = 0; member < answers.size(); ++member) {
            series_[i][member].push_back(std::move(answers[member]));
        }
    }

    bool write_truth() {
        RecordedTruth truth;
        truth.case_name = one_.program;
        truth.preset = options_.preset;
        truth.unit = one_.unit;
        truth.driver = kernel_driver_version().value_or("unknown");
        truth.date = utc_time_now();
        truth.command = "overcast-cases";
        for (const auto& word : case_arguments(one_, options_.preset, runs_.front())) {
            truth.command += " " + word;
        }
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            for (const auto& series : series_[i]) {
                if (series.size() < one_.series) {
                    continue;  // interrupted: its noise would be unknown
                }
                auto run = combine_series(one_, runs_[i], series);
                if (runs_[i].timeline) {
                    run.timeline_file = timeline_file(runs_[i]);
                }
                truth.device = series.front().device;
                truth.runs.push_back(std::move(run));
            }
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

    /// Of each member (or of the one program) one series per process.
    using SeriesOfMembers = std::vector<std::vector<MeasuredSeries>>;

    const SuiteCase& one_;
    const RecordOptions& options_;
    const Programs& programs_;
    EnvironmentChanges environment_;
    fs::path folder_;
    std::function<void(const std::string&)> next_step_;
    const std::atomic<bool>& stop_;
    std::vector<SuiteRun> runs_;
    std::vector<SeriesOfMembers> series_;  ///< of each run
    std::string uncounted_;
};

std::size_t steps_of(const SuiteCase& one, const RecordOptions& options) {
    const auto runs = runs_of(one, options.streams);
    const auto timelines = options.timelines ? std::ranges::count_if(runs, &SuiteRun::timeline) : 0;
    return recordings_of(one) + (options.counters ? 1 : 0) + runs.size() * one.series +
           static_cast<std::size_t>(timelines) * timelines_of(one);
}

}  // namespace

std::vector<SuiteCase> chosen_cases(const std::vector<std::string>& names) {
    const auto rows = suite();
    std::vector<SuiteCase> chosen;
    if (names.empty()) {
        std::ranges::remove_copy_if(rows, std::back_inserter(chosen), &SuiteCase::only_if_named);
        return chosen;
    }
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
    result.streams = run.streams ? *run.streams : series.front().streams.value();
    if (series.front().range) {
        result.range = "nvtx:" + *series.front().range;
    }
    result.units = series.front().units;
    result.parts = series.front().parts;
    result.memory = one.memory;
    result.max_connections = one.max_connections;
    std::vector<Duration> all;
    for (const auto& single : series) {
        all.insert(all.end(), single.walls.begin(), single.walls.end());
        result.series_medians.push_back(median_of(single.walls));
    }
    result.wall_median = median_of(all);
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
            CaseRecorder recorder{one, options, programs, own, next_step, stop};
            if (recorder.record()) {
                recorded.push_back(own);
            }
            if (!recorder.uncounted().empty()) {
                complain(fmt::format("{}: {}", one.name, recorder.uncounted()));
            }
        } catch (const Error& error) {
            complain(fmt::format("{}: {}", one.name, error.what()));
        }
        before += steps_of(one, options);
    }
    return recorded;
}

}  // namespace overcast
