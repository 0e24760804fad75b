// What instructions find of pipes and issue slots that older warps fill.
#include "calibrate/measurements.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace overcast {
namespace {

void measure_longest_wait(const ProbeOutput& output, const std::string& quantity,
                          const std::string& of, const std::string& name, double& place,
                          Draft& draft) {
    const auto older = output.xs(quantity);
    if (older.empty()) {
        return;
    }
    draft.set(name, place, fit_median({median_of(output.at(quantity, std::ranges::max(older)))}),
              fmt::format("probe full_pipe, untraced: {}, from one to the next of a warp beside "
                          "eight older warps per scheduler that fill its pipe",
                          of));
}

/// For a slot, beside two older warps per scheduler and more: one by itself leaves its branches.
void measure_slot_wait(const ProbeOutput& output, Draft& draft) {
    constexpr double kSeveral = 2;
    const auto older = output.xs("full_pipe_slots");
    if (older.empty() || std::ranges::min(older) > 0) {
        return;
    }
    const auto alone = median_of(output.at("full_pipe_slots", 0));
    std::vector<double> waits;
    for (const auto warps : older) {
        if (warps >= kSeveral) {
            const auto wait = median_of(output.at("full_pipe_slots", warps)) - alone;
            waits.push_back(std::max(0.0, wait) / (warps * warps));
        }
    }
    if (!waits.empty()) {
        draft.set("kernel.full_pipe.slot_wait_ns", draft.model.kernels.slot_wait_ns,
                  fit_median(waits),
                  "probe full_pipe, untraced: multiply-adds, from one to the next of a warp beside "
                  "two to eight older warps per scheduler that fill the issue slots, less that of "
                  "a warp alone, per square of these");
    }
}

/// Of what counters say that nobody reaches.
void measure_wide_loads(const ProbeOutput& output, Draft& draft) {
    const auto older = output.xs("full_pipe_wide_loads");
    auto& kernels = draft.model.kernels;
    const auto not_reached = 1 - kernels.capacities[SmUnit::issue_slots];
    if (older.empty() || not_reached <= 0) {
        return;
    }
    const auto used = median_of(output.at("full_pipe_wide_loads", std::ranges::max(older)));
    draft.set("kernel.wide_loads_share", kernels.wide_loads_share,
              fit_median({std::min(1.0, used / not_reached)}),
              "probe full_pipe, untraced: issue slots that warps with four loads of 16 bytes per "
              "thread at once use beside eight older warps per scheduler that fill them, over what "
              "cannot be reached of these");
}

}  // namespace

/// Comes after the capacity of the issue slots.
void measure_full_pipe(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("full_pipe", ProbeMode::untraced).output;
    auto& kernels = draft.model.kernels;
    measure_longest_wait(output, "full_pipe_logic", "instructions of logic",
                         "kernel.full_pipe.longest_wait_ns", kernels.longest_wait_ns, draft);
    measure_longest_wait(output, "full_pipe_xu", "special functions",
                         "kernel.full_pipe.longest_xu_wait_ns", kernels.longest_xu_wait_ns, draft);
    measure_slot_wait(output, draft);
    measure_wide_loads(output, draft);
}

}  // namespace overcast
