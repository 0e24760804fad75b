#include "simulator/kernels/sm_sharing.hpp"

#include "model/full_pipe.hpp"
#include "model/kernel_concurrency.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr double kMostHeld = 0.75;  // of the slots that are left; Assumes: some are always found

}  // namespace

std::uint32_t blocks_of_kernel(const SmGroup& group, const ResidentBlocks& blocks) {
    if (group.one_set_each) {
        return blocks.per_sm;
    }
    std::uint32_t count = 0;
    for (const auto& other : group.residents) {
        count += other.kernel == blocks.kernel ? other.per_sm : 0;
    }
    return count;
}

SmSharing::SmSharing(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                     const Rules& rules)
    : slow_down_{rules[Rule::corun_slowdown]},
      counted_{any_counted(demands)},
      share_l2_path_{rules[Rule::l2_path] && counted_},
      units_{counted_ ? kSmUnits : 1},
      lsu_second_slot_{model.kernels.lsu_second_slot},
      capacities_{model.kernels.capacities},
      reads_{model.kernels.capacities.shared_reads},
      unlike_contention_{model.kernels.unlike_contention},
      loop_end_cycles_{model.kernels.loop_end_cycles},
      older_beside_ready_{model.kernels.older_beside_ready},
      first_of_ready_{model.kernels.first_of_ready},
      single_of_ready_{model.kernels.single_of_ready},
      multiprocessors_{static_cast<double>(model.device.multiprocessors.value_or(1))},
      l2_path_l1_bytes_{model.kernels.l2_path_l1_bytes},
      l2_latency_ns_{model.kernels.capacities.l2_latency_ns},
      most_requests_{(1 + model.kernels.capacities.l2_longest_wait) / multiprocessors_},
      shared_latency_{slow_down_ && counted_ ? model.kernels.scheduler.shared_latency : 0},
      wait_for_slots_{rules[Rule::slot_waits] && slow_down_ && counted_},
      meet_at_barriers_{rules[Rule::barriers] && slow_down_ && counted_},
      some_are_ready_{
          rules[Rule::ready_warps] && slow_down_ &&
          std::ranges::any_of(demands, [](const auto& each) { return each.units.always_ready; })},
      loads_return_{rules[Rule::load_returns] && slow_down_ && counted_},
      device_holds_{rules[Rule::device_held] && slow_down_ && counted_},
      finish_runs_{rules[Rule::greedy_runs] && slow_down_ && counted_},
      reads_by_age_{rules[Rule::memory_queue] && slow_down_ && counted_},
      take_turns_{!rules[Rule::bursts]},
      cycles_per_ns_{cycles_per_ns(model.device)} {
    for (std::size_t unit = 0; unit < kSmUnits; ++unit) {
        unit_peaks_[unit] = 1 / model.kernels.capacities.sm[unit];
        longest_wait_[unit] = rules[Rule::full_pipes] ? longest_wait(unit, model) : 0;
    }
    slot_wait_ = rules[Rule::full_pipes] ? model.kernels.slot_wait_ns * cycles_per_ns_ : 0;
    const auto& scheduler = model.kernels.scheduler;
    if (rules[Rule::schedules] && slow_down_ && counted_ && scheduler != SchedulerParameters{}) {
        schedules_.emplace(demands, scheduler, rules[Rule::starts] && cycles_per_ns_ > 0);
        if (schedules_->empty()) {
            schedules_.reset();
        }
    }
    slot_share_ = 1 / unit_peaks_[0];
    std::uint32_t functions = 0;
    for (const auto& demand : demands) {
        most_on_l2_path_ = std::max(most_on_l2_path_, l2_path_bytes(demand));
        functions = std::max(functions, demand.function + 1);
    }
    used_by_.resize(functions);
}

void SmSharing::enter(std::uint32_t kernel, double block_time) {
    block_times_.resize(std::max<std::size_t>(block_times_.size(), kernel + 1));
    block_times_[kernel] = std::max(block_time, 1.0);
}

void SmSharing::share_by_laws(SmGroup& group) {
    if (!counted_) {
        share_by_load(group);
        return;
    }
    const auto seen = wait_for_slots(group);
    const bool full = seen.load > 1;
    const bool ready = some_are_ready_ && (seen.traits & kIsAlwaysReady) != 0;
    const bool meet = meet_at_barriers_ && (seen.traits & kMeetsAtBarriers) != 0;
    const bool use_l2_path = share_l2_path_ && may_fill_l2_path(group, seen.l2_path);
    const bool queue = slow_down_ && (seen.traits & kFillsQueue) != 0;
    in_queue_ = {};
    if (queue) {
        queue_speeds_.clear();  // found where the SM is full
        in_queue_ = {wait_behind_lines(group), wait_behind_requests(group)};
    }
    if (full) {
        find_barrier_speeds(group, meet);  // what they do not take is for others
        share_units(group);
    } else if (ready) {
        wait_for_ready(group);
    }
    if (in_queue_.any() && !full) {
        slow_in_queue(group);
    }
    if (meet && !full) {
        slow_at_barriers(group);
    }
    if (queue) {
        share_requests(group);
    }
    if (use_l2_path) {
        slow_by_l2_path(group);
    }
    const bool wait_for_lines = seen.held_in_l1 > left_as_l1(group.carve_out);
    if (wait_for_lines) {
        order_in_l1(group);
    }
    constexpr auto kBoth = kLoads | kUsesL1;
    if ((seen.traits & kBoth) == kBoth) {
        slow_behind_reads(group);
        slow_by_returns(group);
    }
    if (finish_runs_ && seen.several && (seen.traits & kHoldsScheduler) != 0) {
        const bool as_seen =
            !full && !ready && !meet && !use_l2_path && !wait_for_lines && !in_queue_.any();
        wait_for_runs(group, as_seen ? seen.runs : find_runs(group));
    }
}

/// Where no counters tell more than how much of the SM blocks ask for.
void SmSharing::share_by_load(SmGroup& group) {
    const auto* const first = group.residents.front().demand;
    double load = 0;
    bool alike = true;
    for (auto& resident : group.residents) {
        load += resident.demand->load_per_block * resident.per_sm;
        alike = alike & (resident.demand == first);
        used_by_[resident.demand->function] = 0;
    }
    if (load > 1 && slow_down_ && !alike) {
        serve_by_load(group);
        return;
    }
    for (auto& resident : group.residents) {
        resident.speed_on_sm = 1;
    }
    group.settled = load > 1 ? 0 : static_cast<std::uint32_t>(group.residents.size());
    if (load > 1) {
        find_barrier_speeds(group, false);
        share_units(group);
    }
}

/// Where blocks ask for more than all of a unit of their SM.
void SmSharing::share_units(SmGroup& group) {
    const auto& first = *group.residents.front().demand;
    const bool alike = std::ranges::all_of(
        group.residents, [&](const auto& resident) { return resident.demand == &first; });
    if (alike && slow_down_ && first.units.sm[kQueue] >= first.load_per_block) {
        find_queue_speeds(group);
        for (std::size_t i = 0; i < queue_speeds_.size(); ++i) {
            group.residents[i].speed_on_sm = std::min(queue_speeds_[i], barrier_speeds_[i]);
        }
    } else if (alike && slow_down_) {
        // One scarcest unit: what the older ones leave of it.
        double left = 1;
        double used = 0;
        find_reader_speeds(group);
        for (std::size_t i = 0; i < group.residents.size(); ++i) {
            auto& resident = group.residents[i];
            const auto asked = resident.demand->load_per_block * resident.per_sm;
            const auto between = wait_for_slots_ ? speed_between(used, resident.demand->pace) : 1;
            const auto of_unit = reader_speeds_[i] < 1 ? reader_speeds_[i] : left / asked;
            resident.speed_on_sm =
                std::max(std::min({between, of_unit, barrier_speeds_[i]}), kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed_on_sm);
            used += slots_used(resident);
        }
    } else if (slow_down_) {
        serve_by_age(group);
    } else {
        // Without the slow-down by others a kernel feels its own blocks all the same.
        for (const auto& resident : group.residents) {
            serve_alone(group, resident.kernel);
        }
    }
}

/// Of the L1 that what is on its way takes where an SM gets all that it can.
double SmSharing::l2_path_bytes(const KernelDemand& demand) const {
    const auto& units = demand.units;
    const auto bytes = units.l2_path_bytes > 0 ? units.l2_path_bytes : l2_path_l1_bytes_;
    return bytes * units.line_latencies;
}

/// Whether blocks that ask for so much of the way where it is widest may wait there.
bool SmSharing::may_fill_l2_path(const SmGroup& group, double asked) const {
    const auto l1 = left_as_l1(group.carve_out);
    return asked * std::max(l1, most_on_l2_path_) > l1;
}

/// What an SM gets from the L2 its blocks share evenly, as they do the way there. What it gets is
/// held in the L1 on its way, which is what the carve-out leaves of the SM's memory.
void SmSharing::slow_by_l2_path(SmGroup& group) {
    const auto l1 = left_as_l1(group.carve_out);
    users_.clear();
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto needed = l2_path_bytes(*resident.demand);
        const auto reached = needed > l1 ? l1 / needed : 1;
        const auto warps = resident.demand->warps_per_block();
        const auto of_path = std::max(units.l2_path / reached, units.l2_path_sent);
        const auto demand = of_path * resident.speed_on_sm / warps;
        users_.push_back({resident.per_sm * warps, demand,
                          std::max(demand, units.l2_waits * time_asking(resident))});
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
void SmSharing::serve_alone(SmGroup& group, std::uint32_t kernel) {
    double left = 1;
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel) {
            const auto asked = resident.demand->load_per_block * resident.per_sm;
            resident.speed_on_sm = std::max(asked > left ? left / asked : 1.0, kLeastSpeed);
            left = std::max(0.0, left - asked * resident.speed_on_sm);
        }
    }
}

/// Of what older blocks use of the issue slots. Without counters other functions may need other
/// units: a part of what they use is free.
double SmSharing::found_free(double used, double of_function) const {
    return (1 - unlike_contention_) * unit_peaks_[0] * (used - of_function);
}

/// serve_by_age() where counters tell of no kernel: of the issue slots alone, and nobody waits for
/// anything else. Who stands as before, and so do all older ones, is as fast as before.
void SmSharing::serve_by_load(SmGroup& group) {
    double left = unit_peaks_[0];
    double used = 0;
    const auto take = [&](const ResidentBlocks& blocks, double taken) {
        left -= taken;
        used += taken * slot_share_;
        used_by_[blocks.demand->function] += taken * slot_share_;
    };
    const auto asked_by = [](const ResidentBlocks& blocks) {
        return blocks.per_sm * blocks.demand->load_per_block;
    };
    auto next = group.residents.begin();
    const auto unsettled = next + (group.one_set_each ? group.settled : 0);
    for (; next != unsettled; ++next) {
        take(*next, asked_by(*next) * next->speed_on_sm);
    }
    for (; next != group.residents.end(); ++next) {
        const auto asked = asked_by(*next);
        const auto of_kernel = blocks_of_kernel(group, *next) * next->demand->load_per_block;
        const auto free = left + found_free(used, used_by_[next->demand->function]);
        const auto most = std::max(most_for(of_kernel, 0, free), asked * kLeastSpeed);
        const auto taken = std::min(asked, most);
        next->speed_on_sm = taken == asked ? 1.0 : taken / asked;  // seldom: a division takes long
        take(*next, taken);
    }
    group.settled = static_cast<std::uint32_t>(group.residents.size());
}

/// Blocks of different kernels on one SM: the oldest takes what it asks of each unit, the next what
/// is left (39), but those whose warps never wait come before all others. A block is as fast as the
/// unit lets it be of which it gets least.
void SmSharing::serve_by_age(SmGroup& group) {
    // In units of what can be reached of each: nobody takes more, and what he cannot take is left.
    Served so_far{unit_peaks_, {}, {}, 0};
    find_queue_speeds(group);
    find_reader_speeds(group);
    for (const auto& resident : group.residents) {
        used_by_[resident.demand->function] = 0;
    }
    serve_ready(group, so_far);
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        if (gives_way(group.residents[i])) {
            serve(group, i, so_far);
        }
    }
}

void SmSharing::serve(SmGroup& group, std::size_t place, Served& so_far) {
    auto& blocks = group.residents[place];
    const auto of_kernel = blocks_of_kernel(group, blocks);
    const auto beside_bursts = slowed_by_bursts(group, blocks);
    double speed =
        std::min({queue_speeds_[place], barrier_speeds_[place], beside_bursts,
                  speed_beside_ready(group, blocks), speed_in_queue(group, blocks),
                  speed_for_slots(blocks, so_far.used), speed_behind_xu(blocks, so_far)});
    const auto not_needed =
        blocks.demand->counted ? 0 : found_free(so_far.used, used_by_[blocks.demand->function]);
    const auto left_to_loads = this->left_to_loads(group, blocks);
    for (std::size_t unit = 0; unit < units_; ++unit) {
        if (unit == kQueue) {
            continue;  // not oldest first
        }
        const auto demand = blocks.demand->units.sm[unit];
        const auto asked = blocks.per_sm * demand;
        auto free = so_far.left[unit] + (unit == kIssueSlots ? not_needed : 0);
        if (unit == kIssueSlots) {
            free -= std::min(held_by_older(group, place), kMostHeld * std::max(free, 0.0));
        }
        if (reader_speeds_[place] < 1 && (unit == kLsuPipe || unit == kL1Path)) {
            const auto own = used_by_older(group, place, unit).by_own;
            speed = std::min(speed, reader_speeds_[place] * std::clamp(free + own, 0.0, 1.0));
            continue;  // of what others leave, its kernel's blocks get theirs together
        }
        const auto gaps = find_gaps(group, place, unit, so_far);
        const auto at_ends =
            unit == kIssueSlots ? slots_at_loop_ends(group, blocks, so_far.used) : 0;
        const auto most =
            std::max({most_for(of_kernel * demand, unit, free, findable(blocks, unit, so_far)),
                      gaps.share, at_ends, left_to_loads * asked});
        speed = std::min(speed, gaps.speed);
        if (unit != kIssueSlots && beside_bursts < 1 && of_kernel * demand > 1) {
            // All of a kernel's blocks together get no more than bursts leave them.
            const auto left = beside_bursts - used_by_older(group, place, unit).by_own;
            speed = std::min(speed, std::max(left, 0.0) / asked);
        }
        if (asked > most) {
            speed = std::min(speed, std::max(most, served_in_time(blocks, unit)) / asked);
        }
    }
    blocks.speed_on_sm = std::max(speed, kLeastSpeed);
    take(blocks, so_far);
    if (!blocks.demand->counted) {
        used_by_[blocks.demand->function] += slots_used(blocks);
    }
}

}  // namespace overcast
