// What a recorder takes outside the times that it shows of calls.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

constexpr Duration kMost = std::chrono::microseconds{3};  // Assumes: beyond, it did other things

struct CallKind {
    std::string_view function;
    const char* name;
    Duration CallCosts::*place;
};

/// A synchronisation is not called in a row: it passes through the recorder as a query does.
constexpr CallKind kKinds[] = {
    {"cudaLaunchKernel", "kernel_launch_ns", &CallCosts::kernel_launch},
    {"cudaMemcpyAsync", "copy_ns", &CallCosts::copy},
    {"cudaMemsetAsync", "memset_ns", &CallCosts::memset},
    {"cudaEventRecord", "event_record_ns", &CallCosts::event_record},
    {"cudaStreamWaitEvent", "event_wait_ns", &CallCosts::event_wait},
    {"cudaStreamQuery", "synchronise_ns", &CallCosts::synchronise},
    {"cudaLaunchHostFunc", "host_function_ns", &CallCosts::host_function},
    {"cudaStreamQuery", "other_ns", &CallCosts::other},
};

/// From the end of each call of a function to the start of the next, where that is of the same one.
std::vector<double> times_between(const Trace& trace, std::string_view function) {
    std::vector<double> times;
    const ApiCall* before = nullptr;
    for (const auto& call : trace.api_calls) {
        const bool of_it = call.domain == ApiDomain::runtime && trace.names[call.name] == function;
        if (of_it && before != nullptr && before->thread == call.thread) {
            const auto between = call.start - before->end;
            if (between >= Duration{} && between < kMost) {
                times.push_back(nanoseconds(between));
            }
        }
        before = of_it ? &call : nullptr;
    }
    return times;
}

void set_between(const ProbeRuns& runs, Draft& draft, ProbeMode mode, const std::string& prefix,
                 CallCosts& costs, const char* words) {
    for (const auto& kind : kKinds) {
        std::vector<double> processes;
        for (const auto& run : runs.all("host_calls", mode)) {
            const auto times = times_between(*run.trace, kind.function);
            if (!times.empty()) {
                processes.push_back(median_of(times));
            }
        }
        if (processes.empty()) {
            throw ModelFileError(fmt::format(
                "the recordings of the probe host_calls have no two {} in a row", kind.function));
        }
        draft.set(prefix + kind.name, costs.*kind.place, fit_median(processes),
                  fmt::format("probe host_calls, --record {}: time between two {} in a row in the "
                              "recording, median of processes",
                              words, kind.function));
    }
}

}  // namespace

void measure_time_between_calls(const ProbeRuns& runs, Draft& draft) {
    for (const auto mode : {ProbeMode::full, ProbeMode::light, ProbeMode::minimal}) {
        if (runs.get("host_calls", mode).trace == nullptr) {
            throw ProbeDidNotRun("the recordings of host_calls are not read with --quick");
        }
    }
    set_between(runs, draft, ProbeMode::full, "host.traced_between.",
                draft.model.tracing_cost.traced.between, "full");
    set_between(runs, draft, ProbeMode::light, "host.light_traced_between.",
                draft.model.light_tracing.between, "light");
    set_between(runs, draft, ProbeMode::minimal, "host.minimal_traced_between.",
                draft.model.minimal_tracing.between, "minimal");
}

}  // namespace overcast
