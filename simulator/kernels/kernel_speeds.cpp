// How fast the blocks on the SMs run (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "model/memory_interference.hpp"
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kMuch = 0.5;  // of a unit; Assumes: who asks for more could fill it

}  // namespace

/// Only where blocks have come or gone do speeds change, unless something of the device is full.
void KernelExecutor::update_speeds() {
    if (in_use_changed_) {
        add_dram_shares();
    }
    auto& groups = sms_.groups();
    for (const auto changed : sms_.changed()) {
        if (!groups[changed].residents.empty()) {
            share_sm(groups[changed]);
        }
    }
    const bool was_slowed = slowed_by_device_;
    slowed_by_device_ =
        share_device_ && (was_slowed || load_grew_) && (may_fill_device() || may_lose_data());
    load_grew_ = false;
    bool all = all_speeds_change_ || lasting_ || slowed_by_device_ != was_slowed;
    all_speeds_change_ = false;
    if (slowed_by_device_ || was_slowed) {  // once more where it is no longer full: none is slowed
        all = slow_by_device() || all;
    }
    if (all) {
        for (auto& group : groups) {
            set_speeds(group);
        }
    } else {
        for (const auto changed : sms_.changed()) {
            set_speeds(groups[changed]);
        }
    }
    sms_.clear_changed();
    find_next();
}

/// By what it shares with the other blocks and the copies on the device.
double KernelExecutor::slowed_speed(const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    return blocks.speed_on_sm / kernel.slowed / kernel.by_copies;
}

void KernelExecutor::set_speeds(SmGroup& group) {
    const auto now = sms_.now();
    const bool alone = !slowed_by_device_ && !h2d_ && !d2h_;
    auto next = kNoEnd;
    for (auto& blocks : group.residents) {
        blocks.progress.set_speed(now, alone ? blocks.speed_on_sm : slowed_speed(blocks));
        if (!lasting_ || !ends_on_time(blocks)) {
            next = std::min(next, blocks.progress.end());
        }
    }
    sms_.set_next(group, next);
}

void KernelExecutor::add_dram_shares() {
    in_use_changed_ = false;
    dram_share_ = 0;
    if (share_dram_) {
        for (const auto slot : in_use_) {
            dram_share_ += (*demands_)[running_[slot].demand].dram_share;
        }
    }
}

double KernelExecutor::slowed_by_copies(const KernelDemand& demand) const {
    return share_dram_ ? kernel_slow_down(*memory_kernels_, demand.dram_share, h2d_, d2h_) : 1;
}

/// Speeds of the blocks on the SMs of one group.
void KernelExecutor::share_sm(SmGroup& group) {
    const auto& first = *group.residents.front().demand;
    const auto first_kernel = group.residents.front().kernel;
    double load = 0;
    bool alike = true;
    std::uint32_t traits = 0;
    std::uint32_t of_others = 0;  // than the first kernel
    for (const auto& resident : group.residents) {
        const auto& demand = *resident.demand;
        load += demand.load_per_block * resident.per_sm;
        traits |= demand.traits;
        of_others |= resident.kernel != first_kernel ? demand.traits : 0;
        alike = alike && resident.demand == &first;
    }
    const bool run = finish_runs_ && (of_others & kHoldsScheduler) != 0;
    const bool use_l2_path = share_l2_path_ && (traits & kUsesL2Path) != 0;
    const bool meet = meet_at_barriers_ && (traits & kMeetsAtBarriers) != 0;
    const bool ready = some_are_ready_ && (traits & kIsAlwaysReady) != 0;
    const bool slots_alone = wait_for_slots_ && load <= 1 && !use_l2_path && !meet && !ready;
    if (slots_alone) {
        wait_for_slots(group);
        group.settled = static_cast<std::uint32_t>(group.residents.size());
        if (run) {
            wait_for_runs(group);
        }
        return;
    }
    group.settled = 0;
    for (auto& resident : group.residents) {
        resident.speed_on_sm = 1;
    }
    if (load > 1) {
        share_units(group, alike);
    } else {
        if (wait_for_slots_) {
            wait_for_slots(group);
        }
        if (ready) {
            wait_for_ready(group);
        }
    }
    if (meet) {
        slow_at_barriers(group);
    }
    if (use_l2_path) {
        slow_by_l2_path(group);
    }
    if (run) {
        wait_for_runs(group);
    }
}

/// Where blocks ask for more than all of a unit of their SM.
void KernelExecutor::share_units(SmGroup& group, bool alike) {
    if (alike && slow_down_) {
        // One scarcest unit: what the older ones leave of it.
        double left = 1;
        double used = 0;
        for (auto& resident : group.residents) {
            const auto asked = resident.demand->load_per_block * resident.per_sm;
            const auto between =
                wait_for_slots_ ? speed_between(used, resident.demand->units.interval) : 1;
            resident.speed_on_sm = std::max(std::min(between, left / asked), kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed_on_sm);
            used += slots_used(resident);
        }
    } else if (slow_down_) {
        serve_by_age(group);
    } else {
        // Without the slow-down by others a kernel feels its own blocks all the same.
        for (const auto slot : in_use_) {
            serve_alone(group, slot);
        }
    }
}

/// What an SM gets from the L2 its blocks share evenly. It is held in the L1 on its way, which is
/// what the carve-out leaves of the SM's memory.
void KernelExecutor::slow_by_l2_path(SmGroup& group) {
    const auto l1 = kSmMemory - group.carve_out;
    users_.clear();
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto latency = mean_load(units.l2_hit_rate, dram_latency_);
        const auto bytes = units.l2_path_bytes > 0 ? units.l2_path_bytes : l2_path_l1_bytes_;
        const auto needed = bytes * latency;
        const auto reached = needed > l1 ? l1 / needed : 1;
        const auto warps = resident.demand->warps_per_block();
        const auto demand = units.l2_path * resident.speed_on_sm / reached / warps;
        users_.push_back(
            {resident.per_sm * warps, demand, demand});  // who asks for more waits more
    }
    if (slow_down_) {
        const auto wait = unit_wait(users_);
        for (std::size_t i = 0; i < users_.size(); ++i) {
            group.residents[i].speed_on_sm /= 1 + users_[i].waits * wait;
        }
        return;
    }
    for (auto& resident : group.residents) {  // each kernel as if it were alone
        double load = 0;
        for (std::size_t i = 0; i < users_.size(); ++i) {
            load += group.residents[i].kernel == resident.kernel
                        ? users_[i].count * users_[i].demand
                        : 0;
        }
        resident.speed_on_sm /= std::max(1.0, load);
    }
}

/// As if the SMs of the group held no other kernel.
void KernelExecutor::serve_alone(SmGroup& group, std::uint32_t kernel) {
    double left = 1;
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel) {
            const auto asked = resident.demand->load_per_block * resident.per_sm;
            resident.speed_on_sm = std::max(asked > left ? left / asked : 1.0, kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed_on_sm);
        }
    }
}

/// Of one function's blocks, `used_by_` holds what they use of the issue slots.
double& KernelExecutor::used_by(std::uint32_t function) {
    const auto found = std::ranges::find(used_by_, function, &FunctionUse::function);
    return found != used_by_.end() ? found->slots
                                   : used_by_.emplace_back(FunctionUse{function, 0}).slots;
}

/// What those that were served before have left and use.
struct KernelExecutor::Served {
    std::array<double, kSmUnits> left;
    double used = 0;          ///< of the issue slots
    double behind_queue = 0;  ///< wait_behind_queue()
};

/// Blocks of different kernels on one SM: the oldest takes what it asks of each unit, the next what
/// is left (39), but those whose warps never wait come before all others. A block is as fast as the
/// unit lets it be of which it gets least.
void KernelExecutor::serve_by_age(SmGroup& group) {
    // In units of what can be reached of each: nobody takes more, and what he cannot take is left.
    Served so_far{unit_peaks_, 0, wait_behind_queue(group)};
    used_by_.clear();
    if (some_are_ready_) {
        for (auto& blocks : group.residents) {
            if (!gives_way(blocks)) {
                serve(group, blocks, so_far);
            }
        }
    }
    for (auto& blocks : group.residents) {
        if (gives_way(blocks)) {
            serve(group, blocks, so_far);
        }
    }
}

void KernelExecutor::serve(const SmGroup& group, ResidentBlocks& blocks, Served& so_far) {
    std::uint32_t of_kernel = 0;
    for (const auto& other : group.residents) {
        of_kernel += other.kernel == blocks.kernel ? other.per_sm : 0;
    }
    double speed = std::min({slowed_by_bursts(group, blocks), speed_beside_ready(group, blocks),
                             speed_that_waits(blocks, so_far.used, so_far.behind_queue)});
    // Without counters other kernels may need other units: a part of what they use is free.
    const auto found_free = blocks.demand->counted
                                ? 0
                                : (1 - unlike_contention_) * unit_peaks_[0] *
                                      (so_far.used - used_by(blocks.demand->function));
    for (std::size_t unit = 0; unit < sm_units_; ++unit) {
        const auto demand = blocks.demand->units.sm[unit];
        const auto asked = blocks.per_sm * demand;
        // Who could fill the unit himself finds no more of it than what can be reached.
        const auto beyond = of_kernel * demand > kMuch ? unit_peaks_[unit] - 1 : 0;
        const auto free = so_far.left[unit] + (unit == 0 ? found_free : 0);
        const auto most = std::clamp(free - beyond, 0.0, 1.0);
        if (asked > most) {
            speed = std::min(speed, most / asked);
        }
    }
    blocks.speed_on_sm = std::max(speed, kLeastSpeed);
    for (std::size_t unit = 0; unit < sm_units_; ++unit) {
        const auto reached = unit == 0 ? blocks.demand->units.slots_reached : 1;
        so_far.left[unit] -=
            blocks.per_sm * blocks.demand->units.sm[unit] * blocks.speed_on_sm * reached;
    }
    const auto slots = slots_used(blocks);
    so_far.used += slots;
    if (!blocks.demand->counted) {
        used_by(blocks.demand->function) += slots;
    }
}

}  // namespace overcast
