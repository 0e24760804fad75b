// Where blocks wait for memory, SMs lose them one after the other: told apart only where another
// kernel waits for their room, just before the first of them end.
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {
namespace {

/// Blocks of an SM that are always told apart. Of more only where that decides much: each last wave
/// of common kernels is played in many steps otherwise.
constexpr std::uint32_t kFewOnSm = 4;

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

/// Whole waves of a kernel take the places of those before them, wherever these end first.
bool KernelExecutor::may_tell_apart(const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    const bool asked = few_wait_ || blocks.demand->blocks_per_sm <= kFewOnSm;
    const bool by_others = others_wait_ && (waiting_.size() > 1 || waiting_[0] != blocks.kernel);
    return by_others && asked && blocks.demand->ends_sm_by_sm && !blocks.apart && !blocks.ending &&
           blocks.phase != BlockPhase::starts && blocks.phase != BlockPhase::ends &&
           kernel.unplaced < kernel.resident;
}

/// How much of their work is left to blocks of which the first, on some SMs, are done.
double KernelExecutor::left_at_first_end(const SmGroup& group, const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    return std::min(1.0, ends_sooner_on_fast(group, kernel) + ends_apart_) * kernel.block_time;
}

/// By the clock of the SMs, when the first of them end.
Duration KernelExecutor::first_end(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (!may_tell_apart(blocks)) {
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
        return plays(blocks) && may_tell_apart(blocks) &&
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
        if (ends_sooner_on_fast(group, kernel) > 0) {
            tell_fast_apart(group, each.kernel);
        } else {
            sms_.tell_apart(each.group, each.kernel, ends_apart_ * kernel.block_time);
        }
    }
    for (const auto place : look_again_) {
        sms_.mark_changed(sms_.groups()[place]);
    }
    first_ends_.clear();
    look_again_.clear();
}

}  // namespace overcast
