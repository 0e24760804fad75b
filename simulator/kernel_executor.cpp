#include "simulator/kernel_executor.hpp"

#include "model/kernel_concurrency.hpp"
#include "model/memory_interference.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr std::size_t kMostCohorts = 8;  // per kernel: more are merged, so that cost stays flat
constexpr double kSameTime = 0.5;        // ns: ends closer than this fall together

bool uses_dram(const KernelDemand& demand) { return demand.dram_share > 0; }

}  // namespace

KernelExecutor::KernelExecutor(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                               const Rules& rules)
    : demands_{&demands},
      slow_down_{rules[Rule::corun_slowdown]},
      fill_tails_{rules[Rule::tail_filling]},
      share_dram_{rules[Rule::dram_sharing] && std::ranges::any_of(demands, uses_dram)},
      memory_kernels_{&model.memory_kernels},
      share_device_{std::ranges::any_of(demands, [](const auto& each) { return each.counted; })},
      sm_units_{share_device_ ? kSmUnits : 1},
      resident_limit_{model.kernels.resident_grids},
      sms_{multiprocessors(model.device), sm_limits(model.device), rules[Rule::carve_out]} {}

std::uint32_t KernelExecutor::new_slot() {
    if (free_slots_.empty()) {
        running_.emplace_back();
        weighted_speed_.push_back(0);
        blocks_.push_back(0);
        speeds_.push_back(1);
        return static_cast<std::uint32_t>(running_.size() - 1);
    }
    const auto slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
}

void KernelExecutor::submit(TimelineTime now, FlightIndex flight, std::uint32_t demand,
                            Duration block_time, std::optional<Duration> lasting) {
    const auto slot = new_slot();
    auto& kernel = running_[slot];
    kernel.flight = flight;
    kernel.demand = demand;
    kernel.block_time = static_cast<double>(block_time.count());
    kernel.speed = 1;
    kernel.progress = 0;
    kernel.updated = now;
    kernel.next = kNever;
    kernel.lasting = lasting;
    kernel.deadline = kNever;
    kernel.unplaced = (*demands_)[demand].blocks;
    kernel.cohorts.clear();
    kernel.next_cohort = 0;
    kernel.started = false;
    kernel.active = true;
    waiting_.push_back(slot);
    if (waiting_.size() == 1) {
        place_waiting(now);
    }
}

void KernelExecutor::place_waiting(TimelineTime now) {
    bool changed = false;
    while (!waiting_.empty()) {
        const auto slot = waiting_.front();
        auto& kernel = running_[slot];
        const bool may_start = fill_tails_ || kernel.started || sms_.empty();
        if (!may_start || (!kernel.started && in_use_.size() >= resident_limit_)) {
            break;
        }
        const auto before = kernel.unplaced;
        place(now, slot);
        changed = changed || kernel.unplaced != before;
        if (kernel.unplaced > 0) {
            break;
        }
        waiting_.pop_front();
        news_.push_back({KernelNews::Kind::placed, kernel.flight});
    }
    if (!waiting_.empty()) {
        skip_waves(running_[waiting_.front()]);
    }
    if (changed) {
        update_speeds(now);
    }
}

void KernelExecutor::place(TimelineTime now, std::uint32_t slot) {
    auto& kernel = running_[slot];
    const auto& demand = (*demands_)[kernel.demand];
    const auto placed = sms_.place(demand, kernel.unplaced, {slot, kernel.next_cohort});
    if (placed == 0) {
        return;
    }
    if (!kernel.started) {
        kernel.started = true;
        kernel.updated = now;
        kernel.deadline = kernel.lasting ? now + *kernel.lasting : kNever;
        in_use_.push_back(slot);
        news_.push_back({KernelNews::Kind::started, kernel.flight});
    }
    update_progress(kernel, now);
    kernel.unplaced -= placed;
    kernel.cohorts.push_back({kernel.progress + kernel.block_time, placed, kernel.next_cohort});
    ++kernel.next_cohort;
    limit_cohorts(slot);
    find_next(kernel);
}

/// Two cohorts that end next to each other become one that ends at their common mean.
void KernelExecutor::limit_cohorts(std::uint32_t slot) {
    auto& cohorts = running_[slot].cohorts;
    if (cohorts.size() <= kMostCohorts) {
        return;
    }
    std::sort(cohorts.begin(), cohorts.end(),
              [](const auto& left, const auto& right) { return left.end < right.end; });
    std::size_t closest = 1;
    for (std::size_t i = 2; i < cohorts.size(); ++i) {
        if (cohorts[i].end - cohorts[i - 1].end < cohorts[closest].end - cohorts[closest - 1].end) {
            closest = i;
        }
    }
    auto& kept = cohorts[closest - 1];
    const auto& gone = cohorts[closest];
    const auto blocks = static_cast<double>(kept.blocks + gone.blocks);
    kept.end = (kept.end * static_cast<double>(kept.blocks) +
                gone.end * static_cast<double>(gone.blocks)) /
               blocks;
    sms_.rename({slot, gone.id}, {slot, kept.id});
    kept.blocks += gone.blocks;
    cohorts.erase(cohorts.begin() + static_cast<std::ptrdiff_t>(closest));
}

/// A kernel alone on the device: whole waves but the last are played in one step, so that a grid of
/// 10^6 blocks costs as much as one of 10^3. Nothing can change meanwhile: whoever comes later
/// waits until every block of this kernel has been placed.
void KernelExecutor::skip_waves(Running& kernel) const {
    if (in_use_.size() != 1 || kernel.cohorts.empty()) {
        return;
    }
    std::uint64_t resident = 0;
    for (const auto& cohort : kernel.cohorts) {
        resident += cohort.blocks;
    }
    const auto waves = resident == 0 ? 0 : kernel.unplaced / resident;
    if (waves < 2) {
        return;
    }
    const auto skipped = waves - 1;
    kernel.unplaced -= skipped * resident;
    for (auto& cohort : kernel.cohorts) {
        cohort.end += static_cast<double>(skipped) * kernel.block_time;
    }
    find_next(kernel);
}

void KernelExecutor::advance() {
    const auto now = next_;
    // Oldest first; the list may change while kernels end.
    for (std::size_t i = 0; i < in_use_.size();) {
        const auto slot = in_use_[i];
        if (running_[slot].deadline <= now) {
            end_on_time(now, slot);
        } else if (running_[slot].next == now) {
            end_cohorts(now, slot);
        }
        if (running_[slot].active) {
            ++i;
        } else {
            in_use_.erase(in_use_.begin() + static_cast<std::ptrdiff_t>(i));
            free_slots_.push_back(slot);
        }
    }
    place_waiting(now);
    find_next();
}

/// A kernel whose duration is known has ended: blocks that found no room had done their work in it.
void KernelExecutor::end_on_time(TimelineTime now, std::uint32_t slot) {
    auto& kernel = running_[slot];
    for (const auto& cohort : kernel.cohorts) {
        sms_.release((*demands_)[kernel.demand], {slot, cohort.id});
    }
    kernel.cohorts.clear();
    if (kernel.unplaced > 0) {  // then it is the one that is being served
        kernel.unplaced = 0;
        waiting_.pop_front();
        news_.push_back({KernelNews::Kind::placed, kernel.flight});
    }
    kernel.active = false;
    news_.push_back({KernelNews::Kind::ended, kernel.flight});
    find_next(kernel);
    update_speeds(now);
}

void KernelExecutor::end_cohorts(TimelineTime now, std::uint32_t slot) {
    auto& kernel = running_[slot];
    update_progress(kernel, now);
    bool released = false;
    for (std::size_t i = 0; i < kernel.cohorts.size();) {
        auto& cohort = kernel.cohorts[i];
        if (cohort.end > kernel.progress + kSameTime) {
            ++i;
            continue;
        }
        if (kernel.unplaced >= cohort.blocks) {  // the same SMs take as many blocks again
            kernel.unplaced -= cohort.blocks;
            cohort.end += kernel.block_time;
            ++i;
            continue;
        }
        sms_.release((*demands_)[kernel.demand], {slot, cohort.id});
        released = true;
        kernel.cohorts.erase(kernel.cohorts.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (kernel.cohorts.empty() && kernel.unplaced == 0) {
        kernel.active = false;
        news_.push_back({KernelNews::Kind::ended, kernel.flight});
    }
    find_next(kernel);
    if (released) {
        update_speeds(now);
    }
}

void KernelExecutor::update_progress(Running& kernel, TimelineTime now) const {
    kernel.progress += static_cast<double>((now - kernel.updated).count()) * kernel.speed;
    kernel.updated = now;
}

void KernelExecutor::update_speeds(TimelineTime now) {
    for (const auto slot : in_use_) {
        weighted_speed_[slot] = 0;
        blocks_[slot] = 0;
    }
    sms_.for_each_group([this](std::uint32_t sms, std::span<const SmArray::Resident> residents) {
        add_speeds(sms, residents);
    });
    for (const auto slot : in_use_) {
        speeds_[slot] =
            blocks_[slot] == 0 ? 1.0 : weighted_speed_[slot] / static_cast<double>(blocks_[slot]);
    }
    if (share_device_) {
        slow_by_device();
    }
    for (const auto slot : in_use_) {
        auto& kernel = running_[slot];
        auto speed = speeds_[slot];
        if (share_dram_) {
            speed /= kernel_slow_down(*memory_kernels_, (*demands_)[kernel.demand].dram_share, h2d_,
                                      d2h_);
        }
        if (speed != kernel.speed) {
            update_progress(kernel, now);
            kernel.speed = speed;
            find_next(kernel);
        }
    }
    find_next();
}

void KernelExecutor::set_copies(TimelineTime now, bool h2d, bool d2h) {
    if (!share_dram_ || (h2d == h2d_ && d2h == d2h_)) {
        return;
    }
    h2d_ = h2d;
    d2h_ = d2h;
    update_speeds(now);
}

double KernelExecutor::dram_share() const {
    double sum = 0;
    if (share_dram_) {
        for (const auto slot : in_use_) {
            sum += (*demands_)[running_[slot].demand].dram_share;
        }
    }
    return sum;
}

/// Speeds of the blocks on the SMs of one group.
void KernelExecutor::add_speeds(std::uint32_t sms, std::span<const SmArray::Resident> residents) {
    const auto demand_of = [this](const SmArray::Resident& resident) -> const KernelDemand& {
        return (*demands_)[running_[resident.cohort.kernel].demand];
    };
    const auto& first = demand_of(residents.front());
    std::uint32_t together = 0;
    bool alike = true;
    for (const auto& resident : residents) {
        together += resident.per_sm;
        alike = alike && &demand_of(resident) == &first;
    }
    slowed_.assign(residents.size(), 1.0);
    if (slow_down_ && !alike) {
        slow_by_units(residents);
    }
    for (std::size_t i = 0; i < residents.size(); ++i) {
        const auto& resident = residents[i];
        // Without the slow-down by others a cohort feels its own blocks all the same.
        const auto fellows = slow_down_ ? together : resident.per_sm;
        const auto speed = slow_down_ && !alike
                               ? 1 / slowed_[i]
                               : shared_speed(demand_of(resident).load_per_block * fellows);
        const auto blocks = std::uint64_t{resident.per_sm} * sms;
        weighted_speed_[resident.cohort.kernel] += static_cast<double>(blocks) * speed;
        blocks_[resident.cohort.kernel] += blocks;
    }
}

/// Blocks of different kernels on one SM: the unit that holds a block up most decides.
void KernelExecutor::slow_by_units(std::span<const SmArray::Resident> residents) {
    for (std::size_t unit = 0; unit < sm_units_; ++unit) {
        users_.clear();
        for (const auto& resident : residents) {
            const auto& demand = (*demands_)[running_[resident.cohort.kernel].demand];
            users_.push_back({static_cast<double>(resident.per_sm), demand.units.sm[unit]});
        }
        const auto delay = unit_delay(users_);
        for (std::size_t i = 0; i < residents.size(); ++i) {
            slowed_[i] = std::max(slowed_[i], 1 + users_[i].demand * delay);
        }
    }
}

/// A block that its SM slows asks less of the device.
void KernelExecutor::slow_by_device() {
    slowed_.assign(in_use_.size(), 1.0);
    for (std::size_t unit = 0; unit < kDeviceUnits; ++unit) {
        users_.clear();
        for (const auto slot : in_use_) {
            const auto& demand = (*demands_)[running_[slot].demand];
            users_.push_back(
                {static_cast<double>(blocks_[slot]), demand.units.device[unit] * speeds_[slot]});
        }
        const auto delay = slow_down_ ? unit_delay(users_) : 0;
        for (std::size_t i = 0; i < in_use_.size(); ++i) {
            const auto& user = users_[i];
            slowed_[i] = std::max(
                {slowed_[i], 1 + user.demand * delay, slow_down_ ? 1.0 : user.count * user.demand});
        }
    }
    for (std::size_t i = 0; i < in_use_.size(); ++i) {
        speeds_[in_use_[i]] /= slowed_[i];
    }
}

void KernelExecutor::find_next(Running& kernel) const {
    if (kernel.cohorts.empty()) {
        kernel.next = kNever;
        return;
    }
    if (kernel.lasting && kernel.unplaced == 0) {
        kernel.next = kernel.deadline;  // those that are left end together
        return;
    }
    double first = kernel.cohorts.front().end;
    for (const auto& cohort : kernel.cohorts) {
        first = std::min(first, cohort.end);
    }
    const auto left = std::max(first - kernel.progress, 0.0) / kernel.speed;
    kernel.next = std::min(kernel.updated + round_to_duration(left), kernel.deadline);
}

void KernelExecutor::find_next() {
    next_ = kNever;
    for (const auto slot : in_use_) {
        next_ = std::min(next_, running_[slot].next);
    }
}

}  // namespace overcast
