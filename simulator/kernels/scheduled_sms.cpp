// SMs on which kernels run whose schedulers can be played (docs/model.md#the-schedulers-of-an-sm).
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

namespace overcast {
namespace {

constexpr double kWaits = 8;  // times as long to or from the loop: less is no time. Assumes

double speed_of_all(const SmGroup& group) {
    double sum = 0;
    for (const auto& resident : group.residents) {
        sum += resident.speed_on_sm * resident.per_sm;
    }
    return sum;
}

void set_speed(ResidentBlocks& blocks, double speed) {
    blocks.speed_on_sm = std::clamp(speed, kLeastSpeed, 1.0);
}

}  // namespace

bool SmSharing::share(SmGroup& group) {
    if (!schedules_) {
        share_by_laws(group);
        return false;
    }
    const bool some_wait = find_phases(group);
    if (std::ranges::all_of(group.residents, is_in_loop)) {
        share_in_loops(group);
    } else {
        share_beside_starts(group);
    }
    return some_wait;
}

void SmSharing::share_in_loops(SmGroup& group) {
    share_by_laws(group);
    share_by_schedules(group);
}

double SmSharing::edge_time(const KernelDemand& demand, LoopEdge edge) const {
    return schedules_->alone(demand, edge) / cycles_per_ns_;
}

bool SmSharing::waits(const SmGroup& group, std::size_t place, LoopEdge edge) {
    const auto alone = schedules_ ? schedules_->alone(*group.residents[place].demand, edge) : 0;
    return alone > 0 && schedules_->beside(group, place, edge) > kWaits * alone;
}

bool SmSharing::lets_in(const SmGroup& group, std::size_t place) const {
    bool some = false;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        const auto& blocks = group.residents[i];
        if (i != place && blocks.phase == BlockPhase::in_loop &&
            schedules_->knows(*blocks.demand)) {
            return false;
        }
        some = some || (blocks.phase == BlockPhase::starts && blocks.demand->units.always_ready);
    }
    return some;
}

bool SmSharing::find_phases(SmGroup& group) {
    bool some_wait = false;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& blocks = group.residents[i];
        if (blocks.phase == BlockPhase::placed) {
            const bool shares = blocks.demand->units.always_ready && is_left_to_laws(group);
            const bool is_late = !shares && waits(group, i, LoopEdge::start);
            blocks.phase = is_late ? BlockPhase::waits : BlockPhase::in_loop;
            some_wait = some_wait || is_late;
        }
    }
    return some_wait;
}

/// Those that are not in their loops leave the SM to the others.
void SmSharing::share_beside_starts(SmGroup& group) {
    auto others = group;
    std::erase_if(others.residents, [](const auto& blocks) { return !is_in_loop(blocks); });
    if (!others.residents.empty()) {
        others.settled = 0;
        share_in_loops(others);
    }
    auto next = others.residents.cbegin();
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& blocks = group.residents[i];
        if (is_in_loop(blocks)) {
            blocks.speed_on_sm = next->speed_on_sm;
            blocks.speed_for_slots = next->speed_for_slots;
            blocks.in_turn = next->in_turn;
            ++next;
        } else {
            const auto edge = blocks.phase == BlockPhase::ends ? LoopEdge::end : LoopEdge::start;
            const auto alone = schedules_->alone(*blocks.demand, edge);
            set_speed(blocks, alone / schedules_->beside(group, i, edge));
        }
    }
    group.settled = 0;
}

/// Whether counters, and so laws of a kernel alone, say better than its code how much it uses of
/// the unit that it fills: shared memory, and that for special functions (played, all cycles of it
/// are used).
bool SmSharing::is_told_by_counters(const KernelDemand& demand) const {
    const auto special = demand.units.sm[kXu];
    return schedules_->reads_shared_memory(demand) ||
           (special > 0 && special >= demand.units.most_of_sm());
}

/// Where all residents can be played, as their schedulers say. Else by laws, which do not say quite
/// the same of how fast a kernel's blocks are that have an SM to themselves: that is made good.
void SmSharing::share_by_schedules(SmGroup& group) {
    const bool by_laws = is_left_to_laws(group);
    const auto speeds = by_laws ? std::span<const double>{} : schedules_->speeds(group);
    played_.assign(speeds.begin(), speeds.end());
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& resident = group.residents[i];
        const bool told = is_told_by_counters(*resident.demand);
        if (!played_.empty()) {
            const auto ratio = told ? schedule_over_laws(group, resident.kernel) : 1;
            set_speed(resident, played_[i] / ratio);
        } else if (schedules_->knows(*resident.demand) && !told) {
            const auto ratio = schedule_over_laws(group, resident.kernel);
            set_speed(resident, resident.speed_on_sm * ratio);
        }
    }
    group.settled = 0;
}

/// Of two kernels of warps that never wait the older one, played, leaves the other nothing, or gets
/// next to nothing if it has one on each scheduler; in truth its own last warps get nothing beside
/// those, or half. Laws say what that comes to, over all its time.
bool SmSharing::is_left_to_laws(const SmGroup& group) const {
    const auto& residents = group.residents;
    const auto never_waits = [](const auto& blocks) { return blocks.demand->units.always_ready; };
    const auto first = std::ranges::find_if(residents, never_waits);
    const auto is_rival = [&](const auto& blocks) {
        return never_waits(blocks) && blocks.kernel != first->kernel &&
               (takes_turns(group, *first) || (is_single(*first) && takes_turns(group, blocks)));
    };
    return first != residents.end() && std::ranges::any_of(residents, is_rival);
}

/// Of the speed of all blocks of a kernel, without the others of their SM.
double SmSharing::schedule_over_laws(const SmGroup& group, std::uint32_t kernel) {
    SmGroup alone;
    alone.sms = group.sms;
    alone.carve_out = group.carve_out;
    std::ranges::copy_if(group.residents, std::back_inserter(alone.residents),
                         [&](const auto& resident) { return resident.kernel == kernel; });
    alone.one_set_each = alone.residents.size() == 1;
    share_by_laws(alone);
    const auto by_laws = speed_of_all(alone);
    const auto speeds = schedules_->speeds(alone);
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        alone.residents[i].speed_on_sm = speeds[i];
    }
    return speed_of_all(alone) / by_laws;
}

}  // namespace overcast
