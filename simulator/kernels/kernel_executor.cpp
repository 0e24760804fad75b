#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

bool uses_dram(const KernelDemand& demand) { return demand.dram_share > 0; }

/// Those that are renewed stand behind all others. They are few: no memory is taken for it.
void move_renewed_behind(std::vector<ResidentBlocks>& residents) {
    auto next = residents.begin();
    for (auto unseen = residents.size(); unseen > 0; --unseen) {
        if (!next->renewed) {
            ++next;
            continue;
        }
        const auto moved = *next;
        std::move(std::next(next), residents.end(), next);
        residents.back() = moved;
        residents.back().renewed = false;
    }
}

/// Whether none of its blocks is before or behind its loop, which others have kept it from: that
/// is soon over, and its speed not that of the others.
bool all_in_loop(const SmGroup& group) {
    return std::ranges::none_of(group.residents, [](const ResidentBlocks& blocks) {
        return blocks.phase == BlockPhase::starts || blocks.phase == BlockPhase::ends;
    });
}

}  // namespace

KernelExecutor::KernelExecutor(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                               const Rules& rules)
    : demands_{&demands},
      fill_tails_{rules[Rule::tail_filling]},
      pile_up_{rules[Rule::pile_up]},
      sms_beside_clusters_{model.kernels.sms_beside_clusters},
      multiprocessors_{multiprocessors(model.device)},
      ends_apart_{model.kernels.ends_apart},
      ends_mixed_{model.kernels.ends_mixed},
      let_in_before_end_{model.kernels.let_in_before_end},
      requests_outside_loop_{rules[Rule::late_ends] && rules[Rule::corun_slowdown]
                                 ? model.kernels.requests_outside_loop
                                 : 0},
      share_of_fast_{rules[Rule::fast_sms] ? model.kernels.capacities.fast_sms.share : 0},
      share_dram_{rules[Rule::dram_sharing] && std::ranges::any_of(demands, uses_dram)},
      tensor_cores_slow_{rules[Rule::tensor_clock]},
      memory_kernels_{&model.memory_kernels},
      sm_sharing_{model, demands, rules},
      device_sharing_{model, demands, rules},
      resident_limit_{model.kernels.resident_grids},
      sms_{multiprocessors(model.device), sm_limits(model.device), rules[Rule::carve_out],
           rules[Rule::staggered_ends], model.kernels.open_at_once} {}

void KernelExecutor::submit(TimelineTime now, FlightIndex flight, std::uint32_t demand,
                            Duration block_time, Duration lasting) {
    if (alone_) {
        play_alone_until(now);
    } else if (running_.in_use.empty() && waiting_.empty()) {
        sms_.forget_fast();
    }
    const auto slot = enter(flight, demand, block_time);
    running_[slot].lasting = lasting;
    lasting_ = lasting_ || lasting != kNoEnd;
    if (waiting_.size() == 1 || (waiting_.size() == 2 && first_lets_pass())) {
        place_waiting(now);
    }
}

/// The last of those that wait.
std::uint32_t KernelExecutor::enter(FlightIndex flight, std::uint32_t demand, Duration block_time) {
    const auto slot = running_.take_slot();
    auto& kernel = running_[slot];
    kernel.flight = flight;
    kernel.demand = demand;
    kernel.block_time = static_cast<double>(block_time.count());
    kernel.unplaced = (*demands_)[demand].blocks;
    sm_sharing_.enter(slot, kernel.block_time);
    waiting_.push_back(slot);
    return slot;
}

void KernelExecutor::start(TimelineTime now, std::uint32_t slot) {
    auto& kernel = running_[slot];
    kernel.started = true;
    kernel.deadline = kernel.lasting == kNoEnd ? kNever : now + kernel.lasting;
    running_.in_use.push_back(slot);
    kernel.by_copies = slowed_by_copies((*demands_)[kernel.demand]);
    tensor_kernels_ += (*demands_)[kernel.demand].uses_tensor_cores ? 1U : 0U;
    in_use_changed_ = true;
    news_.push_back({KernelNews::Kind::started, kernel.flight});
}

/// Of the kernel that waits at that place: the first one, but for those that pass it.
void KernelExecutor::all_are_placed(RunningKernel& kernel, std::size_t place) {
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
    if (!kernel.placed) {
        kernel.placed = true;
        news_.push_back({KernelNews::Kind::placed, kernel.flight});
    }
}

/// Who waits for blocks of others to end takes the SMs in the order in which these do; the last
/// blocks of a kernel follow its own, one by one, and clusters need several SMs at once.
bool KernelExecutor::takes_sm_by_sm(const RunningKernel& kernel) const {
    return kernel.ended_in != step_ && (*demands_)[kernel.demand].cluster == 1;
}

void KernelExecutor::place_waiting(TimelineTime now) {
    pass_time(now);
    if (ending_) {
        if (pile_up_ && !waiting_.empty() && takes_sm_by_sm(running_[waiting_.front()])) {
            sms_.begin_endings();
        } else {
            sms_.release_ending();
        }
    }
    drop_who_has_passed();
    while (!waiting_.empty()) {
        const auto slot = waiting_.front();
        auto& kernel = running_[slot];
        const bool may_start = fill_tails_ || kernel.started || sms_.empty();
        if (!may_start || (!kernel.started && running_.in_use.size() >= resident_limit_)) {
            break;
        }
        if (ending_ && !takes_sm_by_sm(kernel)) {
            sms_.finish_endings();
            ending_ = false;
        }
        place(now, slot);
        if (kernel.unplaced > 0) {
            break;
        }
        all_are_placed(kernel, 0);
    }
    if (!ending_ && first_lets_pass()) {
        place_beside_clusters(now);
    }
    room_left_ = ending_;
    if (ending_) {
        sms_.finish_endings();
        ending_ = false;
    }
    if (!waiting_.empty()) {
        skip_waves(running_[waiting_.front()]);
    }
    update_speeds();
}

void KernelExecutor::place(TimelineTime now, std::uint32_t slot) {
    auto& kernel = running_[slot];
    const auto& demand = (*demands_)[kernel.demand];
    const bool as_they_end = kernel.ended_in > 0 && kernel.ended_in == step_;
    auto placed = sms_.place(demand, kernel.unplaced, slot, kernel.block_time, as_they_end);
    if (placed < kernel.unplaced && ending_) {
        placed += sms_.place_as_they_end(demand, kernel.unplaced - placed, slot, kernel.block_time);
    }
    if (placed > 0 && !kernel.started) {
        start(now, slot);
    }
    kernel.take_room(placed);
    load_grew_ = load_grew_ || placed > 0;
}

/// A kernel alone on the device: whole waves but the last are played in one step, so that a grid of
/// 10^6 blocks costs as much as one of 10^3. Nothing can change meanwhile: whoever comes later
/// waits until every block of this kernel has been placed.
void KernelExecutor::skip_waves(RunningKernel& kernel) {
    if (running_.in_use.size() != 1 || !kernel.started || skipped_ > 0) {
        return;
    }
    const auto waves = kernel.resident == 0 ? 0 : kernel.unplaced / kernel.resident;
    if (waves < 2 || !std::ranges::all_of(sms_.groups(), all_in_loop)) {
        return;
    }
    const auto skipped = (waves - 1) * kernel.resident;
    kernel.unplaced -= skipped;
    skipped_ = static_cast<double>(skipped) * kernel.block_time;
}

void KernelExecutor::advance() {
    if (alone_) {
        advance_alone();
        return;
    }
    const auto now = next_;
    ++step_;
    pass_time(now);
    const bool ends_wait = running_.in_use.size() > 1 && sm_sharing_.some_may_wait();
    if (waiting_.empty() && !lasting_ && !some_start_ &&
        !ends_wait) {  // nobody takes the room, and no end is put off
        for (const auto& ended : sms_.release_ended()) {
            auto& kernel = running_[ended.kernel];
            kernel.resident -= ended.blocks;
            some_ended_ = some_ended_ || kernel.resident == 0;
        }
        drop_ended();
        update_speeds();
        return;
    }
    if (lasting_) {
        end_on_time(now);
    }
    mark_endings();
    drop_ended();
    if (ending_ || room_left_ || one_is_placed()) {
        place_waiting(now);
    } else {  // no more room than when who waits was last tried
        update_speeds();
    }
}

/// Whether the last blocks of one that is served, the first that waits or who passes it, have taken
/// the places of its own.
bool KernelExecutor::one_is_placed() const {
    const auto served = std::min(kBehindFirst + 1, waiting_.size());
    return std::any_of(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(served),
                       [this](std::uint32_t slot) { return running_[slot].unplaced == 0; });
}

/// Kernels whose duration is known end when it is over.
void KernelExecutor::end_on_time(TimelineTime now) {
    for (const auto slot : running_.in_use) {
        if (running_[slot].deadline <= now) {
            end(slot);
        }
    }
}

/// All blocks of a kernel end: those that found no room had done their work in it.
void KernelExecutor::end(std::uint32_t slot) {
    auto& kernel = running_[slot];
    skipped_ = 0;
    for (auto& group : sms_.groups()) {
        for (auto& blocks : group.residents) {
            if (blocks.kernel == slot) {
                sms_.mark_ending(group, blocks);
                ending_ = true;
            }
        }
    }
    kernel.resident = 0;
    some_ended_ = true;
    if (kernel.unplaced > 0) {  // then it is one of those that are being served
        kernel.unplaced = 0;
        const auto place = std::ranges::find(waiting_, slot) - waiting_.begin();
        all_are_placed(kernel, static_cast<std::size_t>(place));
    }
}

/// Where its duration is known a kernel's last blocks end together.
bool KernelExecutor::ends_on_time(const ResidentBlocks& blocks) const {
    return running_[blocks.kernel].lasting != kNoEnd && running_[blocks.kernel].unplaced == 0;
}

/// Blocks that are done leave, or the next ones of their kernel take their places.
void KernelExecutor::mark_endings() {
    if (skipped_ > 0) {
        return;
    }
    auto& groups = sms_.groups();
    sms_.ends().visit_until(sms_.now(), [&](std::size_t place) {
        if (others_wait_) {
            find_first_ends(groups[place]);
        }
        mark_endings(groups[place]);
    });
    tell_ends_apart();
}

void KernelExecutor::mark_endings(SmGroup& group) {
    bool some_renewed = false;
    for (std::size_t place = 0; place < group.residents.size(); ++place) {
        auto& blocks = group.residents[place];
        if (blocks.ending || blocks.progress.end() > sms_.now() ||
            (lasting_ && ends_on_time(blocks))) {
            continue;
        }
        if (blocks.phase == BlockPhase::starts) {
            end_start(group, blocks);
            continue;
        }
        if (is_in_loop(blocks) && begin_end(group, place)) {
            continue;
        }
        auto& kernel = running_[blocks.kernel];
        const auto count = std::uint64_t{blocks.per_sm} * group.sms;
        if (kernel.unplaced >= count) {
            kernel.unplaced -= count;
            blocks.progress.add(sms_.now(), kernel.block_time);
            blocks.renewed = true;
            blocks.apart = false;
            blocks.phase = BlockPhase::placed;
            some_renewed = true;
            continue;
        }
        sms_.mark_ending(group, blocks);
        ending_ = true;
        kernel.ended_in = step_;
        kernel.resident -= count;
        some_ended_ = some_ended_ || kernel.resident == 0;
    }
    if (some_renewed) {
        move_renewed_behind(group.residents);
        sms_.mark_changed(group);
    }
}

/// Kernels without resident or waiting blocks are gone, the oldest first.
void KernelExecutor::drop_ended() {
    if (!some_ended_) {
        return;
    }
    some_ended_ = false;
    in_use_changed_ = true;
    const auto late = behind_others();
    std::erase_if(running_.in_use, [this, late](std::uint32_t slot) {
        auto& kernel = running_[slot];
        if (kernel.resident > 0 || kernel.unplaced > 0) {
            return false;
        }
        const bool waits = kernel.lasting == kNoEnd;
        news_.push_back({KernelNews::Kind::ended, kernel.flight, waits ? late : Duration{}});
        tensor_kernels_ -= (*demands_)[kernel.demand].uses_tensor_cores ? 1U : 0U;
        running_.free_slot(slot);
        return true;
    });
}

void KernelExecutor::pass_time(TimelineTime now) {
    const auto passed = now - updated_;
    updated_ = now;
    if (passed <= Duration{}) {
        return;
    }
    if (skipped_ > 0) {
        skipped_ -= static_cast<double>(passed.count()) * skipping_speed_;
        if (skipped_ < kSameTimeNs * skipping_speed_) {
            skipped_ = 0;
        }
        return;
    }
    sms_.pass(passed);
}

void KernelExecutor::set_copies(TimelineTime now, bool h2d, bool d2h) {
    if (!share_dram_ || (h2d == h2d_ && d2h == d2h_)) {
        return;
    }
    h2d_ = h2d;
    d2h_ = d2h;
    for (const auto slot : running_.in_use) {
        running_[slot].by_copies = slowed_by_copies((*demands_)[running_[slot].demand]);
    }
    all_speeds_change_ = true;
    if (!alone_) {
        pass_time(now);
        update_speeds();
    }
}

double KernelExecutor::active_share() const {
    std::uint32_t active = 0;
    std::uint32_t all = 0;
    for (const auto& group : sms_.groups()) {
        active += group.residents.empty() ? 0 : group.sms;
        all += group.sms;
    }
    return static_cast<double>(active) / all;
}

void KernelExecutor::find_next() {
    next_ = kNever;
    if (lasting_) {
        for (const auto slot : running_.in_use) {
            next_ = std::min(next_, running_[slot].deadline);
        }
    }
    if (skipped_ > 0) {
        skipping_speed_ = 0;
        for (const auto& group : sms_.groups()) {
            for (const auto& blocks : group.residents) {
                skipping_speed_ += static_cast<double>(std::uint64_t{blocks.per_sm} * group.sms) *
                                   blocks.progress.speed();
            }
        }
        next_ = std::min(next_, updated_ + round_to_duration(skipped_ / skipping_speed_));
        return;
    }
    if (sms_.ends().first() != kNoEnd) {
        next_ = std::min(next_, updated_ + (sms_.ends().first() - sms_.now()));
    }
}

}  // namespace overcast
