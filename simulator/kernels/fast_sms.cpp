// SMs of small parts of the chip, each of which has its own way to the L2, get more than others of
// an L2 or a DRAM that is full. Which they are matters from when blocks first end there sooner than
// elsewhere while another kernel waits for their room: from then on groups of SMs know it.
#include "simulator/kernels/kernel_executor.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

/// Assumes: of fewer blocks of a last wave most have gone to fast SMs, who came to them first.
constexpr double kMostOfWave = 0.5;

}  // namespace

/// How many times as fast as on others its blocks are on fast SMs: no faster than if the device did
/// not slow them.
double KernelExecutor::faster_on_fast(const RunningKernel& kernel) const {
    return std::clamp(kernel.slowed, 1.0, (*demands_)[kernel.demand].units.on_fast_sms);
}

/// How many times its blocks fill what it has of the device.
double KernelExecutor::waves_of(const RunningKernel& kernel) const {
    const auto at_once = std::max(kernel.most_resident, std::uint64_t{1});
    return static_cast<double>((*demands_)[kernel.demand].blocks) / static_cast<double>(at_once);
}

/// By how much of a block's time fast SMs are ahead of the mean when a kernel's last wave ends.
double KernelExecutor::ahead_on_fast(const RunningKernel& kernel) const {
    if (share_of_fast_ <= 0) {
        return 0;
    }
    const auto faster = faster_on_fast(kernel);
    const auto mean = 1 + share_of_fast_ * (faster - 1);
    return std::ceil(waves_of(kernel)) * (1 - mean / faster);
}

/// By how much of a block's time its last blocks end sooner on the fast ones of a group's SMs, if
/// it is not known which these are; 0: not at all. After many waves fast SMs are whole blocks
/// ahead: where in their last ones is chance.
double KernelExecutor::ends_sooner_on_fast(const SmGroup& group,
                                           const RunningKernel& kernel) const {
    if (group.kind != SmKind::unknown) {
        return 0;
    }
    const auto waves = waves_of(kernel);
    const auto sooner = ahead_on_fast(kernel);
    const auto last = waves - (std::ceil(waves) - 1);
    return sooner < 1 && (waves <= 1 || last >= kMostOfWave) ? sooner : 0;
}

void KernelExecutor::tell_fast_apart(const SmGroup& group, std::uint32_t slot) {
    const auto& kernel = running_[slot];
    const auto fast = static_cast<std::uint32_t>(group.sms * share_of_fast_ + 0.5);
    sms_.tell_fast_apart(sms_.place_of(group), slot, fast, faster_on_fast(kernel),
                         std::ceil(waves_of(kernel)) * kernel.block_time);
}

/// What blocks on fast SMs get more of the device others get less. Returns whether there is any.
bool KernelExecutor::serve_fast_first() {
    const bool were_served = fast_are_served_;
    fast_are_served_ = false;
    if (were_served) {
        for (const auto slot : running_.in_use) {
            running_[slot].beside_fast = 1;
        }
    }
    for (const auto& group : sms_.groups()) {
        if (group.kind != SmKind::fast) {
            continue;
        }
        for (const auto& blocks : group.residents) {
            auto& kernel = running_[blocks.kernel];
            const auto faster = faster_on_fast(kernel);
            if (faster > 1 && kernel.speed > 0) {
                const auto there = static_cast<double>(std::uint64_t{blocks.per_sm} * group.sms);
                kernel.beside_fast += (faster - 1) * there * blocks.speed_on_sm / kernel.speed;
                fast_are_served_ = true;
            }
        }
    }
    return fast_are_served_ || were_served;
}

}  // namespace overcast
