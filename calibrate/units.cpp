// What can be reached of each unit, from the counters of kernels that saturate it.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/unit_demand.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// A unit that its kernel does not bring near the peak was not what held the kernel up.
constexpr double kLeastCapacity = 0.5;
/// Of the requests that the L2 can look up, as which writes are counted.
constexpr double kLeastWrites = 0.15;

/// Of the rate that as many more warps would have if nothing held them up.
constexpr double kHeldUp = 0.8;

double least_of(SmUnit /*unit*/) { return kLeastCapacity; }
double least_of(DeviceUnit unit) {
    switch (unit) {
        case DeviceUnit::l2_writes:
        case DeviceUnit::dram_writes: return kLeastWrites;
        default: return kLeastCapacity;
    }
}

/// Of the unit, in the kernel that was written to saturate it.
template <typename Unit>
std::vector<double> shares(const Trace& trace, Unit unit) {
    const auto kernel = fmt::format("saturate_{}(", to_string(unit));
    std::vector<double> found;
    for (const auto& counters : trace.counters) {
        const auto share = share_of(counters, unit);
        if (share && *share >= least_of(unit) && *share <= 1 &&
            trace.names[counters.name].find(kernel) != std::string_view::npos) {
            found.push_back(*share);
        }
    }
    return found;
}

/// Bytes per ns that the L2 looks up at its peak.
std::vector<double> l2_peaks(const Trace& trace, double bytes) {
    std::vector<double> found;
    for (const auto& counters : trace.counters) {
        const auto share = counters[KernelCounter::l2].value_or(0);
        const auto took = counters[KernelCounter::duration_ns].value_or(0);
        if (trace.names[counters.name].find("saturate_l2_replies(") != std::string_view::npos &&
            share * took > 0) {
            found.push_back(bytes / (share * took));
        }
    }
    return found;
}

/// Of the capacity of dram_writes, what rows that so many warps per SM have open reach together, in
/// the counter of a kernel that nothing holds up: writes go on as fast as they did, but the more
/// rows are open the more requests it takes to write one.
std::vector<DataPoint> reached_by_open_rows(const Trace& trace, const DeviceModel& model) {
    std::map<double, std::pair<double, double>> found;  // by warps per SM: rate, counter
    const auto multiprocessors = static_cast<double>(model.device.multiprocessors.value_or(1));
    for (const auto& counters : trace.counters) {
        const auto took = counters[KernelCounter::duration_ns].value_or(0);
        const auto share = share_of(counters, DeviceUnit::dram_writes).value_or(0);
        if (trace.names[counters.name].find("open_rows(") != std::string_view::npos &&
            took * share > 0) {
            const auto threads = static_cast<double>(counters.grid.count()) *
                                 static_cast<double>(counters.block.count());
            found[threads / kThreadsPerWarp / multiprocessors] = {threads / took, share};
        }
    }
    std::vector<DataPoint> points;
    const auto capacity = model.kernels.capacities[DeviceUnit::dram_writes];
    for (const auto& [warps, reached] : found) {
        const auto& [fewest, of_few] = *found.begin();
        const auto times_as_fast = reached.first / of_few.first;
        if (times_as_fast < kHeldUp * warps / fewest) {
            points.push_back({warps, times_as_fast * of_few.second / capacity});
        }
    }
    return points;
}

/// Lines that a kernel of the probe reads and writes in turn, as its name says.
std::optional<std::pair<double, double>> mixed(std::string_view name) {
    constexpr std::string_view kName = "mixed_dram<";
    const auto at = name.find(kName);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    double read = 0;
    double written = 0;
    const std::string lines{name.substr(at + kName.size())};
    const bool found = std::sscanf(lines.c_str(), "%lf, %lf>", &read, &written) == 2;
    return found && read + written > 0 ? std::optional{std::pair{read, written}} : std::nullopt;
}

/// Of what kernels reach of the DRAM that only read, what those do that write such a share of what
/// they move.
std::vector<DataPoint> reached_by_written(const Trace& trace) {
    std::map<double, std::vector<double>> found;  // by the share that is written
    for (const auto& counters : trace.counters) {
        const auto share = share_of(counters, DeviceUnit::dram).value_or(0);
        if (const auto lines = mixed(trace.names[counters.name]);
            lines && share >= kLeastCapacity && share <= 1) {
            const auto& [read, written] = *lines;
            found[written / (read + written)].push_back(share);
        }
    }
    std::vector<DataPoint> points;
    if (found.contains(0)) {
        const auto of_reads = fit_mean(found[0]).value;
        for (const auto& [written, shares] : found) {
            points.push_back({written, fit_mean(shares).value / of_reads});
        }
    }
    return points;
}

}  // namespace

void measure_units(const ProbeRuns& runs, Draft& draft) {
    const auto& run = runs.get("units", ProbeMode::counted);
    const auto& trace = *run.trace;
    if (const auto bytes = run.output.values.find("units_l2_reply_bytes");
        bytes != run.output.values.end()) {
        if (const auto found = l2_peaks(trace, bytes->second); !found.empty()) {
            draft.set("kernel.l2.bytes_per_ns", draft.model.kernels.capacities.l2_bytes_per_ns,
                      fit_mean(found), "probe units: bytes read over the counter of sectors");
        }
    }
    const auto measure = [&](auto unit, double& place) {
        if (const auto found = shares(trace, unit); !found.empty()) {
            draft.set(fmt::format("kernel.capacity.{}", to_string(unit)), place, fit_mean(found),
                      "probe units, counter of a kernel that saturates the unit");
        }
    };
    auto& capacities = draft.model.kernels.capacities;
    for (std::size_t i = 0; i < kCapacitySmUnits; ++i) {
        measure(static_cast<SmUnit>(i), capacities.sm[i]);
    }
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        measure(static_cast<DeviceUnit>(i), capacities.device[i]);
    }
    if (const auto points = reached_by_written(trace); !points.empty()) {
        draft.set_curve("kernel.dram.share_by_written", capacities.dram_by_written, points,
                        "probe units: counters of kernels that read and write lines in turn, over "
                        "that of those that only read");
    }
    if (const auto points = reached_by_open_rows(trace, draft.model); !points.empty()) {
        draft.set_curve("kernel.dram_writes.share_by_warps_per_sm", capacities.dram_writes_share,
                        points,
                        "probe units: rows written per ns over those of a few blocks, times their "
                        "counter, over kernel.capacity.dram_writes");
    }
}

}  // namespace overcast
