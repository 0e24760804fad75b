// How copies to the host slow down while channels wait (rule 6).
#include "calibrate/chain_period.hpp"
#include "calibrate/measurements.hpp"
#include "model/calibration/rising_fit.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace overcast {
namespace {

/// Wall time per further copy of a chain of the probe: both lengths have the same start and end.
double period(const ProbeOutput& output, const std::string& chain, double streams) {
    constexpr double kFurtherUnits = 8 - 3;
    return further_period(output, chain, streams, kFurtherUnits * streams);
}

/// What takes longer in a turn than in a row of copies without being slower: the change of channel,
/// and the small copy to the device beside which the large one runs.
double other_reasons_ns(const DeviceModel& model) {
    constexpr double kSmall = 128 << 10;
    constexpr double kLarge = 16 << 20;
    const double beside = static_cast<double>(model.h2d.latency.count()) +
                          kSmall / model.h2d.bandwidth.bytes_per_s() * 1e9;
    const double slower =
        model.d2h.duplex_factor.empty() ? 0 : model.d2h.duplex_factor.logarithmic(kLarge) - 1;
    const auto change = model.d2h.turnaround_other - model.d2h.turnaround_same;
    return beside * slower + std::max(0.0, static_cast<double>(change.count()));
}

}  // namespace

/// Of N streams that take turns, N compute channels wait and as many for copies to the device as
/// there are.
void measure_slowdown_to_host(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("slowdown_to_host", ProbeMode::untraced).output;
    std::vector<DataPoint> points{{2, 0}};  // one stream: nothing is slower than itself
    for (const double streams : output.xs("d2h_turns_many")) {
        const double alone = period(output, "d2h_alone", streams);
        const double waiting =
            streams + std::min(streams, static_cast<double>(draft.model.channels.h2d.size()));
        const double slower = period(output, "d2h_turns", streams) - alone;
        points.push_back({waiting, (slower - other_reasons_ns(draft.model)) / alone});
    }
    auto curve = fit_rising(points);
    for (auto& point : curve) {
        point.y = std::max(0.0, point.y);
    }
    draft.set_curve("d2h.slowdown_by_waiting_channels", draft.model.waiting_slowdown.to_host, curve,
                    "probe slowdown_to_host, untraced: wall time per 16 MiB copy of streams that "
                    "take turns, less that of the copies alone; rising fit");
}

}  // namespace overcast
