#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace overcast {
namespace {

/// Device memory that the copies and memsets of the first unit touch.
std::uint64_t footprint_of_a_unit(const Workload& workload) {
    std::set<BufferIndex> touched;
    for (const auto& operation : workload.operations) {
        if (operation.unit != UnitIndex{0}) {
            continue;
        }
        if (const auto* copy = std::get_if<Copy>(&operation.action)) {
            for (const auto& buffer : {copy->source_buffer, copy->destination_buffer}) {
                if (buffer && workload.buffers[index(*buffer)].kind == MemoryKind::device) {
                    touched.insert(*buffer);
                }
            }
        } else if (const auto* memset = std::get_if<Memset>(&operation.action);
                   memset != nullptr && memset->buffer) {
            touched.insert(*memset->buffer);
        }
    }
    std::uint64_t bytes = 0;
    for (const auto buffer : touched) {
        bytes += workload.buffers[index(buffer)].bytes.value_or(Bytes{}).count();
    }
    return bytes;
}

/// Kernels that wait for the DRAM already do not live on the L2.
bool lives_on_dram(const Workload& workload) {
    constexpr double kMost = 0.5;
    return std::ranges::any_of(workload.kernels, [](const Kernel& kernel) {
        return kernel.counters && (*kernel.counters)[KernelCounter::dram].value_or(0) > kMost;
    });
}

std::optional<DiagnosisFinding> find_l2_footprint(const Case& seen) {
    constexpr std::uint32_t kWorthTrying = 16;
    const auto& workload = seen.program.workload;
    const auto& cache = seen.program.model.device.l2_cache;
    const bool kernels = std::ranges::any_of(workload.operations, [](const Operation& operation) {
        return std::holds_alternative<KernelLaunch>(operation.action);
    });
    if (!cache || workload.units < 2 || !kernels || lives_on_dram(workload)) {
        return std::nullopt;
    }
    const auto bytes = footprint_of_a_unit(workload);
    if (bytes == 0 || bytes > cache->count() || bytes * kWorthTrying <= cache->count()) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "a unit's data of {} fits the L2 cache of {}, that of {} streams does not",
        bytes_in_words(bytes), bytes_in_words(cache->count()), cache->count() / bytes + 1);
    finding.occurrences = 1;
    finding.change = fmt::format("// at most {}, or smaller units",
                                 number_in_words(cache->count() / bytes, "stream"));
    finding.verdict = Verdict::not_priced;
    finding.reason =
        "kernels that read what their copy has just brought may be slower than recorded; the "
        "model does not know by how much";
    return finding;
}

}  // namespace

DiagnosisRow l2_footprint() {
    return {"l2-footprint", "The data of several streams exceeds the L2 cache",
            "one unit's data fits the cache, that of several at a time does not",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"
            "#device-memory-l2-access-management",
            find_l2_footprint};
}

}  // namespace overcast
