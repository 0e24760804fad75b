#include "tracer/launcher/launcher.hpp"

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "tracer/launcher/child_process.hpp"
#include "tracer/launcher/cuda_driver.hpp"
#include "tracer/launcher/output_path.hpp"
#include "tracer/launcher/recorded_ranges.hpp"
#include "tracer/launcher/say.hpp"
#include "tracer/launcher/spool_to_trace.hpp"
#include "tracer/launcher/tracer_library.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>
#include <variant>

namespace overcast {
namespace {

Environment injection_environment(const TraceOptions& options, const std::filesystem::path& library,
                                  const std::filesystem::path& spool_folder) {
    return {{"CUDA_INJECTION64_PATH", library.string()},
            {"NVTX_INJECTION64_PATH", library.string()},
            {"OVERCAST_SPOOL_FOLDER", spool_folder.string()},
            {"OVERCAST_RECORD", std::string{to_string(options.mode)}},
            {"OVERCAST_RANGE", options.range}};
}

int report_exec_failure(const std::string& program, int error) {
    fmt::print(stderr, "error: cannot run '{}': {}\n", program, std::strerror(error));
    return error == ENOENT || error == ENOTDIR ? kNotFound : kNotExecutable;
}

bool has_work(const SpooledProcess& process) {
    return !process.trace.api_calls.empty() || !process.trace.activities.empty();
}

struct Recordings {
    std::vector<SpooledProcess> processes;  ///< in the order of their start
    std::vector<std::string> untraced;      ///< why recording was off, for those without work
};

Recordings read_recordings(const std::filesystem::path& folder) {
    Recordings recordings;
    for (const auto& file : spool_files(folder)) {
        try {
            auto process = read_spool(file);
            if (has_work(process)) {
                recordings.processes.push_back(std::move(process));
            } else if (process.tracing_off) {
                recordings.untraced.push_back(*process.tracing_off);
            }
        } catch (const Error& error) {
            recordings.untraced.emplace_back(error.what());
        }
    }
    std::ranges::sort(recordings.processes, {}, &SpooledProcess::started_ns);
    return recordings;
}

void add_quality_warnings(const SpooledProcess& process, Trace& trace) {
    const auto& quality = trace.quality;
    if (quality.dropped_records > 0) {
        add_warning(trace.warnings,
                    {"dropped-records", fmt::format("CUPTI dropped {} records: the trace has gaps",
                                                    quality.dropped_records)});
    }
    if (quality.zero_timestamps > 0) {
        add_warning(trace.warnings, {"zero-timestamps",
                                     fmt::format("{} records came without times and are left out",
                                                 quality.zero_timestamps)});
    }
    if (process.tracing_off) {
        add_warning(trace.warnings, {"tracing-stopped", fmt::format("recording stopped early: {}",
                                                                    *process.tracing_off)});
    } else if (process.signal) {
        add_warning(trace.warnings,
                    {"truncated", fmt::format("signal {} ended the program: work under way at that "
                                              "moment is missing",
                                              *process.signal)});
    } else if (!process.closed && kill(static_cast<pid_t>(process.process), 0) == 0) {
        add_warning(trace.warnings,
                    {"truncated", fmt::format("process {} still runs: the trace ends where the "
                                              "program that was started ended",
                                              process.process)});
    } else if (!process.closed) {
        add_warning(trace.warnings,
                    {"truncated",
                     "the program ended without warning: up to its last second may be "
                     "missing"});
    }
}

void complete(SpooledProcess& process, const TraceOptions& options) {
    auto& trace = process.trace;
    trace.producer = "overcast " OVERCAST_VERSION;
    trace.record_mode = options.mode;
    trace.driver_version = kernel_driver_version();
    trace.cuda_version = driver_cuda_version();
    add_quality_warnings(process, trace);
    keep_range(trace, options.range);
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string summary(const Trace& trace) {
    std::size_t kernels = 0;
    std::size_t copies = 0;
    for (const auto& activity : trace.activities) {
        if (std::holds_alternative<TracedKernel>(activity.what)) {
            ++kernels;
        } else if (std::holds_alternative<TracedCopy>(activity.what)) {
            ++copies;
        }
    }
    auto text = fmt::format("{}, {}, {}", counted(kernels, "kernel", "kernels"),
                            counted(copies, "copy", "copies"),
                            counted(trace.api_calls.size(), "API call", "API calls"));
    if (!trace.devices.empty()) {
        text += " on " + trace.devices.front().name;
        if (trace.devices.size() > 1) {
            text += fmt::format(" and {} more", trace.devices.size() - 1);
        }
    }
    return text;
}

void write_traces(Recordings& recordings, const TraceOptions& options,
                  const std::filesystem::path& pattern, const TraceWriter& write) {
    bool first = true;
    for (auto& process : recordings.processes) {
        complete(process, options);
        const auto file = output_for(pattern, process.process, first);
        first = false;
        write(process.trace, file);
        say("{} -> {}", summary(process.trace), file.string());
        for (const auto& warning : process.trace.warnings) {
            say("warning: {}", warning.text);
        }
    }
}

/// Nothing was recorded: says why, as far as that can be known.
void explain_nothing(const Recordings& recordings) {
    for (const auto& reason : recordings.untraced) {
        say("the program ran untraced: {}", reason);
    }
    if (!recordings.untraced.empty() || !recordings.processes.empty()) {
        return;
    }
    if (const auto reason = why_no_device()) {
        say("nothing was recorded: {}", *reason);
    } else {
        say("the program made no CUDA call: no trace was written");
    }
}

int run_untraced(const TraceOptions& options) {
    say("this build of overcast has no tracer (libovercast-tracer.so was not found beside it): the "
        "program runs untraced");
    const auto child = run_child(options.command, {});
    return child.exec_error ? report_exec_failure(options.command.front(), *child.exec_error)
                            : child.status;
}

int trace(const TraceOptions& options, const TraceWriter& write) {
    check_range(options.range);
    const auto pattern = options.output.value_or(default_output(options.command.front()));
    check_writable(pattern);
    const auto library = options.tracer_library ? options.tracer_library : find_tracer_library();
    if (!library) {
        return run_untraced(options);
    }
    const TemporaryFolder spools;
    const auto child =
        run_child(options.command, injection_environment(options, *library, spools.path()));
    if (child.exec_error) {
        return report_exec_failure(options.command.front(), *child.exec_error);
    }
    auto recordings = read_recordings(spools.path());
    write_traces(recordings, options, pattern, write);
    explain_nothing(recordings);
    return child.status;
}

}  // namespace

int run_traced(const TraceOptions& options, const TraceWriter& write) {
    try {
        return trace(options, write);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return kLauncherFailed;
    }
}

}  // namespace overcast
