// Kernels on the SMs: who is served next, which blocks run, when they end (rules 10, 18, 20, 36).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "model/kernel_concurrency.hpp"
#include "model/kernel_model.hpp"
#include "model/l2_retention.hpp"
#include "simulator/copy_engine.hpp"
#include "simulator/flight.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/rules.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace overcast {

/// What happened to kernels since the executor was last asked.
struct KernelNews {
    enum class Kind : std::uint8_t {
        started,  ///< first block placed
        placed,   ///< every block has been placed: the kernel leaves its channel (10)
        ended,    ///< last block gone
    };
    Kind kind{};
    FlightIndex flight = kNoFlight;
};

inline constexpr double kLeastSpeed = 1e-4;      ///< of a block that all of a unit is taken from
inline constexpr double kSmMemory = 256 * 1024;  ///< bytes, since compute capability 9.0

/// Kernels are served strictly in the order in which they become ready: a later one gets room only
/// when every block of the earlier one has been placed (leftover policy, 20). Blocks that stand on
/// SMs in the same state run alike; those of one kernel on fuller SMs are slower.
class KernelExecutor {
public:
    KernelExecutor(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                   const Rules& rules);

    /// A kernel is ready at `now`; `block_time` is the time of a block that has an SM to itself.
    /// Where `lasting` is given, it ends that long after its start, whatever its blocks take.
    void submit(TimelineTime now, FlightIndex flight, std::uint32_t demand, Duration block_time,
                std::optional<Duration> lasting = std::nullopt);

    /// Which copy engines work from `now` on: kernels that use the DRAM run slower beside them.
    void set_copies(TimelineTime now, bool h2d, bool d2h);
    /// Of the DRAM's bandwidth, what the running kernels use when alone, added up.
    [[nodiscard]] double dram_share() const { return dram_share_; }

    /// Time of the next end of a cohort; kNever if no block is resident.
    [[nodiscard]] TimelineTime next() const { return next_; }
    /// Plays the cohorts that end at next().
    void advance();

    /// Share of the SMs that hold a block.
    [[nodiscard]] double active_share() const;

    /// News since the last clear_news(), in order.
    [[nodiscard]] const std::vector<KernelNews>& news() const { return news_; }
    void clear_news() { news_.clear(); }

private:
    struct Running {
        FlightIndex flight = kNoFlight;
        std::uint32_t demand = 0;
        double block_time = 0;
        std::optional<Duration> lasting;
        TimelineTime deadline = kNever;  ///< start + lasting
        std::uint64_t unplaced = 0;
        std::uint64_t resident = 0;    ///< blocks
        double speed = 0;              ///< of all its blocks, before the device slows them
        double slowed = 1;             ///< by what it shares with others of the device
        double slowing = 1;            ///< slowed, while it is worked out
        double late = 1;               ///< slowed, by data that has left the L2
        double lost_demand = 0;        ///< for such data, share of the DRAM of a block
        double by_copies = 1;          ///< slowed
        std::uint64_t ended_in = 0;    ///< the last step in which some of its blocks ended
        std::uint32_t run = 0;         ///< its place in runs_, where these were found with it
        std::uint64_t runs_found = 0;  ///< when
        bool started = false;
    };

    /// Of an SM's issue slots, what the blocks of a function use.
    struct FunctionUse {
        std::uint32_t function = 0;
        double slots = 0;
    };

    /// Of a kernel on an SM, the instructions that its warps issue one after the other once a load
    /// has come.
    struct Run {
        double interval = 0;  ///< cycles per instruction alone; 0: it waits for nobody's runs
        double rest = 0;      ///< cycles that others wait for, for each that they meet
        double slots = 0;     ///< of all issue slots, those that it uses
        double in_runs = 0;   ///< of these, those that others wait for
        double speed = 1;     ///< beside the runs of others
    };

    void place_waiting(TimelineTime now);
    [[nodiscard]] bool takes_sm_by_sm(const Running& kernel) const;
    void place(TimelineTime now, std::uint32_t slot);
    void mark_endings();
    void mark_endings(SmGroup& group);
    void drop_ended();
    void end_on_time(TimelineTime now);
    void end(std::uint32_t slot);
    [[nodiscard]] bool ends_on_time(const ResidentBlocks& blocks) const;
    [[nodiscard]] double slowed_speed(const ResidentBlocks& blocks) const;
    void skip_waves(Running& kernel);
    void pass_time(TimelineTime now);
    void update_speeds();
    void share_sm(SmGroup& group);
    void wait_for_slots(SmGroup& group);
    void wait_for_ready(SmGroup& group) const;
    void share_units(SmGroup& group, bool alike);
    void set_speeds(SmGroup& group);
    void add_dram_shares();
    [[nodiscard]] double slowed_by_copies(const KernelDemand& demand) const;
    void serve_by_age(SmGroup& group);
    struct Served;
    void serve(const SmGroup& group, ResidentBlocks& blocks, Served& so_far);
    void serve_alone(SmGroup& group, std::uint32_t kernel);
    double& used_by(std::uint32_t function);
    /// Of all issue slots of the SM.
    [[nodiscard]] double slots_used(const ResidentBlocks& blocks) const {
        return blocks.per_sm * blocks.demand->units.sm[0] * blocks.speed_on_sm * slot_share_;
    }
    [[nodiscard]] double slowed_by_bursts(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] bool gives_way(const ResidentBlocks& blocks) const {
        return !(some_are_ready_ && blocks.demand->units.always_ready);
    }
    [[nodiscard]] double speed_beside_ready(const SmGroup& group,
                                            const ResidentBlocks& blocks) const;
    [[nodiscard]] double wait_behind_queue(const SmGroup& group) const;
    [[nodiscard]] double speed_that_waits(const ResidentBlocks& blocks, double used,
                                          double behind_queue) const;
    void slow_by_l2_path(SmGroup& group);
    void slow_at_barriers(SmGroup& group) const;
    Run find_runs(const SmGroup& group);
    void wait_for_runs(SmGroup& group);
    [[nodiscard]] bool may_fill_device() const;
    [[nodiscard]] bool may_lose_data() const;
    void find_lost();
    void share_l2_once();
    void add_speeds();
    void add_users(std::size_t unit);
    bool slow_by_device();
    void find_next();
    std::uint32_t new_slot();

    const std::vector<KernelDemand>* demands_;
    bool slow_down_;
    bool fill_tails_;
    bool pile_up_;
    bool share_dram_;  ///< a kernel of the workload is known to use it
    bool h2d_ = false;
    bool d2h_ = false;
    const MemoryKernelParameters* memory_kernels_;
    bool share_device_;  ///< counters say what kernels ask of the device's units
    bool share_l2_path_;
    std::size_t sm_units_;                       ///< without counters only the first is known
    std::array<double, kSmUnits> unit_peaks_{};  ///< of an SM, in units of what can be reached
    double slot_share_ = 1;  ///< of an SM's issue slots what can be reached: 1 / peak
    double unlike_contention_;
    double loop_end_cycles_;
    double l2_path_l1_bytes_;
    double l2_latency_ns_;
    double dram_latency_;
    std::array<double, kDeviceUnits> waits_where_full_{};  ///< UnitCapacities::wait_where_full
    double l2_bytes_;                                      ///< that stay in the L2
    double dram_bytes_per_ns_;                             ///< at its peak
    double dram_capacity_;                                 ///< of that, what can be reached
    bool lose_data_;
    bool wait_for_slots_;    ///< counters say what kernels ask of them
    bool meet_at_barriers_;  ///< counters say that warps wait for each other there
    bool some_are_ready_;    ///< counters say that warps of a kernel never wait
    bool finish_runs_;       ///< warps do, whoever else is ready
    bool take_turns_;        ///< warps of a scheduler, whichever has its next instruction ready
    std::uint32_t resident_limit_;
    SmArray sms_;
    std::vector<Running> running_;       ///< slots
    std::vector<std::uint32_t> in_use_;  ///< slots with resident or waiting blocks, oldest first
    std::vector<std::uint32_t> free_slots_;
    std::deque<std::uint32_t> waiting_;   ///< slots with unplaced blocks, in order of service
    std::vector<FunctionUse> used_by_;    ///< scratch of serve_by_age
    std::vector<CacheUser> cache_users_;  ///< scratch of find_lost
    std::vector<UnitUsers> users_;        ///< scratch of slow_by_…
    std::vector<Run> runs_;               ///< scratch of wait_for_runs
    std::uint64_t runs_found_ = 0;        ///< how often
    double dram_share_ = 0;
    bool in_use_changed_ = false;     ///< since dram_share_ was added up
    bool lasting_ = false;            ///< there was a kernel whose duration is known
    bool load_grew_ = false;          ///< since it was added up: more blocks came
    bool slowed_by_device_ = false;   ///< when speeds were worked out last
    bool all_speeds_change_ = false;  ///< not only on SMs that hold other blocks than before
    /// Of the kernel that has the device to itself: work of blocks that come and go while what is
    /// resident looks the same, ns; progress of all its blocks together.
    double skipped_ = 0;
    double skipping_speed_ = 0;
    TimelineTime updated_{};  ///< until when the blocks' progress is counted
    std::uint64_t step_ = 0;
    bool ending_ = false;      ///< blocks are marked that end in the step at hand
    bool some_ended_ = false;  ///< a kernel without resident blocks is to be dropped
    std::vector<KernelNews> news_;
    TimelineTime next_ = kNever;
};

}  // namespace overcast
