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

bool touches_memory(const PassInstruction& instruction) {
    return instruction.unit == PassUnit::shared || instruction.unit == PassUnit::global;
}

}  // namespace

WarpSchedules::WarpSchedules(const std::vector<KernelDemand>& demands) {
    for (const auto& demand : demands) {
        if (demand.code != nullptr && !demand.code->start.empty()) {
            auto& start = starts_[&demand];
            start.program.pass = demand.code->start;
            start.alone = RememberedRates::of_program().to_start({}, {&start.program, 1});
        }
        if (demand.code == nullptr || demand.code->pass.empty() ||
            std::ranges::any_of(demand.code->pass, touches_memory)) {
            continue;
        }
        auto& known = known_[&demand];
        known.program.pass = demand.code->pass;
        const ScheduledBlock warp{&known.program, 1};
        known.alone = RememberedRates::of_program()({&warp, 1}).front();
    }
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
            looked_up_.push_back({&found->second, resident.per_sm,
                                  static_cast<std::uint32_t>(resident.demand->warps_per_block())});
        }
    }
    if (looked_up_.empty()) {
        return start.alone;
    }
    const auto [played, is_new] = started_.try_emplace({starting.demand, looked_up_});
    if (is_new) {
        played->second = play_start(looked_up_, start,
                                    static_cast<std::uint32_t>(starting.demand->warps_per_block()));
    }
    return played->second;
}

/// On the scheduler that has the most warps. Those of one block more do not hold each other up.
double WarpSchedules::play_start(const std::vector<Blocks>& others, const Start& start,
                                 std::uint32_t warps) {
    std::vector<ScheduledBlock> blocks;
    std::uint32_t place = 0;
    for (const auto& set : others) {
        for (std::uint32_t block = 0; block < set.count; ++block) {
            if (const auto of_block = warps_on(0, place, set.warps); of_block > 0) {
                blocks.push_back({&set.kernel->program, of_block});
            }
            place += set.warps;
        }
    }
    return RememberedRates::of_program().to_start(blocks, {&start.program, warps_on(0, 0, warps)});
}

std::span<const double> WarpSchedules::speeds(const SmGroup& group) {
    looked_up_.clear();
    for (const auto& resident : group.residents) {
        const auto found = known_.find(resident.demand);
        if (found == known_.end()) {
            return {};
        }
        looked_up_.push_back({&found->second, resident.per_sm,
                              static_cast<std::uint32_t>(resident.demand->warps_per_block())});
    }
    const auto [played, is_new] = played_.try_emplace(looked_up_);
    if (is_new) {
        played->second = play(looked_up_);
    }
    return played->second;
}

/// Schedulers that have the same warps are played once.
std::vector<double> WarpSchedules::play(const std::vector<Blocks>& sets) {
    std::vector<double> speeds(sets.size(), 0.0);
    std::map<std::vector<std::uint32_t>, std::vector<double>> played;
    for (std::uint32_t scheduler = 0; scheduler < kSchedulersOfSm; ++scheduler) {
        std::vector<ScheduledBlock> blocks;
        std::vector<std::size_t> set_of;
        std::vector<std::uint32_t> warps;
        std::uint32_t place = 0;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            for (std::uint32_t block = 0; block < sets[i].count; ++block) {
                warps.push_back(warps_on(scheduler, place, sets[i].warps));
                place += sets[i].warps;
                if (warps.back() > 0) {
                    blocks.push_back({&sets[i].kernel->program, warps.back()});
                    set_of.push_back(i);
                }
            }
        }
        if (blocks.empty()) {
            continue;
        }
        const auto [found, is_new] = played.try_emplace(warps);
        if (is_new) {
            found->second = RememberedRates::of_program()(blocks);
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
