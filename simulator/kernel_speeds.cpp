// How fast the blocks on the SMs run (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "model/memory_interference.hpp"
#include "simulator/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kLeastSpeed = 1e-4;  // of a block that all of a unit is taken from
constexpr double kMuch = 0.5;         // of a unit; Assumes: who asks for more could fill it
constexpr double kFull = 0.9;         // of a unit; Assumes: others hardly find it free
constexpr double kShortBurst = 2;     // no longer than another warp's turn

}  // namespace

void KernelExecutor::update_speeds() {
    for (const auto slot : in_use_) {
        running_[slot].speed = 0;
        running_[slot].resident = 0;
    }
    for (auto& group : sms_.groups()) {
        if (!group.residents.empty()) {
            add_speeds(group);
        }
    }
    slowed_.assign(running_.size(), 1.0);
    if (share_device_) {
        slow_by_device();
    }
    for (auto& group : sms_.groups()) {
        for (auto& blocks : group.residents) {
            blocks.speed /= slowed_[blocks.kernel];
            if (share_dram_) {
                blocks.speed /=
                    kernel_slow_down(*memory_kernels_, blocks.demand->dram_share, h2d_, d2h_);
            }
        }
    }
    find_next();
}

/// Of all issue slots of the SM.
inline double KernelExecutor::slots_used(const ResidentBlocks& blocks) const {
    return blocks.per_sm * blocks.demand->units.sm[0] * blocks.speed / unit_peaks_[0];
}

/// Speeds of the blocks on the SMs of one group.
void KernelExecutor::add_speeds(SmGroup& group) {
    const auto& first = *group.residents.front().demand;
    double load = 0;
    bool alike = true;
    for (const auto& resident : group.residents) {
        load += resident.demand->load_per_block * resident.per_sm;
        alike = alike && resident.demand == &first;
    }
    if (load <= 1) {
        // No unit is used up: what is left is the wait for slots.
        double used = 0;
        for (auto& resident : group.residents) {
            resident.speed =
                wait_for_slots_ ? speed_between(used, resident.demand->units.interval) : 1;
            used += slots_used(resident);
        }
    } else if (alike && slow_down_) {
        // One scarcest unit: what the older ones leave of it.
        double left = 1;
        double used = 0;
        for (auto& resident : group.residents) {
            const auto asked = first.load_per_block * resident.per_sm;
            const auto between = wait_for_slots_ ? speed_between(used, first.units.interval) : 1;
            resident.speed = std::max(std::min(between, left / asked), kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed);
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
    if (share_l2_path_) {
        slow_by_l2_path(group);
    }
    for (const auto& resident : group.residents) {
        const auto blocks = std::uint64_t{resident.per_sm} * group.sms;
        auto& kernel = running_[resident.kernel];
        kernel.speed += static_cast<double>(blocks) * resident.speed;
        kernel.resident += blocks;
    }
}

/// What an SM gets from the L2 its blocks share evenly. It is held in the L1 on its way, which is
/// what the carve-out leaves of the SM's memory.
void KernelExecutor::slow_by_l2_path(SmGroup& group) {
    constexpr double kMemory = 256 * 1024;  // of an SM since compute capability 9.0
    const auto l1 = kMemory - group.carve_out;
    users_.clear();
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto latency = 1 + (1 - units.l2_hit_rate) * (dram_latency_ - 1);
        const auto needed = l2_path_l1_bytes_ * latency;
        const auto reached = needed > l1 ? l1 / needed : 1;
        users_.push_back(
            {static_cast<double>(resident.per_sm), units.l2_path * resident.speed / reached});
    }
    if (slow_down_) {
        const auto delay = unit_delay(users_);
        for (std::size_t i = 0; i < users_.size(); ++i) {
            group.residents[i].speed /= 1 + users_[i].demand * delay;
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
        resident.speed /= std::max(1.0, load);
    }
}

/// As if the SMs of the group held no other kernel.
void KernelExecutor::serve_alone(SmGroup& group, std::uint32_t kernel) {
    double left = 1;
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel) {
            const auto asked = resident.demand->load_per_block * resident.per_sm;
            resident.speed = std::max(asked > left ? left / asked : 1.0, kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed);
        }
    }
}

/// How fast blocks run beside younger ones whose warps hold the scheduler for a burst of B
/// instructions. Those that use the share U of the issue slots with n warps per scheduler get,
/// between two bursts, what has become ready meanwhile and what follows until a slot is free:
///   m = min(n, U B) + U / (1 - U)   instructions in B + m cycles.
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
            longest = std::max(longest, other.demand->units.burst);
        }
    }
    if (longest <= kShortBurst) {
        return 1;
    }
    const auto load = count * blocks.demand->load_per_block;
    const auto used = std::min(count * units[0] / std::max(1.0, load), 0.99);
    const auto warps = count * blocks.demand->per_block.threads / 128.0;
    const auto served = std::min(warps, used * longest) + used / (1 - used);
    return std::min(1.0, served / (longest + served) / used);
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
    double used = 0;
    used_by_.clear();
    for (auto& blocks : group.residents) {
        std::uint32_t of_kernel = 0;
        for (const auto& other : group.residents) {
            of_kernel += other.kernel == blocks.kernel ? other.per_sm : 0;
        }
        double speed = slowed_by_bursts(group, blocks);
        if (wait_for_slots_) {
            speed = std::min(speed, speed_between(used, blocks.demand->units.interval));
        }
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
        blocks.speed = std::max(speed, kLeastSpeed);
        for (std::size_t unit = 0; unit < sm_units_; ++unit) {
            left[unit] -= blocks.per_sm * blocks.demand->units.sm[unit] * blocks.speed;
        }
        const auto slots = slots_used(blocks);
        used += slots;
        if (!blocks.demand->counted) {
            used_by(blocks.demand->function) += slots;
        }
    }
}

/// A block that its SM slows asks less of the device.
void KernelExecutor::slow_by_device() {
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        users_.clear();
        for (const auto slot : in_use_) {
            const auto& kernel = running_[slot];
            const auto blocks = static_cast<double>(kernel.resident);
            const auto speed = kernel.resident == 0 ? 1 : kernel.speed / blocks;
            users_.push_back({blocks, (*demands_)[kernel.demand].units.device[unit] * speed});
        }
        const auto delay = slow_down_ ? unit_delay(users_) : 0;
        for (std::size_t i = 0; i < in_use_.size(); ++i) {
            const auto& user = users_[i];
            auto& slowed = slowed_[in_use_[i]];
            slowed = std::max(
                {slowed, 1 + user.demand * delay, slow_down_ ? 1.0 : user.count * user.demand});
        }
    }
}

}  // namespace overcast
