#include "simulator/warps/warp_schedules.hpp"

#include <algorithm>
#include <array>

namespace overcast {
namespace {

constexpr std::uint32_t kSchedulersOfSm = 4;
constexpr double kLongestLoad = 2'500;   // cycles; Assumes: what waits longer waits for a queue
constexpr double kWaitsForLoads = 0.05;  // of a load per pass; Assumes: fewer decide nothing
constexpr double kLonger = 1.05;         // Assumes: less is not felt

/// Of a block whose warps take the places from `first` on, those of one scheduler: they go round.
std::uint32_t warps_on(std::uint32_t scheduler, std::uint32_t first, std::uint32_t warps) {
    const auto up_to = [scheduler](std::uint32_t places) {
        return (places + kSchedulersOfSm - 1 - scheduler) / kSchedulersOfSm;
    };
    return up_to(first + warps) - up_to(first);
}

}  // namespace

std::optional<WarpPrograms> warp_programs(const KernelDemand& demand, const DeviceModel& model) {
    const auto* const code = demand.code;
    if (code == nullptr || code->pass.empty()) {
        return std::nullopt;
    }
    WarpPrograms programs{.alone = {.pass = code->pass}, .held = {}};
    if (code->memory_waits <= kWaitsForLoads) {
        return programs;
    }
    const auto& units = demand.units;
    const auto& capacities = model.kernels.capacities;
    const auto recorded =
        std::clamp((units.interval * code->instructions - code->cycles) / code->memory_waits, 0.0,
                   kLongestLoad);
    const auto alone = capacities.l2_latency_ns * cycles_per_ns(model.device) *
                       mean_load(units.l2_hit_rate, capacities.dram_latency);
    programs.alone.load_cycles = alone > 0 ? std::min(recorded, alone) : recorded;
    if (recorded > kLonger * programs.alone.load_cycles) {
        programs.held = programs.alone;
        programs.held->load_cycles = recorded;
    }
    return programs;
}

WarpSchedules::WarpSchedules(const std::vector<KernelDemand>& demands, const DeviceModel& model) {
    for (const auto& demand : demands) {
        if (auto programs = warp_programs(demand, model)) {
            const ScheduledBlock warp{&programs->alone, 1};
            const auto alone = issue_rates({&warp, 1}).front();
            known_.emplace(&demand, Known{std::move(*programs), alone});
        }
    }
}

std::span<const double> WarpSchedules::speeds(const SmGroup& group) {
    looked_up_.clear();
    for (const auto& resident : group.residents) {
        const auto found = known_.find(resident.demand);
        if (found == known_.end()) {
            return {};
        }
        looked_up_.push_back({&found->second.programs, resident.per_sm,
                              static_cast<std::uint32_t>(resident.demand->warps_per_block()),
                              found->second.alone});
    }
    const auto [played, is_new] = played_.try_emplace(looked_up_);
    if (is_new) {
        played->second = play(looked_up_);
    }
    return played->second;
}

std::vector<double> WarpSchedules::play(const std::vector<Blocks>& sets) const {
    auto speeds = rates(sets, false);
    const auto any_held = std::ranges::any_of(
        sets, [](const Blocks& blocks) { return blocks.programs->held.has_value(); });
    if (any_held && sets.size() > 1) {
        const auto beside_held = rates(sets, true);
        for (std::size_t i = 0; i < sets.size(); ++i) {
            speeds[i] = sets[i].programs->held ? speeds[i] : beside_held[i];
        }
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
        speeds[i] /= sets[i].alone * sets[i].warps * sets[i].count;
    }
    return speeds;
}

/// Instructions per cycle of each set on all schedulers. Those that have the same are played once.
std::vector<double> WarpSchedules::rates(const std::vector<Blocks>& sets, bool held) {
    std::vector<double> sums(sets.size(), 0.0);
    std::map<std::vector<std::uint32_t>, std::vector<double>> played;
    for (std::uint32_t scheduler = 0; scheduler < kSchedulersOfSm; ++scheduler) {
        std::vector<ScheduledBlock> blocks;
        std::vector<std::size_t> set_of;
        std::vector<std::uint32_t> warps;
        std::uint32_t place = 0;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const auto& programs = *sets[i].programs;
            const auto* const program = held && programs.held ? &*programs.held : &programs.alone;
            for (std::uint32_t block = 0; block < sets[i].count; ++block) {
                warps.push_back(warps_on(scheduler, place, sets[i].warps));
                place += sets[i].warps;
                if (warps.back() > 0) {
                    blocks.push_back({program, warps.back()});
                    set_of.push_back(i);
                }
            }
        }
        if (blocks.empty()) {
            continue;
        }
        const auto [found, is_new] = played.try_emplace(warps);
        if (is_new) {
            found->second = issue_rates(blocks);
        }
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            sums[set_of[block]] += found->second[block];
        }
    }
    return sums;
}

}  // namespace overcast
