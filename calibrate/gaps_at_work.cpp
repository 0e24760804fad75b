// Gaps between kernels of a stream, beside kernels of others and behind those that read.
#include "calibrate/measurements.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace overcast {
namespace {

/// The probe's streams at work are in every second channel, those of one engine; gaps count them so
/// (Simulation::others_waiting).
constexpr double kChannelsPerStream = 2;
constexpr double kBytesPerKib = 1024;

/// How much longer gaps are than those of `base`, by x times `per_x`.
std::vector<DataPoint> growth(const ProbeOutput& output, const std::string& quantity, double base,
                              double per_x) {
    std::vector<DataPoint> points;
    for (const double x : output.xs(quantity)) {
        points.push_back({per_x * x, fit_trimmed_mean(output.at(quantity, x)).value - base});
    }
    return fit_rising_delays_ns(points);
}

}  // namespace

void measure_gaps_at_work(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("gaps_at_work", ProbeMode::untraced).output;
    const double alone = fit_trimmed_mean(output.at("gap_at_work_idle", 0)).value;
    auto& gaps = draft.model.gaps;
    struct Row {
        const char* beside;
        const char* parameter;
        std::array<Curve, kGapKinds>* by_kind;
    };
    for (const auto& [beside, parameter, by_kind] :
         {Row{"idle", "gap.kern_ovhd_growth_ns_by_waiting_channels", &gaps.growth_ns},
          Row{"h2d", "gap.kern_ovhd_growth_beside_h2d_ns_by_waiting_channels",
              &gaps.growth_beside_h2d_ns},
          Row{"d2h", "gap.kern_ovhd_growth_beside_d2h_ns_by_waiting_channels",
              &gaps.growth_beside_d2h_ns}}) {
        const auto quantity = fmt::format("gap_at_work_{}", beside);
        draft.set_curve(
            parameter, (*by_kind)[static_cast<std::size_t>(GapKind::kernel_to_kernel)],
            growth(output, quantity, alone, kChannelsPerStream),
            fmt::format("probe gaps_at_work, untraced: {}, mean gap between kernels while x / 2 "
                        "streams in every second channel have kernels, less {:.0f} ns of one "
                        "stream alone; rising fit",
                        quantity, alone));
    }
}

void measure_gaps_after_reads(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("gaps_at_work", ProbeMode::untraced).output;
    auto& by_bytes = draft.model.gaps.growth_ns_by_bytes;
    struct Row {
        const char* beside;
        const char* parameter;
        Curve* curve;
    };
    for (const auto& [beside, parameter, curve] :
         {Row{"idle", "gap.kern_ovhd_growth_ns_by_bytes", &by_bytes[0]},
          Row{"h2d", "gap.kern_ovhd_growth_beside_h2d_ns_by_bytes", &by_bytes[1]},
          Row{"d2h", "gap.kern_ovhd_growth_beside_d2h_ns_by_bytes", &by_bytes[2]}}) {
        const auto quantity = fmt::format("gap_after_reads_{}", beside);
        const double none = fit_trimmed_mean(output.at(quantity, 0)).value;
        draft.set_curve(parameter, *curve, growth(output, quantity, none, kBytesPerKib),
                        fmt::format("probe gaps_at_work, untraced: {}, mean gap between kernels "
                                    "that each read x bytes which are not in the L2, less {:.0f} "
                                    "ns where they read nothing; rising fit",
                                    quantity, none));
    }
}

}  // namespace overcast
