// Kernels on the SMs: who is served next, which blocks run, when they end (rules 10, 18, 20, 36).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "model/kernel_concurrency.hpp"
#include "model/kernel_model.hpp"
#include "simulator/copy_engine.hpp"
#include "simulator/flight.hpp"
#include "simulator/rules.hpp"
#include "simulator/sm_array.hpp"

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

/// Kernels are served strictly in the order in which they become ready: a later one gets room only
/// when every block of the earlier one has been placed (leftover policy, 20). The blocks of a
/// kernel that are placed together end together (a cohort); a kernel has its own clock of progress,
/// which runs slower where others use the same SMs.
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
    [[nodiscard]] double dram_share() const;

    /// Time of the next end of a cohort; kNever if no block is resident.
    [[nodiscard]] TimelineTime next() const { return next_; }
    /// Plays the cohorts that end at next().
    void advance();

    /// News since the last clear_news(), in order.
    [[nodiscard]] const std::vector<KernelNews>& news() const { return news_; }
    void clear_news() { news_.clear(); }

private:
    struct RunningCohort {
        double end = 0;  ///< on the kernel's own clock, ns
        std::uint64_t blocks = 0;
        std::uint32_t id = 0;
    };
    struct Running {
        FlightIndex flight = kNoFlight;
        std::uint32_t demand = 0;
        double block_time = 0;
        double speed = 1;
        double progress = 0;  ///< the kernel's own clock at `updated`
        TimelineTime updated{};
        TimelineTime next = kNever;
        std::optional<Duration> lasting;
        TimelineTime deadline = kNever;  ///< start + lasting
        std::uint64_t unplaced = 0;
        std::vector<RunningCohort> cohorts;
        std::uint32_t next_cohort = 0;
        bool started = false;
        bool active = false;
    };

    void place_waiting(TimelineTime now);
    void place(TimelineTime now, std::uint32_t slot);
    void end_cohorts(TimelineTime now, std::uint32_t slot);
    void end_on_time(TimelineTime now, std::uint32_t slot);
    void skip_waves(Running& kernel) const;
    void limit_cohorts(std::uint32_t slot);
    void update_progress(Running& kernel, TimelineTime now) const;
    void update_speeds(TimelineTime now);
    void add_speeds(std::uint32_t sms, std::span<const SmArray::Resident> residents);
    void slow_by_units(std::span<const SmArray::Resident> residents);
    void slow_by_device();
    void find_next(Running& kernel) const;
    void find_next();
    std::uint32_t new_slot();

    const std::vector<KernelDemand>* demands_;
    bool slow_down_;
    bool fill_tails_;
    bool share_dram_;  ///< a kernel of the workload is known to use it
    bool h2d_ = false;
    bool d2h_ = false;
    const MemoryKernelParameters* memory_kernels_;
    bool share_device_;     ///< counters say what kernels ask of the device's units
    std::size_t sm_units_;  ///< without counters only the first is known
    std::uint32_t resident_limit_;
    SmArray sms_;
    std::vector<Running> running_;       ///< slots; those in use are active
    std::vector<std::uint32_t> in_use_;  ///< slots with resident or waiting blocks, oldest first
    std::vector<std::uint32_t> free_slots_;
    std::deque<std::uint32_t> waiting_;   ///< slots with unplaced blocks, in order of service
    std::vector<double> weighted_speed_;  ///< scratch of update_speeds
    std::vector<std::uint64_t> blocks_;   ///< scratch of update_speeds
    std::vector<double> speeds_;          ///< of each slot; scratch of update_speeds
    std::vector<UnitUsers> users_;        ///< scratch of slow_by_…
    std::vector<double> slowed_;          ///< scratch of add_speeds and slow_by_…
    std::vector<KernelNews> news_;
    TimelineTime next_ = kNever;
};

}  // namespace overcast
