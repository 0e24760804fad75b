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
                             const SchedulerParameters& parameters, bool with_edges)
    : parameters_{parameters} {
    auto& remembered = RememberedRates::of_program();
    for (const auto& demand : demands) {
        if (demand.code == nullptr) {
            continue;
        }
        const auto& pass = demand.code->pass;
        if (with_edges) {
            add_edge(demand, LoopEdge::start, demand.code->start);
            add_edge(demand, LoopEdge::end, demand.code->end);
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

void WarpSchedules::add_edge(const KernelDemand& demand, LoopEdge edge, const KernelPass& code) {
    if (code.empty()) {
        return;
    }
    auto& each = edges_[{&demand, edge}];
    each.program.pass = code;
    each.program.begins = edge == LoopEdge::start;
    const ScheduledBlock warp{&each.program, 1};
    each.alone = RememberedRates::of_program().to_run({&warp, 1}, 0, parameters_);
}

bool WarpSchedules::reads_shared_memory(const KernelDemand& demand) const {
    const auto found = known_.find(&demand);
    return found != known_.end() && found->second.reads_shared_memory;
}

/// Of the last warps of blocks one on each scheduler.
WarpSchedules::Blocks WarpSchedules::blocks_of(const ResidentBlocks& resident, const Known& known) {
    const auto warps = static_cast<std::uint32_t>(resident.demand->warps_per_block());
    if (resident.phase == BlockPhase::last_warps) {
        return {&known, 1, std::min(warps, kSchedulersOfSm)};
    }
    return {&known, resident.per_sm, warps};
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

double WarpSchedules::alone(const KernelDemand& demand, LoopEdge edge) const {
    const auto found = edges_.find({&demand, edge});
    return found == edges_.end() ? 0 : found->second.alone;
}

double WarpSchedules::beside(const SmGroup& group, std::size_t place, LoopEdge edge) {
    const auto& passing = group.residents[place];
    const auto& code = edges_.at({passing.demand, edge});
    looked_up_.clear();
    std::size_t older = 0;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        const auto& resident = group.residents[i];
        const auto found = known_.find(resident.demand);
        if (resident.kernel != passing.kernel && found != known_.end() &&
            resident.phase == BlockPhase::in_loop) {
            looked_up_.push_back(blocks_of(resident, found->second));
            older += i < place ? 1 : 0;
        }
    }
    if (looked_up_.empty()) {
        return code.alone;
    }
    const auto [played, is_new] =
        passed_.try_emplace({EdgeOf{passing.demand, edge}, older, looked_up_});
    if (is_new) {
        // On the scheduler that has the most warps. Those of one block more do not hold each other
        // up.
        const auto warps = static_cast<std::uint32_t>(passing.demand->warps_per_block());
        auto [blocks, set_of, dealt] = deal(looked_up_, 0);
        const auto at = std::ranges::lower_bound(set_of, older) - set_of.begin();
        blocks.insert(blocks.begin() + at, {&code.program, warps_on(0, 0, warps)});
        played->second =
            RememberedRates::of_program().to_run(blocks, static_cast<std::size_t>(at), parameters_);
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
