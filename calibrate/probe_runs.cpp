#include "calibrate/probe_runs.hpp"

#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "tracer/launcher/captured_process.hpp"
#include "tracer/launcher/spool_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace overcast {
namespace {

namespace fs = std::filesystem;

std::string last_line(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    const auto begin = text.find_last_of('\n');
    return begin == std::string::npos ? text : text.substr(begin + 1);
}

std::string_view words(ProbeMode mode) {
    switch (mode) {
        case ProbeMode::full: return "--record full";
        case ProbeMode::minimal: return "--record minimal";
        case ProbeMode::untraced: break;
    }
    return "untraced";
}

}  // namespace

void ProbeRuns::add(const ProbeStep& step, ProbeRun run) {
    runs_[{step.probe, step.mode}].push_back(std::move(run));
}

void ProbeRuns::add_failure(const ProbeStep& step, const std::string& reason) {
    failures_.push_back({fmt::format("{}, {}", step.probe, words(step.mode)), reason});
}

const std::vector<ProbeRun>& ProbeRuns::all(std::string_view probe, ProbeMode mode) const {
    static const std::vector<ProbeRun> kNone;
    const auto found = runs_.find({std::string{probe}, mode});
    return found == runs_.end() ? kNone : found->second;
}

const ProbeRun& ProbeRuns::get(std::string_view probe, ProbeMode mode) const {
    const auto& found = all(probe, mode);
    if (found.empty()) {
        throw ModelFileError(fmt::format("the probe {} did not run {}", probe, words(mode)));
    }
    return found.front();
}

std::vector<ProbeStep> probe_steps(bool quick) {
    using enum ProbeMode;
    std::vector<ProbeStep> steps{
        {"machine", untraced},
        {"channels", full},
        {"copies", full},
        {"copies", untraced},
        {"back_to_back", full},
        {"back_to_back", untraced},
        {"duplex", full},
        {"gaps_idle", full},
        {"gaps_idle", untraced},
        {"gaps", untraced},
        {"host_waits", full},
        {"host_waits", untraced},
        {"events", untraced},
        {"inline_copies", full},
        {"pageable", full},
        {"device_copies", full},
        {"waiting_slowdown", untraced},
        {"queue_depth", untraced},
        {"residency", untraced},
        {"channel_rules", full},
    };
    // What differs from process to process is measured in several: a process runs at one of several
    // speeds on the host, from its start to its end.
    for (int i = 0; i < (quick ? 0 : 2); ++i) {
        steps.push_back({"gaps_idle", full});
        steps.push_back({"gaps_idle", untraced});
    }
    for (int i = 0; i < (quick ? 1 : 5); ++i) {
        for (const auto mode : {untraced, full, minimal}) {
            steps.push_back({"host_calls", mode, false});
        }
    }
    return steps;
}

ProbePrograms ProbePrograms::beside_this_one() {
    std::error_code failed;
    ProbePrograms programs;
    programs.overcast = fs::read_symlink("/proc/self/exe", failed);
    programs.probes = programs.overcast.parent_path() / "overcast-probes";
    if (failed || !fs::exists(programs.probes, failed)) {
        throw Error(fmt::format(
            "{} is not there: it holds the probes and is built where nvcc is installed; build "
            "Overcast with the CUDA toolkit",
            programs.probes.string()));
    }
    return programs;
}

ProbeRun run_probe(const ProbeStep& step, bool quick, const ProbePrograms& programs) {
    std::vector<std::string> command{programs.probes.string(), step.probe};
    if (quick) {
        command.emplace_back("--quick");
    }
    const SpoolFolder folder;
    const auto file = folder.path() / "probe.json.gz";
    if (step.mode != ProbeMode::untraced) {
        const std::vector<std::string> tracing{programs.overcast.string(),
                                               "trace",
                                               "--record",
                                               step.mode == ProbeMode::full ? "full" : "minimal",
                                               "-o",
                                               file.string(),
                                               "--"};
        command.insert(command.begin(), tracing.begin(), tracing.end());
    }
    // What the user set for a program of theirs would be measured as if it were the device.
    const auto result = run_captured(command, {{"CUDA_DEVICE_MAX_CONNECTIONS", ""},
                                               {"CUDA_LAUNCH_BLOCKING", ""},
                                               {"CUDA_DEVICE_MAX_COPY_CONNECTIONS", ""},
                                               {"CUDA_SCALE_LAUNCH_QUEUES", ""}});
    if (result.status != 0) {
        const auto why = last_line(result.errors);
        throw Error(fmt::format("status {}{}{}", result.status, why.empty() ? "" : ": ", why));
    }
    ProbeRun run;
    run.output = parse_probe_output(result.output);
    if (step.mode != ProbeMode::untraced) {
        std::error_code failed;
        if (!fs::exists(file, failed)) {
            throw Error(fmt::format("nothing was recorded: {}", last_line(result.errors)));
        }
        if (step.read_trace) {
            run.trace = std::make_shared<const Trace>(read_trace(file));
            run.phases = cut_into_phases(*run.trace, run.output);
        }
    }
    return run;
}

}  // namespace overcast
