#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace overcast {
namespace {

/// Calls that make something which could be made once. They cost host time; those that map new
/// device memory also wait for copies to the device (HostCall).
bool makes_an_object(std::string_view call) {
    constexpr std::array<std::string_view, 10> kPrefixes{
        "cudaMalloc",      "cuMemAlloc",        "cudaHostAlloc",    "cudaHostRegister",
        "cuMemHostAlloc",  "cuMemHostRegister", "cudaStreamCreate", "cuStreamCreate",
        "cudaEventCreate", "cuEventCreate"};
    for (const auto prefix : kPrefixes) {
        if (call.starts_with(prefix)) {
            return true;
        }
    }
    return call.starts_with("cudaStreamDestroy") || call.starts_with("cudaEventDestroy") ||
           call.starts_with("cudaFreeAsync") || call.starts_with("cudaHostUnregister");
}

std::optional<DiagnosisFinding> find_allocation_in_loop(const Case& seen) {
    const auto& workload = seen.program.workload;
    const auto test = [names = &workload.names](const Operation& operation) {
        return std::holds_alternative<HostCall>(operation.action) &&
               makes_an_object((*names)[operation.name]);
    };
    auto calls = inner_operations_where(workload, test);
    if (calls.empty()) {
        return std::nullopt;
    }
    Duration spent{};
    std::map<std::string_view, std::uint64_t> counts;
    for (const auto i : calls) {
        const auto& call = seen.program.played.entries[i];
        spent += call.call_end - call.call_start;
        ++counts[workload.names[workload.operations[i].name]];
    }
    std::string names;
    for (const auto& [name, count] : counts) {
        names += fmt::format("{}{} {}", names.empty() ? "" : ", ", count, name);
    }
    DiagnosisFinding finding;
    finding.evidence =
        fmt::format("{} between other work take {} of host time", names, time_in_words(spent));
    finding.operations = std::move(calls);
    finding.change =
        "cudaMalloc(&memory, bytes);   // once, before the loop\n"
        "cudaMallocAsync(&memory, bytes, stream);   // or from the stream's pool";
    finding.remove = [](Scenario& scenario) {
        remove_inner_calls(scenario.workload, [&](const Operation& operation) {
            return std::holds_alternative<HostCall>(operation.action) &&
                   makes_an_object(scenario.workload.names[operation.name]);
        });
    };
    return finding;
}

}  // namespace

DiagnosisRow allocation_in_loop() {
    return {"allocation-in-loop", "Memory, streams or events are made between operations",
            "cudaMalloc, cudaHostAlloc, cudaStreamCreate and the like: host time",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"
            "#stream-ordered-memory-allocator",
            find_allocation_in_loop};
}

}  // namespace overcast
