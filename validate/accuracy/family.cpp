#include "validate/accuracy/family.hpp"

#include "core/overloaded.hpp"
#include "core/statistics.hpp"
#include "model/kernel_model.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHostBoundUnit = 30us;
constexpr double kMuchMore = 1.5;

/// What the device did for one operation, as far as families care.
enum class Kind : std::uint8_t { h2d, d2h, d2d, memset, kernel };

struct DeviceWork {
    Kind kind{};
    double nanoseconds = 0;
};

double recorded_time(const std::optional<Measured>& measured) {
    return measured ? static_cast<double>(measured->duration.count()) : 0;
}

Kind kind_of(const Copy& copy) {
    switch (copy.kind) {
        case CopyKind::host_to_device: return Kind::h2d;
        case CopyKind::device_to_host: return Kind::d2h;
        case CopyKind::device_to_device:
        case CopyKind::host_to_host:
        case CopyKind::peer_to_peer: break;
    }
    return Kind::d2d;
}

std::optional<DeviceWork> device_work(const Action& action) {
    using Work = std::optional<DeviceWork>;
    return std::visit(
        Overloaded{[](const Copy& copy) -> Work {
                       return DeviceWork{kind_of(copy), recorded_time(copy.measured)};
                   },
                   [](const Memset& memset) -> Work {
                       return DeviceWork{Kind::memset, recorded_time(memset.measured)};
                   },
                   [](const KernelLaunch& launch) -> Work {
                       return DeviceWork{Kind::kernel, recorded_time(launch.measured)};
                   },
                   [](const auto&) -> Work { return std::nullopt; }},
        action);
}

/// Everything that the rules ask, gathered in one walk.
struct Sums {
    double h2d = 0;
    double d2h = 0;
    double sm = 0;
    double in_small_grids = 0;  ///< kernel time in grids of less than one wave
    double kernels = 0;
    bool nothing_copied = true;
    std::vector<std::vector<Kind>> kinds;  ///< per unit, in issue order
    std::vector<double> unit_times;        ///< nanoseconds
};

bool less_than_one_wave(const KernelShape& shape, const DeviceModel& model) {
    const auto demand = kernel_demand(shape, model);
    const auto wave = std::uint64_t{demand.blocks_per_sm} * multiprocessors(model.device);
    return demand.blocks < wave;
}

Sums sums_of(const Workload& recorded, const DeviceModel& model) {
    Sums sums;
    sums.kinds.resize(recorded.units);
    sums.unit_times.resize(recorded.units);
    for (const auto& operation : recorded.operations) {
        const auto work = device_work(operation.action);
        if (!work) {
            continue;
        }
        if (operation.unit) {
            sums.kinds[index(*operation.unit)].push_back(work->kind);
            sums.unit_times[index(*operation.unit)] += work->nanoseconds;
        }
        sums.nothing_copied =
            sums.nothing_copied && (work->kind == Kind::kernel || work->kind == Kind::memset);
        switch (work->kind) {
            case Kind::h2d: sums.h2d += work->nanoseconds; break;
            case Kind::d2h: sums.d2h += work->nanoseconds; break;
            case Kind::d2d:
            case Kind::memset:
            case Kind::kernel: sums.sm += work->nanoseconds; break;
        }
        if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
            const auto& shape = recorded.kernels[index(launch->kernel)].shape;
            sums.kernels += work->nanoseconds;
            sums.in_small_grids += less_than_one_wave(shape, model) ? work->nanoseconds : 0;
        }
    }
    return sums;
}

}  // namespace

std::string_view to_string(Family family) {
    switch (family) {
        case Family::co_run: return "co-run";
        case Family::mixed: return "mixed";
        case Family::host_bound: return "host-bound";
        case Family::copy_bound: return "copy-bound";
        case Family::balanced: return "balanced";
        case Family::small_grid: return "small-grid";
        case Family::full_grid: return "full-grid";
    }
    return "unknown";
}

Family family_of(const Workload& recorded, const DeviceModel& model) {
    const auto sums = sums_of(recorded, model);
    if (sums.nothing_copied) {
        return Family::co_run;
    }
    const bool alike = std::ranges::all_of(
        sums.kinds, [&](const auto& kinds) { return kinds == sums.kinds.front(); });
    if (!alike) {
        return Family::mixed;
    }
    if (median_of(sums.unit_times) < static_cast<double>(kHostBoundUnit.count())) {
        return Family::host_bound;
    }
    const double copies = std::max(sums.h2d, sums.d2h);
    if (copies > kMuchMore * sums.sm) {
        return Family::copy_bound;
    }
    if (copies >= sums.sm / kMuchMore) {
        return Family::balanced;
    }
    return sums.in_small_grids > sums.kernels / 2 ? Family::small_grid : Family::full_grid;
}

}  // namespace overcast
