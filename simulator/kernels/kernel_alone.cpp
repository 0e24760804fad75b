// A kernel that has the device to itself.
#include "simulator/kernels/kernel_executor.hpp"

#include <utility>

namespace overcast {

/// Its end follows from SoloRun. One that copies would slow is played, since they come and go, and
/// so is one that was recorded with its data elsewhere in the L2.
void KernelExecutor::submit_alone(TimelineTime now, FlightIndex flight, std::uint32_t demand,
                                  Duration block_time, const SoloRun& solo) {
    const auto& of = (*demands_)[demand];
    if (lasting_ || (share_dram_ && of.dram_share > 0) || of.round.felt()) {
        submit(now, flight, demand, block_time);
        return;
    }
    const auto slot = enter(flight, demand, block_time);
    start(now, slot);
    auto& kernel = running_[slot];
    const auto after = [&](double length) {
        return now + round_to_duration(length * kernel.block_time);
    };
    alone_ = Alone{slot, now, after(solo.length)};
    next_ = after(solo.placed);
    if (next_ == now) {
        advance_alone();
    }
}

/// All its blocks have been placed, or all have ended.
void KernelExecutor::advance_alone() {
    auto& kernel = running_[alone_->slot];
    if (!kernel.placed) {
        all_are_placed(kernel, 0);
        next_ = alone_->end;
        return;
    }
    kernel.unplaced = 0;
    some_ended_ = true;
    drop_ended();
    alone_.reset();
    next_ = kNever;
}

/// Another kernel comes: what of this one has happened so far is made good, step by step.
void KernelExecutor::play_alone_until(TimelineTime now) {
    const auto alone = *std::exchange(alone_, std::nullopt);
    if (running_[alone.slot].placed) {
        waiting_.push_back(alone.slot);
    }
    place_waiting(alone.start);
    while (next_ <= now) {
        advance();
    }
}

}  // namespace overcast
