// How long before the end of the copy that runs a copy engine chooses the next one.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/threshold_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

/// What a copy waits for, as the last letters of the quantity say (look_ahead_kh: a kernel, then a
/// copy to the device), and the parameter that follows.
struct LookAheadRow {
    char waits_for;
    std::string_view parameter;
    std::optional<Duration> LookAhead::*place;
    std::string_view ready;
};

constexpr LookAheadRow kRows[] = {
    {'c', "call", &LookAhead::call, "an idle engine could copy it"},
    {'k', "kernel", &LookAhead::kernel, "the kernel that it waits for ends"},
    {'h', "h2d", &LookAhead::h2d, "the copy to the device that it waits for ends"},
    {'d', "d2h", &LookAhead::d2h, "the copy to the host that it waits for ends"},
};

constexpr std::string_view kPrefix = "look_ahead_";

/// One try: a copy runs, another one is to follow in its channel.
struct Try {
    PhaseActivity runs;
    PhaseActivity follows;
    bool left = false;            ///< another channel's copy came between
    std::optional<Duration> met;  ///< the end of what it waited for, before the end of what runs
};

/// Absent where the phase is another one, or what was to follow got another channel.
std::optional<Try> try_of(const Phase& phase, char waits_for) {
    const auto& quantity = phase.label.quantity;
    if (!quantity.starts_with(kPrefix) || quantity[kPrefix.size()] != waits_for) {
        return std::nullopt;
    }
    const auto copies = phase.of(kind_of(quantity.back()));
    if (copies.size() < 3) {
        return std::nullopt;
    }
    Try made{copies[0], {}, false, std::nullopt};
    auto follows = std::ranges::max_element(copies, {}, &PhaseActivity::issued);
    if (waits_for != 'c') {
        const auto waited_for = phase.of(kind_of(waits_for));
        if (waited_for.size() != 1) {
            return std::nullopt;
        }
        made.met = made.runs.end - waited_for[0].end;
        follows = std::ranges::find(copies, waited_for[0].stream, &PhaseActivity::stream);
    }
    if (follows == copies.end() || follows->channel.id != made.runs.channel.id) {
        return std::nullopt;
    }
    made.follows = *follows;
    made.left = follows != copies.begin() + 1;
    return made;
}

/// To the start of a copy on an idle engine from the return of its call, or so large a share of the
/// call before that.
Estimate latency_of(const std::vector<Try>& tries, double share = 0) {
    std::vector<double> latencies;
    for (const auto& one : tries) {
        const auto& copy = one.runs;
        latencies.push_back(nanoseconds(copy.start - copy.returned) +
                            share * nanoseconds(copy.returned - copy.issued));
    }
    return fit_median(latencies);
}

std::vector<Try> tries_of(const ProbeRuns& runs, char waits_for) {
    std::vector<Try> tries;
    for (const auto& run : runs.all("copy_decisions", ProbeMode::full)) {
        for (const auto& phase : run.phases) {
            if (const auto made = try_of(phase, waits_for)) {
                tries.push_back(*made);
            }
        }
    }
    if (tries.empty()) {
        throw ModelFileError(
            fmt::format("the probe copy_decisions measured no {}{}*", kPrefix, waits_for));
    }
    return tries;
}

/// From when the device hears of a recorded copy to its start on an idle engine.
void set_recorded_start(const std::vector<Try>& tries, Draft& draft) {
    auto& traced = draft.model.tracing_cost.traced;
    draft.set("tracing.copy_start_latency_ns", traced.copy_start.emplace(),
              latency_of(tries, traced.share_after_work),
              fmt::format("probe copy_decisions, traced: from the return of a call to the start of "
                          "its copy on an idle engine, and {:.3f} of the call",
                          traced.share_after_work));
}

}  // namespace

void measure_look_ahead(const ProbeRuns& runs, Draft& draft) {
    (void)runs.get("copy_decisions", ProbeMode::full);
    set_recorded_start(tries_of(runs, 'c'), draft);
    for (const auto& [waits_for, parameter, place, ready] : kRows) {
        const auto tries = tries_of(runs, waits_for);
        const double latency = latency_of(tries).value;
        std::vector<Decision> left;
        for (const auto& one : tries) {
            const double late_call = nanoseconds(one.runs.end - one.follows.returned) - latency;
            left.push_back({one.met ? nanoseconds(*one.met) : late_call, one.left});
        }
        draft.set(fmt::format("copy_engine.look_ahead_{}_ns", parameter),
                  (draft.model.look_ahead.*place).emplace(), fit_threshold(left),
                  fmt::format("probe copy_decisions, traced: a copy of 4 MiB runs; what stands "
                              "behind it in its channel goes before what is ready in others if {} "
                              "so long before the end of that copy",
                              ready));
    }
}

}  // namespace overcast
