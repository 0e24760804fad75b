// When the speeds of blocks change, and to what.
#include "model/memory_interference.hpp"
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>
#include <utility>

namespace overcast {
/// Only where blocks have come or gone do speeds change, unless something of the device is full.
void KernelExecutor::update_speeds() {
    auto& groups = sms_.groups();
    const bool was_slowed = slowed_by_device_;
    slowed_by_device_ = (was_slowed || load_grew_) && device_sharing_.may_slow(running_);
    load_grew_ = false;
    const auto did_wait = std::pair{others_wait_, few_wait_};
    others_wait_ = others_wait();
    few_wait_ = few_wait();
    bool all = all_speeds_change_ || lasting_ || slowed_by_device_ != was_slowed ||
               std::pair{others_wait_, few_wait_} != did_wait;
    all_speeds_change_ = false;
    const bool clock_was_low = clock_is_low_;
    clock_is_low_ = tensor_cores_slow_ && tensor_kernels_ > 0;
    all = all || clock_is_low_ != clock_was_low;
    const bool share_device = slowed_by_device_ || was_slowed;  // once more: none is slowed
    for (const auto changed : sms_.changed()) {
        if (!groups[changed].residents.empty()) {
            if (sm_sharing_.share(groups[changed])) {
                begin_starts(groups[changed]);
            }
        }
    }
    if (share_device) {
        all = device_sharing_.slow(running_, groups) || all;
        all = serve_fast_first() || all;
    }
    if (all) {
        for (auto& group : groups) {
            set_speeds(group);
        }
    } else {
        for (const auto changed : sms_.changed()) {
            set_speeds(groups[changed]);
        }
    }
    sms_.clear_changed();
    find_next();
}

/// By what it shares with the other blocks and the copies on the device.
double KernelExecutor::slowed_speed(const SmGroup& group, const ResidentBlocks& blocks) const {
    const auto& kernel = running_[blocks.kernel];
    const auto by_device = kernel.slowed * kernel.beside_fast /
                           (group.kind == SmKind::fast ? faster_on_fast(kernel) : 1);
    const auto by_clock = clock_is_low_ ? blocks.demand->beside_tensor : 1;
    return blocks.speed_on_sm / by_device / kernel.by_copies / by_clock;
}

void KernelExecutor::set_speeds(SmGroup& group) {
    const auto now = sms_.now();
    auto next = kNoEnd;
    if (!slowed_by_device_ && !h2d_ && !d2h_ && !lasting_ && !clock_is_low_ && !others_wait_) {
        for (auto& blocks : group.residents) {
            blocks.progress.set_speed(now, blocks.speed_on_sm);
            next = std::min(next, blocks.progress.end());
        }
    } else {
        for (auto& blocks : group.residents) {
            blocks.progress.set_speed(now, slowed_speed(group, blocks));
            if (!ends_on_time(blocks)) {
                next =
                    std::min(next, others_wait_ ? first_end(group, blocks) : blocks.progress.end());
            }
        }
    }
    sms_.set_next(group, next);
}

void KernelExecutor::add_dram_shares() {
    in_use_changed_ = false;
    dram_share_ = 0;
    for (const auto slot : running_.in_use) {
        dram_share_ += (*demands_)[running_[slot].demand].dram_share;
    }
}

double KernelExecutor::slowed_by_copies(const KernelDemand& demand) const {
    return share_dram_ ? kernel_slow_down(*memory_kernels_, demand.dram_share, h2d_, d2h_) : 1;
}

}  // namespace overcast
