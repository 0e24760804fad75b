// What a resident block asks of each unit that it shares with others (docs/model.md#demands).
#pragma once

#include "core/kernel_counters.hpp"
#include "model/curve.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace overcast {

inline constexpr std::uint32_t kThreadsPerWarp = 32;

/// Units of one SM, shared by the blocks that are resident on it.
enum class SmUnit : std::uint8_t {
    issue_slots,
    fma_pipe,
    fma_heavy_pipe,
    alu_pipe,
    xu_pipe,
    fp64_pipe,
    tensor_pipe,
    lsu_pipe,
    l1,
    global_queue,  ///< instructions to global memory, until their requests are on their way
};
inline constexpr std::size_t kSmUnits = static_cast<std::size_t>(SmUnit::global_queue) + 1;
/// Those of which only a part can be reached; a queue can be full.
inline constexpr std::size_t kCapacitySmUnits = static_cast<std::size_t>(SmUnit::l1) + 1;

/// How long a load takes in the mean, in latencies of the L2, where the share `found` of them finds
/// its data there and the others take `dram_latency` of these.
constexpr double mean_load(double found, double dram_latency) {
    return found + (1 - found) * dram_latency;
}

/// Bytes of a line of the L1: what is on its way to an SM takes whole ones.
inline constexpr double kL1Line = 128;

/// Units of the device, shared by all blocks on it.
enum class DeviceUnit : std::uint8_t {
    l2_requests,
    l2_writes,  ///< the way of what is written from the SMs to the L2
    l2_replies,
    l2_fabric,
    dram,
    dram_writes,  ///< the DRAM, by writes of single sectors here and there
};
inline constexpr std::size_t kDeviceUnits = static_cast<std::size_t>(DeviceUnit::dram_writes) + 1;

/// The counter that says how busy the unit is.
KernelCounter counter_of(SmUnit unit);
/// How busy counters say that a unit is; absent where they do not. Of writes to the L2 there is no
/// counter: they are the requests to the L2 beyond those that its replies may answer. A reply takes
/// at least a quarter of its peak (one sector of four), so that what is read may be counted too
/// high, never too low.
std::optional<double> share_of(const KernelCounters& counters, DeviceUnit unit);
/// Of the queue to global memory no counter says it, only how many warps wait for room in it.
std::optional<double> share_of(const KernelCounters& counters, SmUnit unit);
/// "issue_slots": as in kernel.capacity.issue_slots.
std::string_view to_string(SmUnit unit);
std::string_view to_string(DeviceUnit unit);

/// How the queue to shared memory serves reads that fill it, and loads behind them.
struct SharedReads {
    /// How steeply it prefers older blocks of a kernel (k of queue_order()), for each warp of a
    /// scheduler that reads beyond `warps_evenly`, which share it evenly.
    double order_per_warp = 0.6;
    double warps_evenly = 4.5;
    /// Cycles that a load waits behind older warps of a scheduler that read words, by their number.
    Curve load_behind_words;
    Curve load_behind_wide;  ///< likewise, 16 bytes
};

/// How steeply a full queue prefers older blocks (k of queue_order()), for each share of the warps
/// that waits there beyond `none_up_to`, up to which blocks share it evenly.
struct QueueOrder {
    double per_wait = 0;
    double none_up_to = 0;

    bool operator==(const QueueOrder&) const = default;
};

/// SMs that get more than others of an L2 or a DRAM that is full: those of small parts of the chip,
/// each of which has a way there of its own.
struct FastSms {
    double share = 0;  ///< of all SMs; 0: none
    /// Of blocks there over that of others, where more is on its way than the L2 takes, so that
    /// requests wait for room in their SMs' queue.
    double speed = 1;
    double speed_of_chains = 1;  ///< likewise, where they wait in the L2
    double speed_of_lines = 1;   ///< likewise, of whole lines, so many that they wait on their way
    /// That an SM's warps want on their way at once: of fewer bytes of lines none waits there, of
    /// as many as `lines_full` and more all do.
    double lines_from = 0;
    double lines_full = 0;
};

/// Of each unit, the share of its peak that can be reached: what the counters show when ever more
/// blocks make a kernel no faster.
struct UnitCapacities {
    /// Of the queue to global memory: 1, or infinity where it is to count as never full.
    std::array<double, kSmUnits> sm;
    std::array<double, kDeviceUnits> device;
    /// Of the L2's replies at their peak, what one SM can get, times the SMs; 0: not limited.
    double l2_path = 0;
    double l2_path_requests = 0;  ///< likewise of the requests that the L2 can look up
    /// l2_bytes_per_ns of the GPU on which these two were measured; 0: of this one. An SM gets as
    /// much from a slower L2, which is more of it: of_this_l2().
    double l2_path_of_bytes_per_ns = 0;
    double l2_bytes_per_ns = 0;  ///< that it looks up at its peak; 0: not known
    double l2_path_sent = 0;     ///< bytes per ns that one SM can send to the L2; 0: not limited
    double l2_path_sent_per_load = 0;  ///< of these, for the request of a line, beside writes
    /// Of the time for which what is read has a line of the L1 on its way, what is written has one.
    double l2_path_written = 0;
    double l2_latency_ns = 0;  ///< of a load that finds its data there
    double dram_latency = 1;   ///< of one that does not, in latencies of the L2
    /// How much longer either is where the L2 or the DRAM is fully used, relative; in between as
    /// grown() says.
    double l2_latency_growth = 0;
    /// What a load waits in the L2 behind those of other SMs that look up a sector each, at the
    /// longest, in latencies of the L2: more of them wait in their SMs. 0: not measured.
    double l2_longest_wait = 0;
    double dram_latency_growth = 0;
    /// Beyond that of a load from the DRAM per share of it that writes use.
    double dram_latency_growth_by_writes = 0;
    /// Sectors that it looks up at its peak in the time of a request: where each request is for
    /// one, its share of sectors is that of requests divided by this.
    double l2_sectors_per_request = 3;
    /// Share of the peak of replies over that of requests, of requests for whole lines.
    double l2_replies_per_request = 2;
    /// Of what a kernel loads of which only the code is known, the share found in the L2.
    double l2_found_uncounted = 0.25;
    /// Of the capacity of dram_writes, what is reached while so many warps per SM write so (mean of
    /// all SMs): the more rows are open, the fewer sectors of one leave the L2 together. Empty:
    /// all.
    Curve dram_writes_share;
    /// Of the capacity of dram, what is reached where so much of what it moves is written. Empty:
    /// all.
    Curve dram_by_written;
    /// Warps per SM that use up a unit of the device, on every SM; 0: not known, all there are.
    double memory_warps = 0;
    /// Instructions that a warp issues in a row, times the cycles that it is not ready between two
    /// of them when alone; 0: warps take turns.
    double burst = 0;
    double result_cycles = 4;  ///< until the next instruction of a warp can use that of arithmetic
    /// That wait in the queue to memory where it is full; 0: nobody waits behind them.
    double queue_instructions = 52.6;
    /// Of the bytes that find no line of the L1, those that stand there before a read.
    double queue_share_before = 0.5;
    /// Bytes of lines, beyond those of the L1, that may be on their way before anybody waits.
    double queue_spare_bytes = 8192;
    /// Of what the first of a warp's loads at once waits, each further one waits so much more.
    double queue_further_load = 0.11;
    /// Warps of a scheduler that read shared memory and always have a place there, the oldest ones.
    double queue_first_warps = 6;
    SharedReads shared_reads;
    QueueOrder queue_order{4, 0.15};  ///< as seen over all SMs
    // As seen on each SM, while blocks of a kernel are there that fill the queue.
    QueueOrder order_of_sectors{7, 0.1};    ///< of requests for a sector each, to the L2
    QueueOrder order_of_lines{1.35, 0.15};  ///< of others
    FastSms fast_sms;

    UnitCapacities() {
        sm.fill(0.95);
        device.fill(0.95);
        (*this)[SmUnit::global_queue] = 1;
    }
    /// What a request waits for at the unit where it is just full, in latencies of the L2.
    [[nodiscard]] double wait_where_full(DeviceUnit unit) const;
    /// Of the capacity of dram, what is reached where `written` of the `moved` is written, in any
    /// unit.
    [[nodiscard]] double reached_of_dram(double moved, double written) const;
    /// That it looks up at its peak; 0: not known.
    [[nodiscard]] double l2_requests_per_ns() const;
    /// l2_path or l2_path_requests of this GPU's L2.
    [[nodiscard]] double of_this_l2(double path) const {
        const bool of_other = l2_path_of_bytes_per_ns > 0 && l2_bytes_per_ns > 0;
        return of_other ? path * l2_path_of_bytes_per_ns / l2_bytes_per_ns : path;
    }
    double operator[](SmUnit unit) const { return sm[static_cast<std::size_t>(unit)]; }
    double& operator[](SmUnit unit) { return sm[static_cast<std::size_t>(unit)]; }
    double operator[](DeviceUnit unit) const { return device[static_cast<std::size_t>(unit)]; }
    double& operator[](DeviceUnit unit) { return device[static_cast<std::size_t>(unit)]; }
};

inline constexpr double kSchedulers = 4;  ///< of an SM, since compute capability 5.0
/// For which an instruction of a warp holds the eight lanes of the pipe to memory.
inline constexpr double kLsuCycles = 4;

/// What a block does to the queue in which instructions to memory leave its SM: queue_demand().
struct QueueDemand {
    double wanted_in_l1 = 0;  ///< bytes of lines that it wants on their way at once
    double ns_per_byte = 0;   ///< that others wait for what finds no line
    double longest_ns = 0;    ///< that others wait behind the instructions of its kernel
    /// For so many reads one after the other a warp waits while nothing holds it up, per ns.
    double reads_per_ns = 0;
    /// For which the L1 reads shared memory for as many reads of a block as it makes at once.
    double cycles_of_reads = 0;
    /// For a sector each, that a block has sent and waits for in the mean, of a kernel that sends
    /// as many as its SM or the L2 can serve; 0: of others.
    double requests = 0;
    double requests_per_ns = 0;    ///< that an SM sends then
    bool several_at_once = false;  ///< a warp sends more than one instruction before it waits
    /// Latencies of the L2 for which those that its SM and the L2 hold up are late, which are told
    /// by the shares of these units.
    double late_elsewhere = 0;

    bool operator==(const QueueDemand&) const = default;
};

/// Shares of what can be reached of each unit that one block uses while nothing holds it up.
struct UnitDemand {
    /// How many times as fast as what one SM gets from the L2 lets it be a block would be if
    /// nothing held it up: at 1 / held_by_path of that speed it uses all of `sm`.
    double held_by_path = 1;
    std::array<double, kSmUnits> sm{};          ///< of the units of its SM
    std::array<double, kDeviceUnits> device{};  ///< of the units of the device
    double l2_path = 0;                         ///< of what one SM can get from the L2
    double l2_path_sent = 0;                    ///< of what it can send there
    /// Bytes of the L1 that are taken by what is on its way where an SM gets all that it can; 0: as
    /// measured with whole lines.
    double l2_path_bytes = 0;
    /// Of the issue slots that can be reached, what its blocks use where they fill them: above 1
    /// where that is more than what the device model was calibrated with (slots_reached()).
    double slots_reached = 1;
    /// Of what cannot be reached of the issue slots, what its blocks find where older ones fill
    /// them.
    double share_beyond_capacity = 1;
    /// How steeply that queue prefers older blocks: k of queue_order(), as seen over all SMs.
    double queue_order = 0;
    QueueOrder order_on_sm;    ///< likewise, as seen on each
    double queue_waiting = 0;  ///< share of the warps of so many blocks that wait for room there
    double queue_blocks = 1;
    /// Its speed on fast SMs over that on others, while it waits for a full unit of the device.
    double on_fast_sms = 1;
    /// Bytes of its SM's L1 that what the block loads at once holds until it has come, of a kernel
    /// that alone fills a unit of the device, so that its loads wait; 0: it does not, or each of
    /// its requests is for a sector by itself.
    double held_in_l1 = 0;
    /// For which a request of another kernel waits on its SM behind those that the block has on
    /// their way; 0: not known.
    double queued_ns = 0;
    double l2_hit_rate = 1;  ///< of what it asks of the L2
    /// Latencies of the L2 for which lines of the L1 are taken, by what is read and what is
    /// written, per line that is read.
    double line_latencies = 1;
    double l2_lookups = 0;  ///< bytes per ns that it looks up in the L2
    /// Bytes of the kernel's memory, where it looks them up again and again; 0: it does not, or
    /// that is not known. Assumes: 30 times, and five by requests for a sector here
    /// and there, are not of a small part alone.
    double footprint = 0;
    /// Of the L2, taken by each byte that comes from the DRAM: all of its line, of which requests
    /// for a sector here and there bring a half.
    double room_per_byte = 1;
    /// Requests of a warp that are on their way together, each to lose its data by itself.
    double lost_apart = 1;
    double dram_written = 0;  ///< of what can be reached of the DRAM, by what is written at least
    /// Loads that a warp waits for one after the other in the time that the L2 takes for one: of
    /// those that all find their data there, the share of its time for which it waits.
    double l2_waits = 0;
    /// How many instructions a warp issues in a row once it is chosen, where others are ready, too.
    double burst = 1;
    /// Of warps that wait for loads: how many instructions one still issues in the mean where that
    /// of another one comes meanwhile; 0: none, or not known.
    double rest_of_run = 0;
    /// Its warps have their next instruction ready but at the end of a loop: they do not wait for
    /// their last ones.
    bool always_ready = false;
    /// Share of its time for which its warps, who wait for each other at barriers, keep their
    /// scheduler busy; 0: they hardly wait so.
    double busy_between_barriers = 0;
    /// Cycles from one instruction of a warp to its next while nothing holds it up; 0: not known.
    double interval = 0;
    QueueDemand queue;  ///< to memory

    /// k of queue_order() on an SM that still has the share `there` of the blocks that it had when
    /// their warps were counted.
    [[nodiscard]] double order_while(double there) const;
    /// Of l2_waits those that are for the unit of the device.
    [[nodiscard]] double waits_for(DeviceUnit unit) const;
    [[nodiscard]] double most_of_sm() const;
    [[nodiscard]] double most_of_device() const;
    bool operator==(const UnitDemand&) const = default;
};

/// A warp that alone issues every `interval` cycles has its next instruction ready at once in the
/// share 1 / interval of them, and the scheduler stays with it that often. `factor`:
/// UnitCapacities::burst.
double burst_of(double interval, double factor);

/// k of the law by which an SM's blocks share a full queue to global memory: their speeds are in
/// proportion to
///   exp(-k x),   x = share of what the SM's blocks ask of it that older ones ask,
/// none above that of a block alone. `waiting`: share of the warps that wait for room there.
double queue_order(double waiting, const QueueOrder& order);

/// UnitDemand::rest_of_run. Of the instructions of a warp that waits `dependent` cycles for its
/// last one in the mean, of the `result_cycles` that it takes, the share 1 - f,
///   f = dependent / result_cycles,
/// follows at once. A scheduler stays with the warp meanwhile, so that of a run of 1 / f
/// instructions, each the last with the probability f, another warp finds (1 - f) / f to come. 0
/// for warps that alone issue every `interval` cycles, fewer than any that wait for loads do, and
/// where warps take turns.
double rest_of_run(double dependent, double interval, const UnitCapacities& capacities);

/// Blocks of a launch while it had the most of them; 0: not known.
struct BlocksAtOnce {
    double on_sm = 0;
    double on_device = 0;
};

/// What the machine code of a kernel says of the time in which its counters were read.
struct SeenByCode {
    /// That a block is where its requests find the device idle, see most_speed_up().
    double most_faster = std::numeric_limits<double>::infinity();
    /// UnitDemand::l2_waits at the most, see most_l2_waits().
    double most_l2_waits = std::numeric_limits<double>::infinity();
    /// That a warp reads and writes from one wait for memory to the next; infinite: not known.
    double bytes_at_once = std::numeric_limits<double>::infinity();
};

/// From the counters of a kernel that ran alone. A unit at utilisation u, with r blocks resident on
/// an SM (R on the device), gives per block
///   d = f u / (r c)   on the SM,      d = f u / (R c)   on the device,
/// where c is the unit's capacity. f is how much faster a block is that shares its SM with no
/// other: of the w warps per scheduler that an instruction issued has around it, s stand ready but
/// wait for a busy pipe, a full queue, or because another warp was chosen, so that f = w / (w - s).
/// Where no unit is near its capacity they would wait all the same for warps of their own block:
/// f = 1 up to 85 % of the capacity, all of it from 95 % on, while all blocks were there that ran
/// `at_once`: u times that many over r, or R, as far as they end one after the other. Below, too, a
/// block has waited because warps of the r - 1 others were chosen: of the s_o warps that stood back
/// for another one,
///   f >= w / (w - (1 - 1 / r) s_o).
/// Blocks whose warps wait for each other at barriers have been slowed_at_barriers(), too, and f is
/// at least that.
/// Absent where the counters lack the warps per SM. `threads` are those of a block,
/// `dram_bytes_per_ns` what the DRAM moves at its peak; 0: not known, nor what is written.
std::optional<UnitDemand> unit_demand(const KernelCounters& counters, std::uint32_t threads,
                                      std::uint32_t multiprocessors,
                                      const UnitCapacities& capacities,
                                      double dram_bytes_per_ns = 0, const SeenByCode& by_code = {},
                                      const BlocksAtOnce& at_once = {});

}  // namespace overcast
