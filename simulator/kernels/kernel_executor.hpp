// Kernels on the SMs: who is served next, which blocks run, when they end (rules 10, 18, 20, 36).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "model/kernel_model.hpp"
#include "simulator/copy_engine.hpp"
#include "simulator/flight.hpp"
#include "simulator/kernels/device_sharing.hpp"
#include "simulator/kernels/running_kernel.hpp"
#include "simulator/kernels/sm_array.hpp"
#include "simulator/kernels/sm_sharing.hpp"
#include "simulator/rules.hpp"

#include <cstdint>
#include <optional>
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
    Duration late{};  ///< of one that ended: for which it waits behind requests of others
};

/// Kernels are served strictly in the order in which they become ready: a later one gets room only
/// when every block of the earlier one has been placed (leftover policy, 20). Blocks that stand on
/// SMs in the same state run alike; those of one kernel on fuller SMs are slower.
class KernelExecutor {
public:
    KernelExecutor(const DeviceModel& model, const std::vector<KernelDemand>& demands,
                   const Rules& rules);

    /// A kernel is ready at `now`; `block_time` is the time of a block that has an SM to itself.
    /// It ends so long after its start as `lasting` says, whatever its blocks take; kNoEnd: with
    /// the last of them.
    void submit(TimelineTime now, FlightIndex flight, std::uint32_t demand, Duration block_time,
                Duration lasting = kNoEnd);

    /// Whether a kernel that is submitted now finds the device empty.
    [[nodiscard]] bool idle() const { return waiting_.empty() && running_.in_use.empty(); }
    /// As submit(), to an idle device, of a kernel that alone takes what `solo` says: nothing is
    /// played of it unless another one comes before it has ended (kernel_alone.cpp).
    void submit_alone(TimelineTime now, FlightIndex flight, std::uint32_t demand,
                      Duration block_time, const SoloRun& solo);

    /// Which copy engines work from `now` on: kernels that use the DRAM run slower beside them.
    void set_copies(TimelineTime now, bool h2d, bool d2h);
    /// Whether some kernel is known to use the DRAM.
    [[nodiscard]] bool share_dram() const { return share_dram_; }
    /// Of the DRAM's bandwidth, what the running kernels use when alone, added up.
    [[nodiscard]] double dram_share() {
        if (in_use_changed_ && share_dram_) {
            add_dram_shares();
        }
        return dram_share_;
    }

    /// Time of the next end of a cohort; kNever if no block is resident.
    [[nodiscard]] TimelineTime next() const { return next_; }
    /// Plays the cohorts that end at next().
    void advance();

    /// Share of the SMs that hold a block, of kernels that are played.
    [[nodiscard]] double active_share() const;

    /// News since the last clear_news(), in order.
    [[nodiscard]] const std::vector<KernelNews>& news() const { return news_; }
    void clear_news() { news_.clear(); }

private:
    /// A kernel that has the device to itself, of which nothing has been played yet.
    struct Alone {
        std::uint32_t slot = 0;
        TimelineTime start{};
        TimelineTime end{};
    };

    /// How SMs of a group lose a kernel's last blocks.
    enum class EndsApart : std::uint8_t {
        alike,
        by_sm,       ///< one after the other, each all of its blocks
        fast_first,  ///< likewise, fast ones far ahead of others
        mixed,       ///< block by block, whichever SM they are on
    };

    /// The first blocks of a kernel are about to end on SMs of a group.
    struct FirstEnd {
        std::uint32_t group = 0;
        std::uint32_t kernel = 0;
    };

    [[nodiscard]] std::uint32_t enter(FlightIndex flight, std::uint32_t demand,
                                      Duration block_time);
    void start(TimelineTime now, std::uint32_t slot);
    void all_are_placed(RunningKernel& kernel, std::size_t place);
    void advance_alone();
    void play_alone_until(TimelineTime now);
    void place_waiting(TimelineTime now);
    [[nodiscard]] bool one_is_placed() const;
    [[nodiscard]] bool takes_sm_by_sm(const RunningKernel& kernel) const;
    void place(TimelineTime now, std::uint32_t slot);
    void mark_endings();
    void mark_endings(SmGroup& group);
    // Behind a kernel of clusters (clusters.cpp).
    static constexpr std::size_t kBehindFirst = 1;  ///< of waiting_: who may pass
    void drop_who_has_passed();
    [[nodiscard]] bool first_lets_pass() const;
    void place_beside_clusters(TimelineTime now);
    // Where SMs lose their blocks one after the other (ends_apart.cpp).
    [[nodiscard]] bool others_wait() const;
    [[nodiscard]] bool few_wait() const;
    [[nodiscard]] bool may_tell_apart(const SmGroup& group, const ResidentBlocks& blocks) const;
    [[nodiscard]] EndsApart how_apart(const SmGroup& group, const RunningKernel& kernel) const;
    [[nodiscard]] double left_at_first_end(const SmGroup& group,
                                           const ResidentBlocks& blocks) const;
    [[nodiscard]] Duration first_end(const SmGroup& group, const ResidentBlocks& blocks) const;
    void find_first_ends(const SmGroup& group);
    void tell_ends_apart();
    // SMs that get more of the device than others (fast_sms.cpp).
    [[nodiscard]] double faster_on_fast(const RunningKernel& kernel) const;
    [[nodiscard]] double ends_sooner_on_fast(const SmGroup& group,
                                             const RunningKernel& kernel) const;
    [[nodiscard]] double waves_of(const RunningKernel& kernel) const;
    [[nodiscard]] double ahead_on_fast(const RunningKernel& kernel) const;
    void tell_fast_apart(const SmGroup& group, std::uint32_t slot);
    bool serve_fast_first();

    void drop_ended();
    void end_on_time(TimelineTime now);
    void end(std::uint32_t slot);
    [[nodiscard]] bool ends_on_time(const ResidentBlocks& blocks) const;
    [[nodiscard]] double slowed_speed(const SmGroup& group, const ResidentBlocks& blocks) const;
    void skip_waves(RunningKernel& kernel);
    void pass_time(TimelineTime now);
    void update_speeds();
    void begin_starts(SmGroup& group);
    bool begin_end(SmGroup& group, std::size_t place);
    [[nodiscard]] Duration behind_others() const;
    void end_start(SmGroup& group, ResidentBlocks& blocks);
    void set_speeds(SmGroup& group);
    [[nodiscard]] double slowed_by_copies(const KernelDemand& demand) const;
    void add_dram_shares();
    void find_next();

    const std::vector<KernelDemand>* demands_;
    bool fill_tails_;
    bool pile_up_;
    std::uint32_t sms_beside_clusters_;
    std::uint32_t multiprocessors_;
    double ends_apart_;             ///< KernelParameters::ends_apart
    double ends_mixed_;             ///< KernelParameters::ends_mixed
    double let_in_before_end_;      ///< likewise
    double requests_outside_loop_;  ///< likewise; 0 where the rule is off
    double share_of_fast_;          ///< FastSms::share; 0 where the rule is off
    bool share_dram_;
    bool tensor_cores_slow_;  ///< others, while they work
    bool h2d_ = false;
    bool d2h_ = false;
    const MemoryKernelParameters* memory_kernels_;
    SmSharing sm_sharing_;
    DeviceSharing device_sharing_;
    std::uint32_t resident_limit_;
    SmArray sms_;
    RunningKernels running_;
    std::vector<std::uint32_t> waiting_;  ///< slots with unplaced blocks, in order of service
    std::optional<Alone> alone_;
    double dram_share_ = 0;
    bool in_use_changed_ = false;       ///< since dram_share_ was added up
    bool lasting_ = false;              ///< there was a kernel whose duration is known
    bool some_start_ = false;           ///< some blocks were kept from their loops or their ends
    bool load_grew_ = false;            ///< since it was added up: more blocks came
    bool slowed_by_device_ = false;     ///< when speeds were worked out last
    bool fast_are_served_ = false;      ///< likewise: on fast SMs some kernel gets more
    bool clock_is_low_ = false;         ///< likewise
    std::uint32_t tensor_kernels_ = 0;  ///< that run and use tensor cores
    bool others_wait_ = false;          ///< likewise
    bool few_wait_ = false;             ///< likewise
    bool all_speeds_change_ = false;    ///< not only on SMs that hold other blocks than before
    /// Of the kernel that has the device to itself: work of blocks that come and go while what is
    /// resident looks the same, ns; progress of all its blocks together.
    double skipped_ = 0;
    double skipping_speed_ = 0;
    TimelineTime updated_{};  ///< until when the blocks' progress is counted
    std::uint64_t step_ = 0;
    bool ending_ = false;                    ///< blocks are marked that end in the step at hand
    bool room_left_ = false;                 ///< blocks have left since who waits was last tried
    bool some_ended_ = false;                ///< a kernel without resident blocks is to be dropped
    std::vector<FirstEnd> first_ends_;       ///< in the step at hand
    std::vector<std::uint32_t> look_again_;  ///< groups without, likewise
    std::vector<KernelNews> news_;
    TimelineTime next_ = kNever;
};

}  // namespace overcast
