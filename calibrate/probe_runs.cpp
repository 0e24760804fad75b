#include "calibrate/probe_runs.hpp"

#include "core/error.hpp"
#include "core/own_executable.hpp"
#include "core/record_mode.hpp"
#include "core/temporary_folder.hpp"
#include "formats/format_table.hpp"
#include "tracer/launcher/captured_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

namespace overcast {
namespace {

namespace fs = std::filesystem;

std::string last_line(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    const auto begin = text.find_last_of('\n');
    return begin == std::string::npos ? text : text.substr(begin + 1);
}

RecordMode record_mode_of(ProbeMode mode) {
    return mode == ProbeMode::light     ? RecordMode::light
           : mode == ProbeMode::minimal ? RecordMode::minimal
                                        : RecordMode::full;
}

std::string words(ProbeMode mode) {
    switch (mode) {
        case ProbeMode::full:
        case ProbeMode::light:
        case ProbeMode::minimal: return fmt::format("--record {}", to_string(record_mode_of(mode)));
        case ProbeMode::counted: return "counted";
        case ProbeMode::untraced: break;
    }
    return "untraced";
}

std::string words(ProbeMode mode, std::optional<std::uint32_t> connections) {
    return connections ? fmt::format("{}, {} connections", words(mode), *connections) : words(mode);
}

/// What runs traced, a process each.
constexpr const char* kTraced[] = {
    "copies",     "back_to_back",  "duplex",         "host_waits",          "inline_copies",
    "pageable",   "device_copies", "memory_kernels", "gaps_between_copies", "copy_overlap",
    "copy_queue", "cold_calls",    "kernel_edges",   "late_ends",           "tensor_clock",
};

/// What runs untraced, a process each.
constexpr const char* kUntraced[] = {
    "copies",
    "back_to_back",
    "gaps",
    "gaps_at_work",
    "gaps_beside_copies",
    "host_waits",
    "events",
    "waiting_slowdown",
    "duplex_chains",
    "slowdown_to_host",
    "waiting_turnaround",
    "copy_queue",
    "inline_calls",
    ("queue_depth placement residency implicit_waits graphs host_objects device_copies way_to_l2 "
     "sm_ends fast_sms clusters memory_queue full_pipe"),
};

CapturedResult run_program(const std::vector<std::string>& command,
                           std::optional<std::uint32_t> connections = {}) {
    // What the user set for a program of theirs would be measured as if it were the device.
    auto result = run_captured(
        command, {{"CUDA_DEVICE_MAX_CONNECTIONS", connections ? std::to_string(*connections) : ""},
                  {"CUDA_LAUNCH_BLOCKING", ""},
                  {"CUDA_DEVICE_MAX_COPY_CONNECTIONS", ""},
                  {"CUDA_SCALE_LAUNCH_QUEUES", ""}});
    if (result.status != 0) {
        const auto why = last_line(result.errors);
        throw Error(fmt::format("status {}{}{}", result.status, why.empty() ? "" : ": ", why));
    }
    return result;
}

std::string joined(std::span<const char* const> probes) {
    return fmt::format("{}", fmt::join(probes, " "));
}

std::vector<std::string> names_in(const std::string& words) {
    std::istringstream stream{words};
    return {std::istream_iterator<std::string>{stream}, {}};
}

/// What one of several probes in a process printed, and its phases.
ProbeRun own_part(const ProbeRun& run, const std::string& probe) {
    ProbeRun part{parse_probe_output(run.printed, probe), run.trace, {}, {}};
    std::ranges::copy_if(run.phases, std::back_inserter(part.phases),
                         [&](const Phase& phase) { return phase.label.probe == probe; });
    return part;
}

/// Hardware counters of a probe into its recording. Throws Error where there are none.
void count_kernels(const ProbePrograms& programs, const std::string& probe, const fs::path& file) {
    const auto result = run_program({programs.overcast.string(), "trace", "--counters-into",
                                     file.string(), "--", programs.probes.string(), probe});
    if (read_trace(file).counters.empty()) {
        throw Error(last_line(result.errors));
    }
}

}  // namespace

std::vector<ProbeStep> one_by_one(const ProbeStep& step) {
    std::vector<ProbeStep> steps;
    for (auto& name : names_in(step.probe)) {
        steps.push_back(step);
        steps.back().probe = std::move(name);
    }
    return steps;
}

void ProbeRuns::add(const ProbeStep& step, const ProbeRun& run) {
    const auto names = names_in(step.probe);
    for (const auto& name : names) {
        runs_[{name, step.mode, step.connections}].push_back(
            names.size() == 1 ? run : own_part(run, name));
    }
}

void ProbeRuns::add_failure(const ProbeStep& step, const std::string& reason) {
    failures_.push_back(
        {fmt::format("{}, {}", step.probe, words(step.mode, step.connections)), reason});
}

const std::vector<ProbeRun>& ProbeRuns::all(std::string_view probe, ProbeMode mode,
                                            Connections connections) const {
    static const std::vector<ProbeRun> kNone;
    const auto found = runs_.find({std::string{probe}, mode, connections});
    return found == runs_.end() ? kNone : found->second;
}

const ProbeRun& ProbeRuns::get(std::string_view probe, ProbeMode mode,
                               Connections connections) const {
    const auto& found = all(probe, mode, connections);
    if (found.empty()) {
        throw ProbeDidNotRun(
            fmt::format("the probe {} did not run {}", probe, words(mode, connections)));
    }
    return found.front();
}

std::vector<ProbeStep> probe_steps(bool quick) {
    using enum ProbeMode;
    std::vector<ProbeStep> steps{
        {"machine", untraced},         {"channels", full},      {"channel_rules", full},
        {"gaps_idle", full},           {"gaps_idle", untraced}, {"gaps_idle", light, false},
        {"gaps_idle", minimal, false},
    };
    if (quick) {  // in one process: its start takes as long as what it measures
        steps.push_back({joined(kTraced) + " copy_decisions", full});
        steps.push_back({joined(kUntraced), untraced});
    } else {
        for (const auto* probe : kTraced) {
            steps.push_back({probe, full});
        }
        for (int i = 0; i < 3; ++i) {
            steps.push_back({"copy_decisions", full});
        }
        steps.push_back({"l2_retention", full});
        steps.push_back({"l2_halves", untraced});
        steps.push_back({"units", counted});  // each kernel several times: as long as five others
        for (const auto* probes : kUntraced) {
            steps.push_back({probes, untraced});
        }
    }
    steps.push_back({"gaps_many", untraced, false, 32});
    for (const auto connections : kMeasuredConnections) {
        if (!quick || connections == std::ranges::min(kMeasuredConnections) ||
            connections == std::ranges::max(kMeasuredConnections)) {
            steps.push_back({"channels", full, true, connections});
        }
    }
    // What differs from process to process is measured in several: a process runs at one of several
    // speeds on the host, from its start to its end, and slows copies while channels wait at one of
    // two.
    for (int i = 0; i < (quick ? 0 : 2); ++i) {
        for (const auto mode : {full, untraced, light, minimal}) {
            steps.push_back({"gaps_idle", mode, mode == full || mode == untraced});
        }
        steps.push_back({"waiting_slowdown", untraced});
        steps.push_back({"duplex_chains copy_queue", untraced});
        steps.push_back({"copy_queue cold_calls", full});
    }
    for (int i = 0; i < (quick ? 1 : 3); ++i) {
        steps.push_back({"launch_parameters first_calls host_threads", untraced});
    }
    for (int i = 0; i < (quick ? 1 : 5); ++i) {
        steps.push_back({"host_calls stream_changes calls_beside_copies", untraced});
        for (const auto mode : {full, light, minimal}) {
            steps.push_back({"host_calls", mode, !quick});
        }
    }
    return steps;
}

ProbePrograms ProbePrograms::beside_this_one() {
    auto probes = program_beside_this_one(
        "overcast-probes",
        "it holds the probes and is built where nvcc is installed; build Overcast with the CUDA "
        "toolkit");
    return {own_executable().value(), std::move(probes)};
}

ProbeRun run_probe(const ProbeStep& step, bool quick, const ProbePrograms& programs) {
    std::vector<std::string> command{programs.probes.string()};
    std::ranges::move(names_in(step.probe), std::back_inserter(command));
    if (quick) {
        command.emplace_back("--quick");
    }
    const TemporaryFolder folder;
    const auto file = folder.path() / "probe.json.gz";
    if (step.mode != ProbeMode::untraced) {
        const std::vector<std::string> tracing{programs.overcast.string(),
                                               "trace",
                                               "--record",
                                               std::string{to_string(record_mode_of(step.mode))},
                                               "-o",
                                               file.string(),
                                               "--"};
        command.insert(command.begin(), tracing.begin(), tracing.end());
    }
    const auto result = run_program(command, step.connections);
    ProbeRun run;
    run.output = parse_probe_output(result.output);
    run.printed = result.output;
    if (step.mode != ProbeMode::untraced) {
        std::error_code failed;
        if (!fs::exists(file, failed)) {
            throw Error(fmt::format("nothing was recorded: {}", last_line(result.errors)));
        }
        if (step.mode == ProbeMode::counted) {
            count_kernels(programs, step.probe, file);
        }
        if (step.read_trace) {
            run.trace = std::make_shared<const Trace>(read_trace(file));
            run.phases = cut_into_phases(*run.trace, run.output);
        }
    }
    return run;
}

}  // namespace overcast
