#include "simulator/kernels/device_sharing.hpp"

#include "model/kernel_concurrency.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr auto kDram = static_cast<std::size_t>(DeviceUnit::dram);
constexpr auto kL2Writes = static_cast<std::size_t>(DeviceUnit::l2_writes);
constexpr auto kDramWrites = static_cast<std::size_t>(DeviceUnit::dram_writes);
constexpr int kLostRounds = 10;
/// Of a unit. Assumes: below, no request noticeably waits there (2.6 % of what it does where full).
constexpr double kHardlyUsed = 0.4;

}  // namespace

DeviceSharing::DeviceSharing(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                             const Rules& rules)
    : demands_{&demands},
      capacities_{&model.kernels.capacities},
      multiprocessors_{static_cast<double>(model.device.multiprocessors.value_or(1))},
      slow_down_{rules[Rule::corun_slowdown]},
      counted_{any_counted(demands)},
      l2_room_{model.kernels.l2_kept_bytes, model.kernels.l2_safe_ns,
               model.kernels.l2_late_from_bytes},
      late_latency_{model.kernels.l2_late_latency},
      dram_bytes_per_ns_{dram_bytes_per_ns(model.device)},
      lose_data_{
          rules[Rule::l2_eviction] && slow_down_ && counted_ && l2_room_.bytes > 0 &&
          dram_bytes_per_ns_ > 0 &&
          std::ranges::any_of(demands, [](const auto& each) { return each.units.footprint > 0; })},
      halves_{&model.kernels.l2_halves},
      share_halves_{rules[Rule::l2_halves] && lose_data_ && halves_->measured()},
      go_round_{slow_down_ &&
                std::ranges::any_of(demands, [](const auto& each) { return each.round.felt(); })} {
    if (rules[Rule::memory_latency]) {
        for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
            waits_where_full_[unit] = capacities_->wait_where_full(static_cast<DeviceUnit>(unit));
        }
        wait_for_writes_ = capacities_->dram_latency * capacities_->dram_latency_growth_by_writes;
    }
}

bool DeviceSharing::may_slow(const RunningKernels& running) const {
    return counted_ && (go_round_ || may_fill(running) || may_lose_data(running));
}

/// Whether blocks ask for so much of a unit of the device that requests wait there, while no SM
/// slows them.
bool DeviceSharing::may_fill(const RunningKernels& running) const {
    std::array<double, kDeviceUnits> load{};
    for (const auto slot : running.in_use) {
        const auto& kernel = running[slot];
        const auto blocks = static_cast<double>(kernel.resident);
        for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
            load[unit] += blocks * (*demands_)[kernel.demand].units.device[unit];
        }
    }
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        const auto most = waits_where_full_[unit] > 0 ? kHardlyUsed : 1;
        if (load[unit] > 0 && load[unit] > most * reached(running, unit)) {
            return true;
        }
    }
    return false;
}

/// Of all blocks of each kernel.
void DeviceSharing::add_speeds(RunningKernels& running, const std::vector<SmGroup>& groups) {
    for (const auto slot : running.in_use) {
        running[slot].speed = 0;
        running[slot].asking = 0;
        running[slot].slowing = 1;
    }
    for (const auto& group : groups) {
        for (const auto& blocks : group.residents) {
            auto& kernel = running[blocks.kernel];
            const auto count = static_cast<double>(std::uint64_t{blocks.per_sm} * group.sms);
            kernel.speed += count * blocks.speed_on_sm;
            kernel.asking += count * time_asking(blocks);
        }
    }
}

/// Whether data that kernels use again may leave the L2 because of what others bring in.
bool DeviceSharing::may_lose_data(const RunningKernels& running) const {
    return lose_data_ && running.in_use.size() > 1 &&
           std::ranges::any_of(running.in_use, [&](std::uint32_t slot) {
               return (*demands_)[running[slot].demand].units.footprint > 0;
           });
}

/// Whoever no longer finds its data waits for it longer, and so asks for less: a few rounds settle
/// that.
void DeviceSharing::find_lost(RunningKernels& running) {
    for (const auto slot : running.in_use) {
        running[slot].late = 1;
        running[slot].lost_demand = 0;
    }
    if (may_lose_data(running)) {
        for (int round = 0; round < kLostRounds; ++round) {
            share_l2_once(running);
        }
    }
}

/// By the SMs in use whose kernels go round their data.
void DeviceSharing::slow_by_round(RunningKernels& running,
                                  const std::vector<SmGroup>& groups) const {
    const auto goes_round = [&](const ResidentBlocks& blocks) {
        return blocks.demand->round.felt();
    };
    double sms = 0;
    for (const auto& group : groups) {
        sms += std::ranges::any_of(group.residents, goes_round) ? group.sms : 0;
    }
    const auto both = halves_->both_by_sms.linear(sms);
    for (const auto slot : running.in_use) {
        const auto& round = (*demands_)[running[slot].demand].round;
        running[slot].late *= round.in_one + both * (round.in_both - round.in_one);
    }
}

/// What kernels go round together does not stay in each half of the L2 as what one goes round by
/// itself does.
void DeviceSharing::slow_by_others_rounds(RunningKernels& running,
                                          const std::vector<SmGroup>& groups) {
    double sms = 0;
    for (const auto& group : groups) {
        sms += group.residents.empty() ? 0 : group.sms;
    }
    round_users_.clear();
    for (const auto slot : running.in_use) {
        const auto& units = (*demands_)[running[slot].demand].units;
        round_users_.push_back(
            {units.footprint, units.l2_lookups * running[slot].speed / running[slot].late});
    }
    for (std::size_t i = 0; i < running.in_use.size(); ++i) {
        auto& kernel = running[running.in_use[i]];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto& user = round_users_[i];
        if (user.bytes <= 0 || user.lookups <= 0 || units.device[kL2Writes] > 0) {
            continue;  // who writes waits for none of it
        }
        const auto load_ns = [&](double bytes) {
            return halves_->load_ns(Bytes{static_cast<std::uint64_t>(bytes)}, sms);
        };
        const auto together = load_ns(bytes_of_round(round_users_, i));
        const auto longer = std::max(0.0, together / load_ns(user.bytes) - 1);
        const auto waits = units.l2_waits * kernel.speed / static_cast<double>(kernel.resident);
        kernel.late *= 1 + waits * longer;
    }
}

/// What each kernel no longer finds in the L2 comes from the DRAM, and later.
void DeviceSharing::share_l2_once(RunningKernels& running) {
    const auto capacity = (*capacities_)[DeviceUnit::dram];
    const auto dram = dram_bytes_per_ns_ * capacity;
    double from_dram = 0;
    double written = 0;
    cache_users_.clear();
    for (const auto slot : running.in_use) {
        const auto& kernel = running[slot];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto speed = kernel.speed / kernel.late;
        const auto footprint = units.footprint < l2_room_.bytes ? units.footprint : 0;
        cache_users_.push_back(
            {footprint, units.l2_lookups * speed,
             units.room_per_byte * brought_in(units.device[kDram], units.dram_written) * dram *
                 speed,
             units.lost_apart > 1, 1});
        from_dram += (units.device[kDram] + kernel.lost_demand) * capacity * speed;
        written += units.dram_written * speed;
    }
    share_l2(cache_users_, l2_room_);
    const auto latency = capacities_->dram_latency +
                         grown(waits_where_full_[kDram], std::min(from_dram, 1.0)) +
                         wait_for_writes_ * std::min(written, 1.0);
    for (std::size_t i = 0; i < running.in_use.size(); ++i) {
        auto& kernel = running[running.in_use[i]];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto lost = units.l2_hit_rate * (1 - cache_users_[i].kept);
        const auto blocks = std::max(static_cast<double>(kernel.resident), 1.0);
        const auto of_loads =
            units.l2_hit_rate * share_of_late(cache_users_[i].kept, units.lost_apart);
        const auto found_late = (units.l2_hit_rate - of_loads) * cache_users_[i].late;
        const auto longer = of_loads * (latency - 1) + found_late * (late_latency_ - 1);
        const auto late = 1 + kernel.speed / blocks * units.l2_waits * longer;
        kernel.late = (kernel.late + late) / 2;
        kernel.lost_demand = lost * units.l2_lookups / dram;
    }
}

/// Of what can be reached of a unit, what is reached by those that ask for it together.
double DeviceSharing::reached(const RunningKernels& running, std::size_t unit) const {
    switch (static_cast<DeviceUnit>(unit)) {
        case DeviceUnit::dram: return reached_of_dram(running);
        case DeviceUnit::dram_writes: return reached_of_dram_writes(running);
        default: return 1;
    }
}

double DeviceSharing::reached_of_dram(const RunningKernels& running) const {
    double moved = 0;
    double written = 0;
    for (const auto slot : running.in_use) {
        const auto& kernel = running[slot];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto blocks = static_cast<double>(kernel.resident);
        moved += blocks * units.device[kDram];
        written += blocks * units.dram_written;
    }
    return capacities_->reached_of_dram(moved, written);
}

double DeviceSharing::reached_of_dram_writes(const RunningKernels& running) const {
    const auto& share = capacities_->dram_writes_share;
    if (share.empty()) {
        return 1;
    }
    double warps = 0;
    for (const auto slot : running.in_use) {
        const auto& kernel = running[slot];
        const auto& demand = (*demands_)[kernel.demand];
        if (demand.units.device[kDramWrites] > 0) {
            warps += static_cast<double>(kernel.resident) * demand.warps_per_block();
        }
    }
    return share.linear(warps / multiprocessors_);
}

/// Each kernel's warps as users of a unit. A block that its SM slows asks less of the device.
void DeviceSharing::add_users(const RunningKernels& running, std::size_t unit) {
    users_.clear();
    const auto share = reached(running, unit);
    for (const auto slot : running.in_use) {
        const auto& kernel = running[slot];
        const auto& units = (*demands_)[kernel.demand].units;
        const auto blocks = static_cast<double>(kernel.resident);
        const bool any = kernel.resident > 0;
        const auto speed = any ? kernel.speed / blocks / kernel.late : 1;
        const auto asking = any ? kernel.asking / blocks / kernel.late : 1;
        const auto asked = units.device[unit] + (unit == kDram ? kernel.lost_demand : 0);
        const auto warps = (*demands_)[kernel.demand].warps_per_block();
        const auto demand = asked * speed / warps / share;
        const auto waits = units.waits_for(static_cast<DeviceUnit>(unit));
        // Assumes: where the counters say less, what a warp asks for is served in a row.
        users_.push_back({blocks * warps, demand, std::max(demand, waits * asking)});
    }
}

bool DeviceSharing::slow(RunningKernels& running, const std::vector<SmGroup>& groups) {
    add_speeds(running, groups);
    find_lost(running);
    if (go_round_) {
        slow_by_round(running, groups);
    }
    if (share_halves_ && may_lose_data(running)) {
        slow_by_others_rounds(running, groups);
    }
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        add_users(running, unit);
        const auto wait = slow_down_ ? unit_wait(users_, waits_where_full_[unit]) : 0;
        for (std::size_t i = 0; i < running.in_use.size(); ++i) {
            const auto& user = users_[i];
            auto& slowing = running[running.in_use[i]].slowing;
            slowing = std::max(
                {slowing, 1 + user.waits * wait, slow_down_ ? 1.0 : user.count * user.demand});
        }
    }
    bool changed = false;
    for (const auto slot : running.in_use) {
        auto& kernel = running[slot];
        const auto slowed = kernel.slowing * kernel.late;
        changed = changed || kernel.slowed != slowed;
        kernel.slowed = slowed;
    }
    return changed;
}

}  // namespace overcast
