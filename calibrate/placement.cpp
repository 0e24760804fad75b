// On which SM a block goes, as a rule; and how fast a full L2 serves which SMs.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace overcast {
namespace {

std::size_t count_of(const ProbeOutput& output, const char* name) {
    const auto found = output.values.find(name);
    if (found == output.values.end()) {
        throw ModelFileError(fmt::format("the probe placement measured no {}", name));
    }
    return static_cast<std::size_t>(found->second);
}

/// Points of the observation. Assumes: SMs of one part of the chip are more than that.
constexpr std::size_t kSmsBetween = 6;

void set_reads(const ProbeOutput& output, Draft& draft) {
    const auto ranks = output.xs("placement_l2_read");
    if (ranks.empty()) {
        throw ModelFileError("the probe placement measured no reads");
    }
    Observation made;
    made.name = "kernel.l2_read_ns_by_multiprocessors";
    made.source =
        "probe placement, untraced: when so many SMs had read their part of the L2, all at once; "
        "median";
    for (std::size_t i = kSmsBetween - 1; i < ranks.size(); i += kSmsBetween) {
        made.points.emplace_back(ranks[i], fit_median(output.at("placement_l2_read", ranks[i])));
    }
    draft.observe(std::move(made));
}

}  // namespace

void measure_placement(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("placement", ProbeMode::untraced).output;
    const auto of = count_of(output, "placement_programs");
    draft.notes.rules.push_back(
        {"placement", "a block goes to the SM that would take the most blocks of its kernel",
         count_of(output, "placement_most_fit"), of,
         fmt::format("to the one with the most free threads: {} of {}",
                     count_of(output, "placement_most_threads"), of)});
    set_reads(output, draft);
}

}  // namespace overcast
