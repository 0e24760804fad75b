// Where blocks wait for memory, SMs lose them one after the other: told apart only where another
// kernel waits for their room, just before the first of them end.
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

/// Blocks of an SM that are always told apart. Of more only where that decides much: each last wave
/// of common kernels is played in many steps otherwise.
constexpr std::uint32_t kFewOnSm = 4;

/// The blocks of an SM are mixed where fast SMs are so much of a block's time ahead. Assumes: these
/// then take from others so many of their last ones that no SM has a whole wave of them any more.
constexpr double kMixedFrom = 0.5;
/// Of a block's time, from the oldest to the youngest of an SM. Assumes: where a full queue spreads
/// them further, its order matters more than chance.
constexpr double kSpreadByQueue = 0.2;

}  // namespace

/// Whether a kernel waits for room where there are blocks of others.
bool KernelExecutor::others_wait() const {
    if (ends_apart_ <= 0 || !pile_up_ || waiting_.empty()) {
        return false;
    }
    return waiting_.size() > 1 || running_.in_use.size() > 1 || !running_[waiting_[0]].started;
}

/// Whether one of those that wait finds room for all of its blocks at once, on some SMs before it
/// is on all: then it matters which are the first.
bool KernelExecutor::few_wait() const {
    return others_wait_ && std::ranges::any_of(waiting_, [this](std::uint32_t slot) {
               const auto& kernel = running_[slot];
               const auto room = std::uint64_t{(*demands_)[kernel.demand].blocks_per_sm};
               return kernel.unplaced <= room * multiprocessors_;
           });
}

/// Fast SMs that are whole blocks ahead are no longer told apart where blocks come mixed.
KernelExecutor::EndsApart KernelExecutor::how_apart(const SmGroup& group,
                                                    const RunningKernel& kernel) const {
    const auto& demand = (*demands_)[kernel.demand];
    if (ends_mixed_ > 0 && few_wait_ && demand.ends_within_sm <= kSpreadByQueue &&
        ahead_on_fast(kernel) >= kMixedFrom) {
        return EndsApart::mixed;
    }
    const auto sooner = ends_sooner_on_fast(group, kernel);
    if (sooner > 0 && (demand.ends_sm_by_sm || sooner > demand.ends_within_sm)) {
        return EndsApart::fast_first;
    }
    return demand.ends_sm_by_sm ? EndsApart::by_sm : EndsApart::alike;
}

/// Whole waves of a kernel take the places of those before them, wherever these end first.
bool KernelExecutor::may_tell_apart(const SmGroup& group, const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    const bool asked = few_wait_ || blocks.demand->blocks_per_sm <= kFewOnSm;
    const bool by_others = others_wait_ && (waiting_.size() > 1 || waiting_[0] != blocks.kernel);
    return by_others && asked && !blocks.apart && !blocks.ending &&
           blocks.phase != BlockPhase::starts && blocks.phase != BlockPhase::ends &&
           kernel.unplaced < kernel.resident && how_apart(group, kernel) != EndsApart::alike;
}

/// How much of their work is left to blocks of which the first, on some SMs, are done.
double KernelExecutor::left_at_first_end(const SmGroup& group, const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    const auto of_time = how_apart(group, kernel) == EndsApart::mixed
                             ? ends_mixed_ / 2
                             : ends_sooner_on_fast(group, kernel) + ends_apart_;
    return std::min(1.0, of_time) * kernel.block_time;
}

/// By the clock of the SMs, when the first of them end.
Duration KernelExecutor::first_end(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (!may_tell_apart(group, blocks)) {
        return blocks.progress.end();
    }
    const auto now = sms_.now();
    const auto left = std::max(blocks.progress.left(now) - left_at_first_end(group, blocks), 0.0);
    const auto until = round_to_duration(left / blocks.progress.speed());
    return std::min(blocks.progress.end(), now + std::max(until, Duration{1}));
}

/// Of a group whose time has come, the kernel whose first blocks are about to end. Where there is
/// none, it was when it was looked at last. Where others of its blocks end now, that comes first:
/// those that leave are known by their group.
void KernelExecutor::find_first_ends(const SmGroup& group) {
    constexpr double kRounded = 1;  // ns
    const auto now = sms_.now();
    const auto plays = [this](const ResidentBlocks& blocks) { return !ends_on_time(blocks); };
    const auto ends = [&](const ResidentBlocks& blocks) {
        return plays(blocks) && blocks.progress.end() <= now;
    };
    const auto& residents = group.residents;
    if (std::ranges::any_of(residents, ends)) {
        return;
    }
    const auto first = std::ranges::find_if(residents, [&](const ResidentBlocks& blocks) {
        return plays(blocks) && may_tell_apart(group, blocks) &&
               blocks.progress.left(now) <= left_at_first_end(group, blocks) + kRounded;
    });
    if (first == residents.end()) {
        look_again_.push_back(sms_.place_of(group));
    } else {
        first_ends_.push_back({sms_.place_of(group), first->kernel});
    }
}

void KernelExecutor::tell_ends_apart() {
    for (const auto& each : first_ends_) {
        const auto& group = sms_.groups()[each.group];
        const auto& kernel = running_[each.kernel];
        switch (how_apart(group, kernel)) {
            case EndsApart::mixed:
                sms_.mix_ends(each.group, each.kernel, ends_mixed_ * kernel.block_time);
                break;
            case EndsApart::fast_first: tell_fast_apart(group, each.kernel); break;
            case EndsApart::by_sm:
                sms_.tell_apart(each.group, each.kernel, ends_apart_ * kernel.block_time);
                break;
            case EndsApart::alike: break;
        }
    }
    for (const auto place : look_again_) {
        sms_.mark_changed(sms_.groups()[place]);
    }
    first_ends_.clear();
    look_again_.clear();
}

}  // namespace overcast
