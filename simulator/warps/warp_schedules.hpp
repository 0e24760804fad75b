// How fast blocks are on an SM of whose kernels the code is known: its schedulers, played.
#pragma once

#include "model/device_model.hpp"
#include "model/kernel_model.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/warps/warp_scheduler.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace overcast {

/// A load takes longer where others fill the L2 or the DRAM: so it is played for what its kernel
/// leaves of an SM. What others leave to the kernel itself is played as if it took as long as
/// alone: if they hold it up, the device is not full.
struct WarpPrograms {
    WarpProgram alone;
    std::optional<WarpProgram> held;  ///< absent: the same
};

/// Absent where the kernel's pass is not known.
std::optional<WarpPrograms> warp_programs(const KernelDemand& demand, const DeviceModel& model);

/// Remembers what it has played: SMs with the same residents are all alike.
class WarpSchedules {
public:
    /// `demands` outlive it.
    WarpSchedules(const std::vector<KernelDemand>& demands, const DeviceModel& model);

    /// Of each set of blocks, relative to warps that have a scheduler to themselves; empty where
    /// somebody's pass is not known.
    std::span<const double> speeds(const SmGroup& group);

private:
    struct Blocks {
        const WarpPrograms* programs = nullptr;
        std::uint32_t count = 0;
        std::uint32_t warps = 0;  ///< of each
        double alone = 0;         ///< instructions per cycle of a warp that is alone

        auto operator<=>(const Blocks&) const = default;
    };
    struct Known {
        WarpPrograms programs;
        double alone = 0;
    };

    [[nodiscard]] std::vector<double> play(const std::vector<Blocks>& sets) const;
    [[nodiscard]] static std::vector<double> rates(const std::vector<Blocks>& sets, bool held);

    std::unordered_map<const KernelDemand*, Known> known_;
    std::map<std::vector<Blocks>, std::vector<double>> played_;
    std::vector<Blocks> looked_up_;  ///< scratch
};

}  // namespace overcast
