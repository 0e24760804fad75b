#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace overcast {
namespace {

/// A call, and how much of it was spent on loading code.
struct Loading {
    std::uint32_t operation = 0;
    Duration time{};
};

bool loads_code(OverheadKind kind) {
    return kind == OverheadKind::lazy_loading || kind == OverheadKind::module_loading ||
           kind == OverheadKind::driver_compiler;
}

/// What the recorder says.
std::vector<Loading> reported(const RecordedProgram& program) {
    std::vector<Loading> found;
    const auto& calls = program.measured.entries;
    for (const auto& overhead : program.trace.overheads) {
        const auto at = to_timeline(overhead.start, program.region_start);
        if (!loads_code(overhead.kind) || calls.empty() || at < calls.front().call_start) {
            continue;
        }
        const auto call = std::ranges::find_if(calls, [&](const auto& entry) {
            return entry.call_start <= at && at < entry.call_end;
        });
        if (call != calls.end()) {
            found.push_back(
                {static_cast<std::uint32_t>(call - calls.begin()), overhead.end - overhead.start});
        }
    }
    return found;
}

/// Without such records: the first launch of a kernel that took many times as long as launches do.
std::vector<Loading> guessed(const RecordedProgram& program) {
    constexpr auto kLong = std::chrono::microseconds{100};
    constexpr int kTimes = 10;
    std::vector<Duration> launches;
    std::vector<Loading> first;
    std::set<KernelIndex> known;
    for (std::uint32_t i = 0; i < program.workload.operations.size(); ++i) {
        const auto& operation = program.workload.operations[i];
        const auto* launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch == nullptr) {
            continue;
        }
        const auto& call = program.measured.entries[i];
        const auto taken = call.call_end - call.call_start;
        launches.push_back(taken);
        if (known.insert(launch->kernel).second && taken > operation.call_cost + kLong) {
            first.push_back({i, taken - operation.call_cost});
        }
    }
    const auto usual = median_of(launches);
    std::erase_if(first, [&](const Loading& loading) { return loading.time < kTimes * usual; });
    return first;
}

std::optional<DiagnosisFinding> find_lazy_loading(const Case& seen) {
    auto loads = reported(seen.program);
    if (loads.empty()) {
        loads = guessed(seen.program);
    }
    if (loads.empty()) {
        return std::nullopt;
    }
    Duration total{};
    DiagnosisFinding finding;
    for (const auto& [operation, time] : loads) {
        total += time;
        finding.operations.push_back(operation);
    }
    finding.evidence = fmt::format(
        "{} loaded code in the middle of the work, {} in all (other predictions leave that out)",
        number_in_words(loads.size(), "call"), time_in_words(total));
    finding.change =
        "CUDA_MODULE_LOADING=EAGER ./program\n"
        "kernel<<<1, 1, 0, stream>>>(…);   // or each once before the loop";
    finding.put_back = [loads](Scenario& scenario) {
        for (const auto& [operation, time] : loads) {
            scenario.workload.operations[operation].call_cost += time;
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow lazy_loading() {
    return {"lazy-loading", "Kernels are loaded at their first launch",
            "first launches that load code: they hold the host, and may wait for the device",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#lazy-loading",
            find_lazy_loading};
}

}  // namespace overcast
