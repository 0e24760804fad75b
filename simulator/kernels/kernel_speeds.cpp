// How fast the blocks on the SMs run (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "model/memory_interference.hpp"
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kLeastSpeed = 1e-4;          // of a block that all of a unit is taken from
constexpr double kMuch = 0.5;                 // of a unit; Assumes: who asks for more could fill it
constexpr double kFull = 0.9;                 // of a unit; Assumes: others hardly find it free
constexpr double kShortBurst = 2;             // no longer than another warp's turn
constexpr double kThreadsPerScheduler = 128;  // of one warp on each of an SM's four
constexpr double kMemory = 256 * 1024;        // of an SM since compute capability 9.0, bytes

/// Instructions that the warps of a scheduler issue one after the other, each for a burst.
double turn_of_bursts(const ResidentBlocks& blocks) {
    const auto burst = blocks.demand->units.burst;
    const auto warps = blocks.per_sm * blocks.demand->per_block.threads / kThreadsPerScheduler;
    return burst > kShortBurst ? burst * std::max(1.0, warps) : 1;
}

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

/// Of all issue slots of the SM.
inline double KernelExecutor::slots_used(const ResidentBlocks& blocks) const {
    return blocks.per_sm * blocks.demand->units.sm[0] * blocks.speed_on_sm * slot_share_;
}

/// Speeds of the blocks on the SMs of one group.
void KernelExecutor::share_sm(SmGroup& group) {
    const auto& first = *group.residents.front().demand;
    double load = 0;
    bool alike = true;
    bool use_l2_path = false;
    for (const auto& resident : group.residents) {
        const auto& demand = *resident.demand;
        load += demand.load_per_block * resident.per_sm;
        alike = alike && resident.demand == &first;
        use_l2_path = use_l2_path || demand.units.l2_path > 0;
    }
    const bool slots_alone = wait_for_slots_ && load <= 1 && !(share_l2_path_ && use_l2_path);
    if (slots_alone) {
        wait_for_slots(group);
        group.settled = static_cast<std::uint32_t>(group.residents.size());
        return;
    }
    group.settled = 0;
    for (auto& resident : group.residents) {
        resident.speed_on_sm = 1;
    }
    if (load > 1) {
        share_units(group, alike);
    } else if (wait_for_slots_) {
        wait_for_slots(group);
    }
    if (share_l2_path_ && use_l2_path) {
        slow_by_l2_path(group);
    }
}

/// No unit is used up: what is left is the wait for slots that older ones use.
void KernelExecutor::wait_for_slots(SmGroup& group) {
    double used = 0;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& resident = group.residents[i];
        if (i >= group.settled) {
            resident.speed_on_sm = speed_between(used, resident.demand->units.interval);
        }
        used += slots_used(resident);
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
    const auto l1 = kMemory - group.carve_out;
    users_.clear();
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto latency = 1 + (1 - units.l2_hit_rate) * (dram_latency_ - 1);
        const auto bytes = units.l2_path_bytes > 0 ? units.l2_path_bytes : l2_path_l1_bytes_;
        const auto needed = bytes * latency;
        const auto reached = needed > l1 ? l1 / needed : 1;
        users_.push_back(
            {static_cast<double>(resident.per_sm), units.l2_path * resident.speed_on_sm / reached});
    }
    if (slow_down_) {
        const auto delay = unit_delay(users_);
        for (std::size_t i = 0; i < users_.size(); ++i) {
            group.residents[i].speed_on_sm /= 1 + users_[i].demand * delay;
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

/// How fast blocks run beside younger ones whose warps hold the scheduler, one after the other,
/// each for a burst, together for B instructions. Those that use the share U of the issue slots
/// with n warps per scheduler get, between two turns of these, what has become ready meanwhile and
/// what follows until a slot is free:
///   m = min(n, U B) + U / (1 - U)   instructions in B + m cycles,
/// and a warp that alone issues every c cycles waits for half a turn each time: c / (c + B / 2).
/// Where the older ones keep a pipe busy that the others need, each burst breaks off there.
double KernelExecutor::slowed_by_bursts(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (take_turns_) {
        return 1;
    }
    const auto& units = blocks.demand->units.sm;
    double longest = 1;
    double count = 0;
    for (const auto& other : group.residents) {
        if (other.kernel == blocks.kernel) {
            count += other.per_sm;
        }
    }
    for (const auto& other : group.residents) {
        if (other.kernel == blocks.kernel || other.age <= blocks.age) {
            continue;
        }
        bool breaks = false;
        for (std::size_t unit = 1; unit < kSmUnits; ++unit) {
            breaks =
                breaks || (count * units[unit] > kFull &&
                           other.demand->units.sm[unit] > kMuch * other.demand->load_per_block);
        }
        if (!breaks) {
            longest = std::max(longest, turn_of_bursts(other));
        }
    }
    if (longest <= kShortBurst) {
        return 1;
    }
    const auto load = count * blocks.demand->load_per_block;
    const auto used = std::min(count * units[0] / std::max(1.0, load), 0.99);
    const auto warps = count * blocks.demand->per_block.threads / kThreadsPerScheduler;
    const auto served = std::min(warps, used * longest) + used / (1 - used);
    const auto between = blocks.demand->units.interval;
    const auto late = between > 0 ? between / (between + longest / 2) : 1;
    return std::min({1.0, late, served / (longest + served) / used});
}

/// Where the queue to global memory is full, all lines of the L1 are on their way: a load of others
/// comes behind them, after lines / requests per ns (Little's law). In latencies of the L2; 0: the
/// queue has room.
double KernelExecutor::wait_behind_queue(const SmGroup& group) const {
    constexpr auto kQueue = static_cast<std::size_t>(SmUnit::global_queue);
    double taken = 0;
    double requests = 0;
    for (const auto& blocks : group.residents) {
        const auto& units = blocks.demand->units;
        taken += blocks.per_sm * units.sm[kQueue];
        requests = std::max(requests, units.queued_requests);
    }
    if (taken < 1 || requests <= 0 || l2_latency_ns_ <= 0) {
        return 0;
    }
    return (kMemory - group.carve_out) / kL1Line / requests / l2_latency_ns_;
}

/// How fast blocks are that wait for slots, of which older ones use a share, and behind a full
/// queue for so many latencies of the L2.
double KernelExecutor::speed_that_waits(const ResidentBlocks& blocks, double used,
                                        double behind_queue) const {
    const auto& units = blocks.demand->units;
    const auto for_slots = wait_for_slots_ ? speed_between(used, units.interval) : 1;
    const bool queues_itself = units.queued_requests > 0;
    const auto late = queues_itself ? 1 : 1 + units.l2_waiting * std::max(0.0, behind_queue - 1);
    return std::min(for_slots, 1 / late);
}

/// Of one function's blocks, `used_by_` holds what they use of the issue slots.
double& KernelExecutor::used_by(std::uint32_t function) {
    const auto found = std::ranges::find(used_by_, function, &FunctionUse::function);
    return found != used_by_.end() ? found->slots
                                   : used_by_.emplace_back(FunctionUse{function, 0}).slots;
}

/// Blocks of different kernels on one SM: the oldest takes what it asks of each unit, the next what
/// is left (39). A block is as fast as the unit lets it be of which it gets least.
void KernelExecutor::serve_by_age(SmGroup& group) {
    // In units of what can be reached of each: nobody takes more, and what he cannot take is left.
    auto left = unit_peaks_;
    const auto wait = wait_behind_queue(group);
    double used = 0;
    used_by_.clear();
    for (auto& blocks : group.residents) {
        std::uint32_t of_kernel = 0;
        for (const auto& other : group.residents) {
            of_kernel += other.kernel == blocks.kernel ? other.per_sm : 0;
        }
        double speed =
            std::min(slowed_by_bursts(group, blocks), speed_that_waits(blocks, used, wait));
        // Without counters other kernels may need other units: a part of what they use is free.
        const auto found_free = blocks.demand->counted
                                    ? 0
                                    : (1 - unlike_contention_) * unit_peaks_[0] *
                                          (used - used_by(blocks.demand->function));
        for (std::size_t unit = 0; unit < sm_units_; ++unit) {
            const auto demand = blocks.demand->units.sm[unit];
            const auto asked = blocks.per_sm * demand;
            // Who could fill the unit himself finds no more of it than what can be reached.
            const auto beyond = of_kernel * demand > kMuch ? unit_peaks_[unit] - 1 : 0;
            const auto free = left[unit] + (unit == 0 ? found_free : 0);
            const auto most = std::clamp(free - beyond, 0.0, 1.0);
            if (asked > most) {
                speed = std::min(speed, most / asked);
            }
        }
        blocks.speed_on_sm = std::max(speed, kLeastSpeed);
        for (std::size_t unit = 0; unit < sm_units_; ++unit) {
            const auto reached = unit == 0 ? blocks.demand->units.slots_reached : 1;
            left[unit] -=
                blocks.per_sm * blocks.demand->units.sm[unit] * blocks.speed_on_sm * reached;
        }
        const auto slots = slots_used(blocks);
        used += slots;
        if (!blocks.demand->counted) {
            used_by(blocks.demand->function) += slots;
        }
    }
}

}  // namespace overcast
