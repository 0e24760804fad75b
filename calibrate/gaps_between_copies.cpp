// Gaps that fall into the copy of another stream, where two streams take turns at an engine.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// A copy of one kind, then what has to notice its end.
struct Unit {
    std::string_view name;
    ActivityKind copy{};
    ActivityKind next{};
};

/// From the ends of a phase's copies to the starts of what follows in their streams, where the host
/// was done in time; with `beside`, those that begin and end while another copy of the kind runs.
std::vector<double> gaps_of(const Phase& phase, const Unit& unit, bool beside) {
    const auto copies = phase.of(unit.copy);
    std::map<StreamId, const PhaseActivity*> last;
    std::vector<double> gaps;
    for (const auto& activity : phase.activities) {
        const auto* before = std::exchange(last[activity.stream], &activity);
        if (before == nullptr || before->kind != unit.copy || activity.kind != unit.next ||
            activity.returned >= before->end) {
            continue;
        }
        const bool covered = std::ranges::any_of(copies, [&](const PhaseActivity& other) {
            return other.stream != activity.stream && other.start < activity.start &&
                   other.end > activity.start;
        });
        if (covered == beside) {
            gaps.push_back(static_cast<double>((activity.start - before->end).count()));
        }
    }
    return gaps;
}

/// By the waiting channels of a run.
std::map<double, std::vector<double>> gaps_by_waiting(const std::vector<Phase>& phases,
                                                      const Unit& unit, std::string_view how) {
    std::map<double, std::vector<double>> gaps;
    for (const auto& phase : phases) {
        if (phase.label.quantity == fmt::format("{}_{}", unit.name, how)) {
            const auto found = gaps_of(phase, unit, how == "turns");
            auto& all = gaps[phase.label.x];
            all.insert(all.end(), found.begin(), found.end());
        }
    }
    std::erase_if(gaps, [](const auto& of) { return of.second.empty(); });
    return gaps;
}

}  // namespace

void measure_gaps_between_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("gaps_between_copies", ProbeMode::full).phases;
    struct Row {
        Unit unit;
        GapKind kind;
        std::string_view load;
        double of_the_other;  ///< waiting channels that the other stream adds
    };
    const Row rows[] = {
        {{"gap_hk", ActivityKind::h2d, ActivityKind::kernel}, GapKind::h2d_to_kernel, "h2d", 1},
        {{"gap_dh", ActivityKind::d2h, ActivityKind::h2d}, GapKind::d2h_to_h2d, "d2h", 0},
    };
    for (const auto& [unit, kind, load, of_the_other] : rows) {
        const auto alone = gaps_by_waiting(phases, unit, "alone");
        const auto turns = gaps_by_waiting(phases, unit, "turns");
        if (alone.empty() || turns.empty()) {
            throw ModelFileError(fmt::format("no gap of {} fell into a copy", unit.name));
        }
        const double idle = fit_trimmed_mean(alone.begin()->second).value;
        std::vector<DataPoint> points;
        for (const auto& [waiting, gaps] : turns) {
            points.push_back({waiting + of_the_other, fit_trimmed_mean(gaps).value - idle});
        }
        const auto curve = fit_rising_delays_ns(points);
        auto& gaps = draft.model.gaps;
        auto& place = load == "h2d" ? gaps.growth_beside_h2d_ns : gaps.growth_beside_d2h_ns;
        draft.set_curve(fmt::format("gap.{}_growth_beside_{}_ns_by_waiting_channels",
                                    overhead_name(kind), load),
                        place[static_cast<std::size_t>(kind)], curve,
                        fmt::format("probe gaps_between_copies, traced: mean gap behind a 4 MiB "
                                    "copy while that of another stream runs and w channels wait, "
                                    "less that beside an idle link ({:.0f} ns); rising fit",
                                    idle));
    }
}

}  // namespace overcast
