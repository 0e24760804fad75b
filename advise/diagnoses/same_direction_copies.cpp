#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_same_direction_copies(const Case& seen) {
    const auto& program = seen.program;
    if (program.streams.size() < 2 || program.model.copy_service == CopyService::fair_share) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t i = 0; i < program.played.entries.size(); ++i) {
        if (program.played.entries[i].waited_for == WaitReason::copy_engine) {
            waiting.push_back(i);
        }
    }
    if (waiting.empty()) {
        return std::nullopt;
    }
    auto shared = unchanged(program);
    shared.model.copy_service = CopyService::fair_share;
    const auto wall = play(shared).timeline.wall;
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} for another copy of their direction: one engine serves copies to the device, one "
        "copies to the host",
        waiting.size() == 1 ? "1 copy waits" : fmt::format("{} copies wait", waiting.size()));
    finding.operations = std::move(waiting);
    finding.change = "// none: more streams do not make copies of one direction faster";
    finding.verdict = Verdict::nothing_to_gain;
    finding.reason = fmt::format(
        "side by side they would share the link: {} instead of {} if engines served them so",
        time_in_words(wall), time_in_words(program.played.wall));
    return finding;
}

}  // namespace

DiagnosisRow same_direction_copies() {
    return {"same-direction-copies", "Copies of one direction run one after the other",
            "copies of several streams that wait for their engine: nothing to gain from streams",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#concurrent-data-transfers",
            find_same_direction_copies};
}

}  // namespace overcast
