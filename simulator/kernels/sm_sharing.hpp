// How fast blocks run on an SM, beside the others there (docs/model.md#kernels-side-by-side).
#pragma once

#include "model/device_model.hpp"
#include "model/kernel_concurrency.hpp"
#include "model/kernel_model.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/rules.hpp"
#include "simulator/warps/warp_schedules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

inline constexpr auto kIssueSlots = static_cast<std::size_t>(SmUnit::issue_slots);
inline constexpr auto kXu = static_cast<std::size_t>(SmUnit::xu_pipe);
inline constexpr auto kLsuPipe = static_cast<std::size_t>(SmUnit::lsu_pipe);
inline constexpr auto kL1Path = static_cast<std::size_t>(SmUnit::l1);
inline constexpr auto kQueue = static_cast<std::size_t>(SmUnit::global_queue);
inline constexpr double kLeastSpeed = 1e-4;  ///< of a block that all of a unit is taken from
inline constexpr double kShortBurst = 2.8;   ///< instructions; no longer than another warp's turn
/// Share of a block's time, in which it waits for loads; less says that it does something else.
inline constexpr double kWaitsOften = 0.1;

/// On the same SM, in whatever sets.
std::uint32_t blocks_of_kernel(const SmGroup& group, const ResidentBlocks& blocks);

inline double warps_per_scheduler(const KernelDemand& demand, double blocks) {
    return blocks * demand.warps_per_block() / kSchedulers;
}

/// Keeps nothing of an SM but what saves work; what it says depends on the SM's residents alone.
class SmSharing {
public:
    SmSharing(const DeviceModel& model, const std::vector<KernelDemand>& demands,
              const Rules& rules);

    /// Of a kernel that takes the place of another one, ns of a block that has an SM to itself.
    void enter(std::uint32_t kernel, double block_time);

    /// Sets ResidentBlocks::speed_on_sm of all blocks on the SMs of a group, which holds some, and
    /// the phase of those that were placed: in their loop, unless others keep them from it. Returns
    /// whether some wait so.
    bool share(SmGroup& group);

    /// Whether the residents at `place` take long to their loop, or from there to their end.
    bool waits(const SmGroup& group, std::size_t place, LoopEdge edge);

    /// Whether, as the first warps of the residents at `place` are done, others come to their loops
    /// that never wait there: nobody else keeps them from it.
    [[nodiscard]] bool lets_in(const SmGroup& group, std::size_t place) const;

    /// Of blocks on an SM to themselves, until they are in their loop, or from there to their end,
    /// ns. That of those which do not wait is part of their time.
    [[nodiscard]] double edge_time(const KernelDemand& demand, LoopEdge edge) const;

    /// Whether waits() may ever say so.
    [[nodiscard]] bool some_may_wait() const { return schedules_.has_value(); }

private:
    // As laws say, or the schedulers of the SM (scheduled_sms.cpp).
    bool find_phases(SmGroup& group);
    void share_in_loops(SmGroup& group);
    void share_beside_starts(SmGroup& group);
    void share_by_laws(SmGroup& group);
    void share_by_schedules(SmGroup& group);
    [[nodiscard]] bool is_left_to_laws(const SmGroup& group) const;
    [[nodiscard]] bool is_told_by_counters(const KernelDemand& demand) const;
    [[nodiscard]] double schedule_over_laws(const SmGroup& group, std::uint32_t kernel);

    /// Of all issue slots of an SM, those that warps use in runs, instructions one after the other
    /// once a load has come; and of each, the cycles that others wait for.
    struct Runs {
        double slots = 0;
        double cycles = 0;
    };

    /// Of the residents of an SM, before any unit is full.
    struct Seen {
        double load = 0;           ///< of the units that each needs most
        double l2_path = 0;        ///< of the way between the SM and the L2, at its widest
        double held_in_l1 = 0;     ///< bytes
        std::uint32_t traits = 0;  ///< of SmTrait
        bool several = false;      ///< kernels
        Runs runs;
    };

    /// In the queue to memory, for what others have sent there.
    struct QueueWaits {
        double of_reads = 0;  ///< wait_behind_lines()
        double of_loads = 0;  ///< wait_behind_requests()
        [[nodiscard]] bool any() const { return of_reads > 0 || of_loads > 0; }
    };

    /// What those that were served before have left and use.
    struct Served {
        std::array<double, kSmUnits> left;
        std::array<double, kSmUnits> asked;  ///< whether or not it was there
        std::array<double, kSmUnits> warps;  ///< per scheduler, that ask so
        double used = 0;                     ///< of the issue slots
    };

    /// Of a unit, what older blocks of other kernels ask for and use.
    struct UsedByOlder {
        double asked = 0;
        double used = 0;
        double warps = 0;      ///< per scheduler, that ask so
        double elsewhere = 0;  ///< of these, in the mean, those that have no instruction ready
        double in_bursts = 0;  ///< of these, those that issue several instructions in a row
        double by_own = 0;     ///< used by older blocks of the same kernel
    };

    /// What these leave while they are all elsewhere.
    struct Gaps {
        double share = 0;  ///< of the unit; no more than what nobody asks for: 0
        double speed = 1;  ///< of blocks, since each of their instructions waits for a gap
    };

    // All units of an SM (sm_sharing.cpp).
    void share_by_load(SmGroup& group);
    void share_units(SmGroup& group);
    void serve_by_age(SmGroup& group);
    void serve_by_load(SmGroup& group);
    void serve(SmGroup& group, std::size_t place, Served& so_far);
    void serve_alone(SmGroup& group, std::uint32_t kernel);
    [[nodiscard]] double found_free(double used, double of_function) const;
    [[nodiscard]] double l2_path_bytes(const KernelDemand& demand) const;
    [[nodiscard]] bool may_fill_l2_path(const SmGroup& group, double asked) const;
    void slow_by_l2_path(SmGroup& group);

    // Units whose queue prefers older blocks (shares_by_age.cpp).
    struct AskedByAge {
        double asked = 0;  ///< share of the unit
        double order = 0;  ///< k of queue_order()
    };
    void share_by_age(std::vector<double>& speeds) const;
    void find_queue_speeds(const SmGroup& group);
    void find_reader_speeds(const SmGroup& group);
    void order_in_l1(SmGroup& group) const;

    // What warps wait for before a unit is used up (warp_waits.cpp).
    Seen wait_for_slots(SmGroup& group);
    void find_barrier_speeds(const SmGroup& group, bool meet);
    void slow_at_barriers(SmGroup& group);
    [[nodiscard]] Runs find_runs(const SmGroup& group) const;
    void wait_for_runs(SmGroup& group, const Runs& all);
    void add_slots_by_kernel(const SmGroup& group);
    [[nodiscard]] static double speed_beside_runs(const KernelDemand& demand, double used,
                                                  const Runs& all);
    /// With which blocks use the units of their SM: those that the device slows ask less often.
    [[nodiscard]] double speed_of_use(const ResidentBlocks& blocks) const {
        const auto& demand = *blocks.demand;
        const auto speed = device_holds_ ? std::min(blocks.speed_on_sm, demand.speed_on_device)
                                         : blocks.speed_on_sm;
        const auto held = demand.units.held_by_path;
        return held > 1 ? std::min(1.0, speed * held) : speed;  // hardly any is held
    }
    /// Of all issue slots of the SM.
    [[nodiscard]] double slots_used(const ResidentBlocks& blocks) const {
        return blocks.per_sm * blocks.demand->units.sm[0] * speed_of_use(blocks) * slot_share_;
    }
    [[nodiscard]] bool gives_way(const ResidentBlocks& blocks) const {
        return !(some_are_ready_ && blocks.demand->units.always_ready);
    }
    [[nodiscard]] double slowed_by_bursts(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] double speed_for_slots(const ResidentBlocks& blocks, double used) const;

    // Units that older blocks fill (full_pipes.cpp).
    [[nodiscard]] double most_for(double asked_by_kernel, std::size_t unit, double free,
                                  double findable = 1) const;
    [[nodiscard]] bool is_filled(std::size_t unit, const Served& so_far) const;
    [[nodiscard]] double findable(const ResidentBlocks& blocks, std::size_t unit,
                                  const Served& so_far) const;
    [[nodiscard]] double served_in_time(const ResidentBlocks& blocks, std::size_t unit) const;
    [[nodiscard]] double speed_in_gaps(const ResidentBlocks& blocks, std::size_t unit,
                                       double wait) const;
    [[nodiscard]] double speed_behind_xu(const ResidentBlocks& blocks, const Served& so_far) const;
    [[nodiscard]] double elsewhere(const ResidentBlocks& blocks) const;
    [[nodiscard]] double held_by_older(const SmGroup& group, std::size_t place) const;
    [[nodiscard]] UsedByOlder used_by_older(const SmGroup& group, std::size_t place,
                                            std::size_t unit) const;
    [[nodiscard]] Gaps find_gaps(const SmGroup& group, std::size_t place, std::size_t unit,
                                 const Served& so_far) const;
    [[nodiscard]] Gaps gaps_of_slots(const SmGroup& group, const ResidentBlocks& blocks,
                                     const UsedByOlder& use) const;
    [[nodiscard]] Gaps gaps_of_shared_memory(const SmGroup& group, std::size_t place,
                                             std::size_t unit, const UsedByOlder& use) const;
    [[nodiscard]] double wait_behind_reads(const SmGroup& group, std::size_t place,
                                           const UsedByOlder& use) const;
    [[nodiscard]] Gaps gaps_of_pipe(const SmGroup& group, const ResidentBlocks& blocks,
                                    std::size_t unit, const UsedByOlder& use) const;
    void take(const ResidentBlocks& blocks, Served& so_far) const;

    // The queue to memory (memory_queue.cpp).
    [[nodiscard]] double wait_behind_lines(const SmGroup& group) const;
    [[nodiscard]] double wait_behind_requests(const SmGroup& group) const;
    [[nodiscard]] double speed_in_queue(const SmGroup& group, const ResidentBlocks& blocks) const;
    void slow_in_queue(SmGroup& group) const;
    void share_requests(SmGroup& group) const;
    void slow_by_returns(SmGroup& group) const;
    void slow_behind_reads(SmGroup& group) const;

    // Warps that never wait, and who is beside them (ready_warps.cpp).
    struct Ready {
        double warps = 0;   ///< per scheduler
        double cycles = 1;  ///< per instruction, the most that one alone takes
        [[nodiscard]] bool fill_slots() const { return warps >= cycles; }
    };
    [[nodiscard]] Ready ready_beside(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] double ready_ends(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] double left_to_loads(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] double slots_at_loop_ends(const SmGroup& group, const ResidentBlocks& blocks,
                                            double used) const;
    void wait_for_ready(SmGroup& group) const;
    [[nodiscard]] double speed_beside_ready(const SmGroup& group,
                                            const ResidentBlocks& blocks) const;
    [[nodiscard]] double speed_among_ready(const SmGroup& group,
                                           const ResidentBlocks& blocks) const;
    [[nodiscard]] double left_to_older(const SmGroup& group) const;
    [[nodiscard]] bool is_single(const ResidentBlocks& blocks) const;
    [[nodiscard]] bool takes_turns(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] bool has_younger_rival(const SmGroup& group, std::size_t place) const;
    [[nodiscard]] double left_to_rivals(const SmGroup& group, std::size_t place,
                                        double slots) const;
    void serve_ready(SmGroup& group, Served& so_far);

    bool slow_down_;
    bool counted_;  ///< counters, or its code, say what some kernel asks of the units
    bool share_l2_path_;
    std::size_t units_;                            ///< without counters only the first is known
    std::array<double, kSmUnits> unit_peaks_{};    ///< in units of what can be reached
    std::array<double, kSmUnits> longest_wait_{};  ///< cycles, of an instruction; 0: not known
    double slot_wait_ = 0;    ///< cycles, likewise for a slot, per square of older warps
    double lsu_second_slot_;  ///< of a slot, held by each instruction for the LSU
    double slot_share_ = 1;   ///< of the issue slots what can be reached: 1 / peak
    UnitCapacities capacities_;
    SharedReads reads_;
    double unlike_contention_;
    double loop_end_cycles_;
    double older_beside_ready_;
    double first_of_ready_;
    double single_of_ready_;
    double multiprocessors_;
    std::vector<double> block_times_;  ///< by kernel
    double l2_path_l1_bytes_;
    double most_on_l2_path_ = 0;  ///< bytes of the L1, of all kernels
    double l2_latency_ns_;
    double most_requests_;   ///< that the L2 is asked for by an SM, of what it can look up
    double shared_latency_;  ///< cycles, of a read that finds the L1 free; 0: not known
    bool wait_for_slots_;
    bool meet_at_barriers_;
    bool some_are_ready_;  ///< there is a kernel whose warps never wait
    bool loads_return_;    ///< through the L1, before reads of shared memory
    bool device_holds_;    ///< what it slows asks less of its SM
    bool finish_runs_;     ///< warps do, whoever else is ready
    bool reads_by_age_;    ///< the more a scheduler's warps read shared memory
    bool take_turns_;      ///< warps of a scheduler, whichever has its next instruction ready
    QueueWaits in_queue_;  ///< of the SMs that are being shared
    std::optional<WarpSchedules> schedules_;
    std::vector<double> played_;  ///< scratch of share_by_schedules
    double cycles_per_ns_;
    std::vector<double> used_by_;         ///< of the issue slots, by function
    std::vector<AskedByAge> by_age_;      ///< scratch of share_by_age, of each resident
    std::vector<double> queue_speeds_;    ///< of each resident, likewise
    std::vector<double> reader_speeds_;   ///< of each resident, of kernels that read shared memory
    std::vector<double> barrier_speeds_;  ///< of each resident, the most that barriers let it have
    std::vector<UnitUsers> users_;        ///< scratch of slow_by_l2_path
    std::vector<double> use_of_;          ///< likewise, by kernel with several sets
};

}  // namespace overcast
