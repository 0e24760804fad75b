// Blocks that others keep from their loops, or from their ends
// (docs/model.md#the-start-of-blocks).
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>

namespace overcast {

/// Of blocks that others keep from their loops.
void KernelExecutor::begin_starts(SmGroup& group) {
    for (auto& blocks : group.residents) {
        if (blocks.phase == BlockPhase::waits) {
            blocks.phase = BlockPhase::starts;
            blocks.progress.set_left(sms_.now(),
                                     sm_sharing_.edge_time(*blocks.demand, LoopEdge::start));
            some_start_ = true;
        }
    }
}

/// Blocks that have done with their loop, where others keep them from their end.
bool KernelExecutor::begin_end(SmGroup& group, std::size_t place) {
    if (running_.in_use.size() < 2) {
        return false;
    }
    auto& blocks = group.residents[place];
    if (blocks.phase == BlockPhase::in_loop && sm_sharing_.lets_in(group, place)) {
        blocks.phase = BlockPhase::last_warps;
        // A share of the time that it took with all its warps; its last ones have a scheduler each.
        const auto left =
            let_in_before_end_ * running_[blocks.kernel].block_time / blocks.speed_on_sm;
        blocks.progress.set_left(sms_.now(), std::max(left, kSameTimeNs));
    } else if (sm_sharing_.waits(group, place, LoopEdge::end)) {
        blocks.phase = BlockPhase::ends;
        blocks.progress.set_left(sms_.now(), sm_sharing_.edge_time(*blocks.demand, LoopEdge::end));
    } else {
        return false;
    }
    some_start_ = true;
    sms_.mark_changed(group);
    return true;
}

/// They are in their loops, in which all of their time passes but the start.
void KernelExecutor::end_start(SmGroup& group, ResidentBlocks& blocks) {
    const auto start = sm_sharing_.edge_time(*blocks.demand, LoopEdge::start);
    const auto left = running_[blocks.kernel].block_time - start;
    blocks.phase = BlockPhase::in_loop;
    blocks.progress.set_left(sms_.now(), std::max(left, kSameTimeNs));
    sms_.mark_changed(group);
}

/// For which the first and last requests of a kernel wait behind those of others that are there
/// when it has ended, mean of all SMs.
Duration KernelExecutor::behind_others() const {
    if (requests_outside_loop_ <= 0 || running_.in_use.size() < 2) {
        return {};
    }
    double queued = 0;  // ns, on one SM after the other
    for (const auto slot : running_.in_use) {
        const auto& kernel = running_[slot];
        queued += static_cast<double>(kernel.resident) * (*demands_)[kernel.demand].units.queued_ns;
    }
    return round_to_duration(requests_outside_loop_ * queued / multiprocessors_);
}

}  // namespace overcast
