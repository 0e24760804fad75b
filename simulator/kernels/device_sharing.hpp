// How blocks on all SMs share the units of the device (docs/model.md#kernels-side-by-side).
#pragma once

#include "model/device_model.hpp"
#include "model/kernel_concurrency.hpp"
#include "model/kernel_model.hpp"
#include "model/l2_retention.hpp"
#include "simulator/kernels/running_kernel.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/rules.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace overcast {

class DeviceSharing {
public:
    DeviceSharing(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                  const Rules& rules);

    /// Whether kernels may ask for so much together that they slow each other. Without counters or
    /// code nothing is known of that.
    [[nodiscard]] bool may_slow(const RunningKernels& running) const;
    /// Sets RunningKernel::slowed from what blocks get on their SMs. True if a kernel is slowed
    /// otherwise than before.
    bool slow(RunningKernels& running, const std::vector<SmGroup>& groups);

private:
    [[nodiscard]] bool may_fill(const RunningKernels& running) const;
    [[nodiscard]] bool may_lose_data(const RunningKernels& running) const;
    static void add_speeds(RunningKernels& running, const std::vector<SmGroup>& groups);
    void find_lost(RunningKernels& running);
    void slow_by_round(RunningKernels& running, const std::vector<SmGroup>& groups) const;
    void slow_by_others_rounds(RunningKernels& running, const std::vector<SmGroup>& groups);
    void share_l2_once(RunningKernels& running);
    void add_users(const RunningKernels& running, std::size_t unit);
    [[nodiscard]] double reached(const RunningKernels& running, std::size_t unit) const;
    [[nodiscard]] double reached_of_dram(const RunningKernels& running) const;
    [[nodiscard]] double reached_of_dram_writes(const RunningKernels& running) const;

    const std::vector<KernelDemand>* demands_;
    const UnitCapacities* capacities_;
    double multiprocessors_;
    bool slow_down_;
    bool counted_;                ///< counters, or its code, say what some kernel asks of the units
    double wait_for_writes_ = 0;  ///< of a load from the DRAM, where these use all of it
    std::array<double, kDeviceUnits> waits_where_full_{};  ///< UnitCapacities::wait_where_full
    L2Room l2_room_;
    double late_latency_;       ///< of a load that finds its data late, in latencies of the L2
    double dram_bytes_per_ns_;  ///< at its peak
    bool lose_data_;
    const L2Halves* halves_;
    bool share_halves_;                   ///< what kernels go round together may not stay in both
    bool go_round_;                       ///< where in the L2 some kernel finds its data matters
    std::vector<CacheUser> cache_users_;  ///< scratch of find_lost
    std::vector<RoundUser> round_users_;  ///< likewise of slow_by_others_rounds
    std::vector<UnitUsers> users_;        ///< scratch of slow
};

}  // namespace overcast
