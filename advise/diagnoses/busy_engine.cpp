#include "advise/diagnoses/all.hpp"
#include "advise/kernel_fill.hpp"
#include "advise/words.hpp"
#include "forecast/bound.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::string less_of(Bound bound) {
    switch (bound) {
        case Bound::h2d:
        case Bound::d2h: return "// move fewer bytes, or keep them on the device";
        case Bound::sm: return "// faster kernels";
        case Bound::host:
        case Bound::chain: break;
    }
    return {};
}

std::optional<DiagnosisFinding> find_busy_engine(const Case& seen) {
    const auto& program = seen.program;
    const auto shares = utilisation(program.workload, program.played);
    const auto bound = bound_by(shares);
    if (bound == Bound::host || bound == Bound::chain || program.workload.units < 2) {
        return std::nullopt;
    }
    if (bound == Bound::sm && !kernel_fill(program).dominates()) {
        return std::nullopt;  // a block is resident all the time, but there is room for others
    }
    const auto share = bound == Bound::h2d   ? shares.h2d
                       : bound == Bound::d2h ? shares.d2h
                                             : shares.sm;
    const auto* name = bound == Bound::h2d   ? "the H2D copy engine is"
                       : bound == Bound::d2h ? "the D2H copy engine is"
                                             : "the SMs are";
    DiagnosisFinding finding;
    finding.evidence = fmt::format("{} busy {:.0f} % of the time as recorded", name, 100 * share);
    finding.occurrences = 1;
    finding.change = less_of(bound);
    finding.verdict = Verdict::nothing_to_gain;
    finding.reason = fmt::format(
        "overlap can save at most the other {:.0f} %, {}", 100 * (1 - share),
        time_in_words(
            round_to_duration(static_cast<double>(program.played.wall.count()) * (1 - share))));
    return finding;
}

}  // namespace

DiagnosisRow busy_engine() {
    return {"busy-engine", "One engine is busy all the time already",
            "a copy engine or the SMs are the limit as recorded: overlap has nothing left to hide",
            "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"
            "#data-transfer-between-host-and-device",
            find_busy_engine};
}

}  // namespace overcast
