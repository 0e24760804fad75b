// How blocks on all SMs share the units of the device (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr auto kDram = static_cast<std::size_t>(DeviceUnit::dram);
constexpr int kLostRounds = 6;
/// Of a unit. Assumes: below, no request noticeably waits there (2.6 % of what it does where full).
constexpr double kHardlyUsed = 0.4;

}  // namespace

/// Whether blocks ask for so much of a unit of the device that requests wait there, while no SM
/// slows them.
bool KernelExecutor::may_fill_device() const {
    std::array<double, kDeviceUnits> load{};
    for (const auto slot : in_use_) {
        const auto& kernel = running_[slot];
        const auto blocks = static_cast<double>(kernel.resident);
        for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
            load[unit] += blocks * (*demands_)[kernel.demand].units.device[unit];
        }
    }
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        if (load[unit] > (waits_where_full_[unit] > 0 ? kHardlyUsed : 1)) {
            return true;
        }
    }
    return false;
}

void KernelExecutor::add_speeds() {
    for (const auto slot : in_use_) {
        running_[slot].speed = 0;
        running_[slot].slowing = 1;
    }
    for (const auto& group : sms_.groups()) {
        for (const auto& blocks : group.residents) {
            running_[blocks.kernel].speed +=
                static_cast<double>(std::uint64_t{blocks.per_sm} * group.sms) * blocks.speed_on_sm;
        }
    }
}

/// Whether data that kernels use again may leave the L2 because of what others bring in.
bool KernelExecutor::may_lose_data() const {
    return lose_data_ && in_use_.size() > 1 &&
           std::ranges::any_of(in_use_, [&](std::uint32_t slot) {
               return (*demands_)[running_[slot].demand].units.footprint > 0;
           });
}

/// Whoever no longer finds its data waits for it longer, and so asks for less: a few rounds settle
/// that.
void KernelExecutor::find_lost() {
    for (const auto slot : in_use_) {
        running_[slot].late = 1;
        running_[slot].lost_demand = 0;
    }
    if (may_lose_data()) {
        for (int round = 0; round < kLostRounds; ++round) {
            share_l2_once();
        }
    }
}

/// What each kernel no longer finds in the L2 comes from the DRAM, and later.
void KernelExecutor::share_l2_once() {
    const auto dram = dram_bytes_per_ns_ * dram_capacity_;
    double from_dram = 0;
    cache_users_.clear();
    for (const auto slot : in_use_) {
        const auto& kernel = running_[slot];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto speed = kernel.speed / kernel.late;
        const auto footprint = units.footprint < l2_bytes_ ? units.footprint : 0;
        cache_users_.push_back(
            {footprint, units.l2_lookups * speed, units.device[kDram] * dram * speed, 1});
        from_dram += (units.device[kDram] + kernel.lost_demand) * dram_capacity_ * speed;
    }
    share_l2(cache_users_, l2_bytes_);
    const auto latency = dram_latency_ + grown(waits_where_full_[kDram], std::min(from_dram, 1.0));
    for (std::size_t i = 0; i < in_use_.size(); ++i) {
        auto& kernel = running_[in_use_[i]];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto lost = units.l2_hit_rate * (1 - cache_users_[i].kept);
        const auto blocks = std::max(static_cast<double>(kernel.resident), 1.0);
        const auto late = 1 + kernel.speed / blocks * units.l2_waits * lost * (latency - 1);
        kernel.late = (kernel.late + late) / 2;
        kernel.lost_demand = lost * units.l2_lookups / dram;
    }
}

/// Each kernel's warps as users of a unit. A block that its SM slows asks less of the device.
void KernelExecutor::add_users(std::size_t unit) {
    users_.clear();
    for (const auto slot : in_use_) {
        const auto& kernel = running_[slot];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto blocks = static_cast<double>(kernel.resident);
        const auto speed = kernel.resident == 0 ? 1 : kernel.speed / blocks / kernel.late;
        const auto asked = units.device[unit] + (unit == kDram ? kernel.lost_demand : 0);
        const auto warps = (*demands_)[kernel.demand].warps_per_block();
        const auto demand = asked * speed / warps;
        const auto waits = units.waits_for(static_cast<DeviceUnit>(unit));
        // Assumes: where the counters say less, what a warp asks for is served in a row.
        users_.push_back({blocks * warps, demand, std::max(demand, waits * speed)});
    }
}

/// True if a kernel is slowed otherwise than before.
bool KernelExecutor::slow_by_device() {
    add_speeds();
    find_lost();
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        add_users(unit);
        const auto wait = slow_down_ ? unit_wait(users_, waits_where_full_[unit]) : 0;
        for (std::size_t i = 0; i < in_use_.size(); ++i) {
            const auto& user = users_[i];
            auto& slowing = running_[in_use_[i]].slowing;
            slowing = std::max(
                {slowing, 1 + user.waits * wait, slow_down_ ? 1.0 : user.count * user.demand});
        }
    }
    bool changed = false;
    for (const auto slot : in_use_) {
        auto& kernel = running_[slot];
        const auto slowed = kernel.slowing * kernel.late;
        changed = changed || kernel.slowed != slowed;
        kernel.slowed = slowed;
    }
    return changed;
}

}  // namespace overcast
