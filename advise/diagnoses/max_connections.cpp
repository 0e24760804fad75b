#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "forecast/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_max_connections(const Case& seen) {
    const auto& program = seen.program;
    const auto usual = program.model.channels.max_connections;
    const auto set = program.workload.max_connections;
    const auto now = set.value_or(usual);
    std::vector<std::uint32_t> held_up;
    for (std::uint32_t i = 0; i < program.played.entries.size(); ++i) {
        if (program.played.entries[i].waited_for == WaitReason::channel) {
            held_up.push_back(i);
        }
    }
    if (now >= usual && (held_up.empty() || now >= kMostConnections)) {
        return std::nullopt;
    }
    const auto wanted = now < usual && program.streams.size() <= usual ? usual : kMostConnections;
    const auto channels = channels_under(program.model.channels, set);
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} on {} for kernels, {} for copies to the device, {} for copies to "
        "the host (CUDA_DEVICE_MAX_CONNECTIONS {}); {} behind another stream's",
        number_in_words(program.streams.size(), "stream"),
        number_in_words(channels.compute.size(), "channel"), channels.h2d.size(),
        channels.d2h.size(),
        set ? fmt::format("is {}", *set) : fmt::format("is not set: {}", usual),
        held_up.size() == 1 ? "1 operation waits"
                            : fmt::format("{} operations wait", held_up.size()));
    finding.occurrences = std::max<std::size_t>(held_up.size(), 1);
    finding.operations = std::move(held_up);
    finding.change = fmt::format("CUDA_DEVICE_MAX_CONNECTIONS={} ./program", wanted);
    finding.remove = [wanted](Scenario& scenario) { scenario.workload.max_connections = wanted; };
    return finding;
}

}  // namespace

DiagnosisRow max_connections() {
    return {"max-connections", "Streams share hardware channels",
            "CUDA_DEVICE_MAX_CONNECTIONS leaves fewer channels than streams: false dependencies",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#env-vars",
            find_max_connections};
}

}  // namespace overcast
