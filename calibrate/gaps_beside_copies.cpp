// Gaps while large copies use the link, over which a waking channel reads its next commands.
#include "calibrate/chain_period.hpp"
#include "calibrate/measurements.hpp"
#include "model/calibration/rising_fit.hpp"

namespace overcast {
namespace {

constexpr double kCopyBytes = 128 << 10;

/// How much longer a copy of the chain itself takes beside the other direction: no part of the gap.
double copy_slow_down_ns(const TransferParameters& transfer) {
    if (transfer.duplex_factor.empty()) {
        return 0;
    }
    const double alone = static_cast<double>(transfer.latency.count()) +
                         kCopyBytes / transfer.bandwidth.bytes_per_s() * 1e9;
    return alone * (transfer.duplex_factor.logarithmic(kCopyBytes) - 1);
}

}  // namespace

void measure_gaps_beside_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("gaps_beside_copies", ProbeMode::untraced).output;
    struct Row {
        const char* chain;
        GapKind kind;
        const char* load;
        double slow_down_ns;
    };
    const Row rows[] = {
        {"gaps_kd_d", GapKind::kernel_to_d2h, "h2d", copy_slow_down_ns(draft.model.d2h)},
        {"gaps_hk_k", GapKind::h2d_to_kernel, "d2h", copy_slow_down_ns(draft.model.h2d)},
    };
    for (const auto& row : rows) {
        const std::string chain{row.chain};
        const auto loaded = fmt::format("{}_beside_{}", chain, row.load);
        const double alone = chain_period(output, chain + "_event", 0) + row.slow_down_ns;
        std::vector<DataPoint> points;
        for (const double waiting : output.xs(fmt::format("{}_{}", loaded, kUnitsOfLongChain))) {
            points.push_back({waiting, chain_period(output, loaded, waiting) - alone});
        }
        const auto curve = fit_rising_delays_ns(points);
        auto& gaps = draft.model.gaps;
        auto& place = std::string_view{row.load} == "h2d" ? gaps.growth_beside_h2d_ns
                                                          : gaps.growth_beside_d2h_ns;
        draft.set_curve(
            fmt::format("gap.{}_growth_beside_{}_ns_by_waiting_channels", overhead_name(row.kind),
                        row.load),
            place[static_cast<std::size_t>(row.kind)], curve,
            fmt::format("probe gaps_beside_copies, untraced: wall time per unit of {} beside "
                        "16 MiB copies while w channels wait for an event, less that with neither, "
                        "less {:.0f} ns that its copy takes longer; rising fit",
                        loaded, row.slow_down_ns));
    }
}

}  // namespace overcast
