// Copies beside kernels that stream from or to DRAM, and those kernels beside copies.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace overcast {
namespace {

constexpr std::size_t kWarmUpKernels = 1;

/// As the probe numbers its kernels.
enum class KernelWork : std::uint8_t { none = 0, reads = 1, writes = 2, computes = 3 };

KernelWork work_of(const Phase& phase) {
    return static_cast<KernelWork>(std::lround(phase.label.y));
}

/// Durations of the copies that lie within the phase's kernel; all where there is none.
std::vector<double> beside(const Phase& phase, ActivityKind kind) {
    const auto kernels = phase.of(ActivityKind::kernel);
    const auto copies = phase.of(kind);
    std::vector<double> found;
    for (std::size_t i = kWarmUpKernels; i < copies.size(); ++i) {
        const auto& copy = copies[i];
        if (kernels.empty() ||
            (copy.start >= kernels.front().start && copy.end <= kernels.front().end)) {
            found.push_back(static_cast<double>(copy.duration().count()));
        }
    }
    return found;
}

using BySize = std::map<double, std::vector<double>>;

BySize copies_beside(const std::vector<Phase>& phases, ActivityKind kind,
                     bool (*wanted)(KernelWork)) {
    BySize found;
    for (const auto& phase : phases) {
        if (phase.label.quantity == "copies_beside" && wanted(work_of(phase))) {
            const auto durations = beside(phase, kind);
            auto& all = found[phase.label.x];
            all.insert(all.end(), durations.begin(), durations.end());
        }
    }
    std::erase_if(found, [](const auto& row) { return row.second.empty(); });
    return found;
}

void set_copies(const std::vector<Phase>& phases, Draft& draft, const std::string& direction,
                ActivityKind kind, Curve& place) {
    const auto alone =
        copies_beside(phases, kind, [](KernelWork work) { return work == KernelWork::none; });
    const auto slowed = copies_beside(phases, kind, [](KernelWork work) {
        return work == KernelWork::reads || work == KernelWork::writes;
    });
    const auto compared =
        copies_beside(phases, kind, [](KernelWork work) { return work == KernelWork::computes; });
    std::vector<DataPoint> points;
    std::string words;
    for (const auto& [bytes, durations] : slowed) {
        if (!alone.contains(bytes) || !compared.contains(bytes)) {
            continue;
        }
        const double base = median_of(alone.at(bytes));
        const double factor = median_of(durations) / base;
        points.push_back({bytes, std::max(1.0, to_four_decimals(factor))});
        words += fmt::format("{}{:.3f}", words.empty() ? "" : ", ",
                             median_of(compared.at(bytes)) / base);
    }
    if (points.empty()) {
        throw ModelFileError("no copy ran beside a kernel");
    }
    draft.set_curve(
        direction + ".memory_kernel_factor_by_bytes", place, points,
        fmt::format("probe memory_kernels, traced: medians beside a kernel that streams "
                    "from or to DRAM over those alone (beside one that computes: {})",
                    words));
}

std::vector<double> kernel_durations(const std::vector<Phase>& phases, const std::string& quantity,
                                     KernelWork work) {
    std::vector<double> found;
    for (const auto& phase : phases) {
        if (phase.label.quantity == quantity && work_of(phase) == work) {
            const auto durations = durations_ns(phase.of(ActivityKind::kernel));
            found.insert(found.end(), durations.begin(), durations.end());
        }
    }
    return found;
}

void set_kernel(const std::vector<Phase>& phases, Draft& draft, const std::string& name,
                double& place, const std::string& under, KernelWork work) {
    const auto alone = median_of(kernel_durations(phases, "kernel_alone", work));
    const auto without = median_of(kernel_durations(phases, "kernel_alone", KernelWork::computes));
    const auto compared = median_of(kernel_durations(phases, under, KernelWork::computes));
    auto ratios = kernel_durations(phases, under, work);
    if (alone <= 0 || without <= 0 || ratios.empty()) {
        throw ModelFileError("no kernel ran under copies");
    }
    for (auto& ratio : ratios) {
        ratio /= alone;
    }
    draft.set(name, place, fit_median(ratios),
              fmt::format("probe memory_kernels, traced: a kernel at the full rate of DRAM under "
                          "16 MiB copies over the same alone (one that computes: {:.3f})",
                          compared / without));
}

}  // namespace

void measure_memory_kernels(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("memory_kernels", ProbeMode::full).phases;
    auto& place = draft.model.memory_kernels;
    set_copies(phases, draft, "h2d", ActivityKind::h2d, place.h2d_factor);
    set_copies(phases, draft, "d2h", ActivityKind::d2h, place.d2h_factor);
    set_kernel(phases, draft, "kernel.dram_read_factor_beside_h2d", place.read_beside_h2d,
               "kernel_under_h2d", KernelWork::reads);
    set_kernel(phases, draft, "kernel.dram_read_factor_beside_d2h", place.read_beside_d2h,
               "kernel_under_d2h", KernelWork::reads);
    set_kernel(phases, draft, "kernel.dram_write_factor_beside_h2d", place.write_beside_h2d,
               "kernel_under_h2d", KernelWork::writes);
    set_kernel(phases, draft, "kernel.dram_write_factor_beside_d2h", place.write_beside_d2h,
               "kernel_under_d2h", KernelWork::writes);
}

}  // namespace overcast
