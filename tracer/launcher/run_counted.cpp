#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "tracer/launcher/child_process.hpp"
#include "tracer/launcher/launcher.hpp"
#include "tracer/launcher/merge_counters.hpp"
#include "tracer/launcher/output_path.hpp"
#include "tracer/launcher/say.hpp"
#include "tracer/launcher/spool_to_trace.hpp"
#include "tracer/launcher/tracer_library.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

namespace overcast {
namespace {

struct Counted {
    MergedCounters merged;
    std::uint32_t passes = 0;
    std::optional<std::string> reason;  ///< why counting ended early, or never began
};

/// What every process of the program counted, into `trace`.
Counted collect(const std::filesystem::path& folder, Trace& trace) {
    Counted result;
    for (const auto& file : spool_files(folder)) {
        try {
            const auto process = read_spool(file);
            if (process.tracing_off && !result.reason) {
                result.reason = process.tracing_off;
            }
            result.passes = std::max(result.passes, process.counter_passes);
            if (!std::ranges::any_of(process.trace.counters, [](const KernelCounters& counters) {
                    return counters.measured_launches > 0;
                })) {
                continue;
            }
            auto merged = merge_counters(process.trace, trace);
            result.merged.kernels += merged.kernels;
            result.merged.measured_launches += merged.measured_launches;
            for (auto& warning : merged.warnings) {
                add_warning(result.merged.warnings, std::move(warning));
            }
        } catch (const Error& error) {
            result.reason = error.what();
        }
    }
    return result;
}

void report(const Counted& counted, const CountOptions& options) {
    if (counted.merged.kernels == 0) {
        say("{} stays as it is: {}", options.trace.string(),
            counted.reason.value_or("no kernel of it was launched, or no CUDA call was made"));
        return;
    }
    say("counters of {} kernels, from {} launches run {} times each -> {}", counted.merged.kernels,
        counted.merged.measured_launches, counted.passes, options.trace.string());
    if (counted.reason) {
        say("warning: counting stopped early: {}", *counted.reason);
    }
    for (const auto& warning : counted.merged.warnings) {
        say("warning: {}", warning.text);
    }
}

int count(const CountOptions& options, const TraceReader& read, const TraceWriter& write) {
    auto trace = read(options.trace);
    check_writable(options.trace);
    const auto library = options.tracer_library ? options.tracer_library : find_tracer_library();
    Environment environment;
    const TemporaryFolder spools;
    if (library) {
        environment = {{"CUDA_INJECTION64_PATH", library->string()},
                       {"OVERCAST_SPOOL_FOLDER", spools.path().string()},
                       {"OVERCAST_COUNTERS", std::to_string(options.launches)}};
    } else {
        say("this build of overcast has no tracer (libovercast-tracer.so was not found beside it): "
            "the program runs uncounted");
    }
    const auto child = run_child(options.command, environment);
    if (child.exec_error) {
        fmt::print(stderr, "error: cannot run '{}': {}\n", options.command.front(),
                   std::strerror(*child.exec_error));
        return *child.exec_error == ENOENT || *child.exec_error == ENOTDIR ? kNotFound
                                                                           : kNotExecutable;
    }
    const auto counted = collect(spools.path(), trace);
    if (counted.merged.kernels > 0) {
        write(trace, options.trace);
    }
    report(counted, options);
    return child.status;
}

}  // namespace

int run_counted(const CountOptions& options, const TraceReader& read, const TraceWriter& write) {
    try {
        return count(options, read, write);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return kLauncherFailed;
    }
}

}  // namespace overcast
