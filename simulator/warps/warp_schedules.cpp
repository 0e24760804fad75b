#include "simulator/warps/warp_schedules.hpp"

#include "model/unit_demand.hpp"
#include "simulator/warps/remembered_rates.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr auto kSchedulersOfSm = static_cast<std::uint32_t>(kSchedulers);

/// Of a block whose warps take the places from `first` on, those of one scheduler: they go round.
std::uint32_t warps_on(std::uint32_t scheduler, std::uint32_t first, std::uint32_t warps) {
    const auto up_to = [scheduler](std::uint32_t places) {
        return (places + kSchedulersOfSm - 1 - scheduler) / kSchedulersOfSm;
    };
    return up_to(first + warps) - up_to(first);
}

bool any_of_unit(const KernelPass& pass, PassUnit unit) {
    return std::ranges::any_of(
        pass, [unit](const auto& instruction) { return instruction.unit == unit; });
}

}  // namespace

WarpSchedules::WarpSchedules(const std::vector<KernelDemand>& demands,
                             const SchedulerParameters& parameters, bool with_starts)
    : parameters_{parameters} {
    auto& remembered = RememberedRates::of_program();
    for (const auto& demand : demands) {
        if (demand.code == nullptr) {
            continue;
        }
        const auto& pass = demand.code->pass;
        const auto& start = demand.code->start;
        if (with_starts && !start.empty()) {
            auto& each = starts_[&demand];
            each.program.pass = start;
            each.alone = remembered.to_start({}, {&each.program, 1}, parameters);
        }
        if (!pass.empty() && !any_of_unit(pass, PassUnit::global)) {
            auto& known = known_[&demand];
            known.program.pass = pass;
            known.reads_shared_memory = any_of_unit(pass, PassUnit::shared);
            const ScheduledBlock warp{&known.program, 1};
            known.alone = remembered({&warp, 1}, parameters).front();
        }
    }
}

bool WarpSchedules::reads_shared_memory(const KernelDemand& demand) const {
    const auto found = known_.find(&demand);
    return found != known_.end() && found->second.reads_shared_memory;
}

WarpSchedules::Blocks WarpSchedules::blocks_of(const ResidentBlocks& resident, const Known& known) {
    return {&known, resident.per_sm,
            static_cast<std::uint32_t>(resident.demand->warps_per_block())};
}

/// The warps of all blocks go round the schedulers, one block after the other.
WarpSchedules::Dealt WarpSchedules::deal(const std::vector<Blocks>& sets, std::uint32_t scheduler) {
    Dealt dealt;
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        for (std::uint32_t block = 0; block < sets[i].count; ++block) {
            dealt.warps.push_back(warps_on(scheduler, place, sets[i].warps));
            place += sets[i].warps;
            if (dealt.warps.back() > 0) {
                dealt.blocks.push_back({&sets[i].kernel->program, dealt.warps.back()});
                dealt.set_of.push_back(i);
            }
        }
    }
    return dealt;
}

double WarpSchedules::start_alone(const KernelDemand& demand) const {
    const auto found = starts_.find(&demand);
    return found == starts_.end() ? 0 : found->second.alone;
}

double WarpSchedules::start_beside(const SmGroup& group, std::size_t place) {
    const auto& starting = group.residents[place];
    const auto& start = starts_.at(starting.demand);
    looked_up_.clear();
    for (const auto& resident : group.residents) {
        const auto found = known_.find(resident.demand);
        if (resident.kernel != starting.kernel && found != known_.end() &&
            resident.phase == BlockPhase::in_loop) {
            looked_up_.push_back(blocks_of(resident, found->second));
        }
    }
    if (looked_up_.empty()) {
        return start.alone;
    }
    const auto [played, is_new] = started_.try_emplace({starting.demand, looked_up_});
    if (is_new) {
        // On the scheduler that has the most warps. Those of one block more do not hold each other
        // up.
        const auto warps = static_cast<std::uint32_t>(starting.demand->warps_per_block());
        played->second = RememberedRates::of_program().to_start(
            deal(looked_up_, 0).blocks, {&start.program, warps_on(0, 0, warps)}, parameters_);
    }
    return played->second;
}

std::span<const double> WarpSchedules::speeds(const SmGroup& group) {
    looked_up_.clear();
    for (const auto& resident : group.residents) {
        const auto found = known_.find(resident.demand);
        if (found == known_.end()) {
            return {};
        }
        looked_up_.push_back(blocks_of(resident, found->second));
    }
    const auto [played, is_new] = played_.try_emplace(looked_up_);
    if (is_new) {
        played->second = play(looked_up_);
    }
    return played->second;
}

/// Schedulers that have the same warps are played once.
std::vector<double> WarpSchedules::play(const std::vector<Blocks>& sets) const {
    std::vector<double> speeds(sets.size(), 0.0);
    std::map<std::vector<std::uint32_t>, std::vector<double>> played;
    for (std::uint32_t scheduler = 0; scheduler < kSchedulersOfSm; ++scheduler) {
        const auto [blocks, set_of, warps] = deal(sets, scheduler);
        if (blocks.empty()) {
            continue;
        }
        const auto [found, is_new] = played.try_emplace(warps);
        if (is_new) {
            found->second = RememberedRates::of_program()(blocks, parameters_);
        }
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            speeds[set_of[block]] += found->second[block];
        }
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
        speeds[i] /= sets[i].kernel->alone * sets[i].warps * sets[i].count;
    }
    return speeds;
}

}  // namespace overcast
