// The calibrated parameters of one GPU, each with where it came from (model/devices/*.json).
//
// These are numbers alone. What they mean for a copy, a kernel or a gap is said by the models
// beside this file; when things happen is decided by the simulator.
#pragma once

#include "core/device.hpp"
#include "core/host_latencies.hpp"
#include "core/overhead_parameters.hpp"
#include "core/scatter_parameters.hpp"
#include "core/trace.hpp"
#include "core/tracing_cost.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"
#include "model/curve.hpp"
#include "model/l2_halves.hpp"
#include "model/scheduler_parameters.hpp"
#include "model/unit_demand.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// Hardware channels under one value of CUDA_DEVICE_MAX_CONNECTIONS, ids as a fresh process takes
/// them (7).
struct ConnectionChannels {
    std::uint32_t connections = 0;  ///< the value
    std::vector<std::uint32_t> compute;
    std::vector<std::uint32_t> h2d;
    std::vector<std::uint32_t> d2h;

    bool operator==(const ConnectionChannels&) const = default;
};

/// Hardware channels of each kind when CUDA_DEVICE_MAX_CONNECTIONS is unset (rule 7).
struct ChannelParameters {
    /// Channel ids in the order in which a fresh process takes them.
    std::vector<std::uint32_t> compute;
    std::vector<std::uint32_t> h2d;
    std::vector<std::uint32_t> d2h;
    std::uint32_t max_connections = 8;  ///< what "unset" means for compute channels
    std::uint32_t queue_depth = 1021;  ///< entries that a channel holds before the host blocks (29)
    /// Other settings that were measured, rising; empty: c connections are c channels of each kind.
    std::vector<ConnectionChannels> by_connections;
};

/// The channels under CUDA_DEVICE_MAX_CONNECTIONS = `connections` (absent: unset), as measured. For
/// a value that was not measured: as many as lie between its neighbours, ids counted up.
ConnectionChannels channels_under(const ChannelParameters& channels,
                                  std::optional<std::uint32_t> connections);

/// Which of the ready copies a copy engine serves next (9).
enum class CopyService : std::uint8_t {
    drain,              ///< those of the channel that it is on, then the next channel
    fifo_by_issue,      ///< the one that was issued first
    fifo_by_readiness,  ///< the one that was ready first
    fair_share,         ///< all at once, each at its share of the rate
};

/// Time between the host and the device.
struct HostParameters {
    Duration copy_start_latency{};    ///< return of the call → start on an idle engine (16)
    Duration kernel_start_latency{};  ///< return of the call → start on idle SMs (16)
    Duration synchronise_wake_up{};   ///< end on the device → return of the waiting call (1)
    Duration host_function{};         ///< run time of a host callback whose time is unknown (27)
    /// Of a call, how large a share passes after the device has heard of its work: the start comes
    /// as much sooner after the return. 0 where no recorder is.
    double share_after_work = 0;
    /// As kernel_start_latency, for memsets and for copies that travel inline; absent: the same.
    std::optional<Duration> memset_start_latency;
    std::optional<Duration> inline_copy_start_latency;
    /// Return of the call of a staged pageable copy to the device → its end; absent: it returns
    /// after the end.
    std::optional<Duration> early_return;
    /// What a call costs more that follows one into another stream, over the streams that the
    /// program uses. Empty: nothing.
    Curve copy_stream_change_ns;
    Curve kernel_stream_change_ns;
    /// What a call costs more, untraced, whose work stands in a compute channel, while a copy to
    /// the device is on the link.
    Duration kernel_call_beside_h2d{};
};

/// One range of sizes in which time is a line in bytes.
struct LinePiece {
    Bytes from;          ///< smallest size of the range; it ends where the next piece begins
    Duration latency{};  ///< the line at no bytes
    Bandwidth bandwidth;
};

/// One direction of copies between host and device.
struct TransferParameters {
    Duration latency{};             ///< device-side time of a copy of no bytes
    Bandwidth bandwidth;            ///< asymptote, pinned memory (1)
    std::vector<LinePiece> pieces;  ///< ranges of sizes where one line is not enough, pinned
    Curve pageable_ns;              ///< duration over bytes, pageable memory (2)
    Duration turnaround_same{};     ///< between two copies of one channel (4)
    Duration turnaround_other{};    ///< between copies of different channels (4)
    /// What either grows by, over the compute channels whose head waits. Empty: nothing.
    Curve turnaround_growth_ns;
    /// And while a copy of the other direction is on the link, as far as that still has to go.
    Duration turnaround_beside{};
    Curve duplex_factor;  ///< slow-down over bytes while the other direction runs (5)
};

/// How H2D copies slow down while kernels wait in channels (6).
struct WaitingSlowdownParameters {
    /// Share of the time that a copy takes longer per entry behind the heads of the waiting
    /// channels, by the number of these channels. Empty: nothing.
    Curve per_entry;
    double most_entries = 10;  ///< per channel; more do no more harm
    /// Share of the time that a copy to the host takes longer, by the number of compute channels
    /// and channels for copies to the device whose head waits. Empty: nothing.
    Curve to_host;
};

/// Copies that travel inside the command stream (24).
struct InlineCopyParameters {
    Bytes pageable_limit;
    Bytes pinned_limit;       ///< always
    Bytes pinned_idle_limit;  ///< if the stream is idle at issue
    Duration duration{};      ///< over all sizes
    Curve duration_ns{};      ///< by bytes; empty: `duration` is all that is known
    /// The call writes the data: what that adds to a call for a copy by an engine, by bytes.
    Curve call_ns{};
};

/// Work that the SMs do for a copy inside the device or a memset (24, 25).
struct DeviceFillParameters {
    Duration latency{};
    Bandwidth bandwidth;
    /// Ranges of sizes where one line is not enough (what fits the L2 is faster); empty: it is.
    std::vector<LinePiece> pieces;
};

/// Same-stream gaps by the number of other waiting channels of the later operation's kind (13).
struct GapParameters {
    std::array<Duration, kGapKinds> base{};  ///< nothing else waits
    std::array<Curve, kGapKinds> growth_ns;  ///< added, over waiting channels
    /// The same while a copy engine works for others; empty: as without.
    std::array<Curve, kGapKinds> growth_beside_h2d_ns;
    std::array<Curve, kGapKinds> growth_beside_d2h_ns;
    /// Between kernels, added over the bytes that the earlier one brings into the L2: beside an
    /// idle link, copies to the device, copies to the host. Empty: nothing.
    std::array<Curve, 3> growth_ns_by_bytes;
    Duration event{};  ///< event record → start in another stream (26)
    /// What ends so long after the return of the next operation's call, or earlier, is done when
    /// that one's channel first looks: no gap. Absent: there always is one.
    std::array<std::optional<Duration>, kGapKinds> late_arrival;
    /// From when the device hears of a call to the start of what waits at the head of its channel
    /// for work that is done by then: the channel looks again. Absent: it does not.
    std::optional<Duration> look_on_call;
};

/// Copies and kernels that stream from or to DRAM, side by side. The factors of the kernels are
/// those of one that uses all of the DRAM's bandwidth.
struct MemoryKernelParameters {
    Curve h2d_factor;            ///< slow-down of the copy over its bytes
    Curve d2h_factor;            ///< the same
    double read_beside_h2d = 1;  ///< slow-down of a kernel that reads, while H2D copies run
    double read_beside_d2h = 1;
    double write_beside_h2d = 1;  ///< of a kernel that writes
    double write_beside_d2h = 1;
};

/// CUDA graphs, where they were measured (`observed` in the file).
struct GraphParameters {
    Curve launch_ns_by_nodes;               ///< host time of a launch; empty: not measured
    std::optional<Duration> kernel_period;  ///< from empty kernel to empty kernel of a graph (33)
};

struct KernelParameters {
    Duration floor{};  ///< part of a kernel's duration in which no block works
    /// Beside the floor, of a kernel that fills the device: while its blocks have not begun on all
    /// SMs, or ended on some.
    Duration edges{};
    /// How much longer arithmetic takes while tensor cores work, on whatever SM: all SMs' clock is
    /// lower then. 1: it is not.
    double beside_tensor = 1;
    double load_beside_tensor = 1;  ///< the same of a load that finds its data in the L2
    std::uint32_t resident_grids = 128;
    double saturating_warps = 12;  ///< warps per SM that use up its issue slots (18)
    /// Of what an older kernel uses, what another one finds taken, where no counters say which
    /// units they use. 1: all of it.
    double unlike_contention = 1;
    /// SMs that no clusters of more than two blocks can use: while such a kernel waits, those
    /// behind it start there. 0: they wait.
    std::uint32_t sms_beside_clusters = 0;
    /// SMs that clusters of so many blocks can use at once, one block on each: those of one cluster
    /// are in one part of the chip. Empty: all.
    Curve cluster_multiprocessors;
    UnitCapacities capacities;  ///< for kernels whose counters are known
    /// For which an instruction waits beside one warp that never waits but at the end of its loop,
    /// times the share of the slots that this warp leaves; 0: it finds one at once.
    double loop_end_cycles = 0;
    /// Beside younger warps that never wait, what older blocks get of an SM together who could fill
    /// its issue slots or a pipe of arithmetic by themselves. 0: nothing.
    double older_beside_ready = 0;
    /// What the oldest kernel gets whose warps never wait, beside younger ones like it. 1: all.
    double first_of_ready = 1;
    /// Of its speed alone, what an older one keeps that has one warp per scheduler, beside a
    /// younger one of two and more. 1: all.
    double single_of_ready = 1;
    /// Of a block's time, how long before its end its first warps are done, and those come to their
    /// loops that it kept from them and that never wait there.
    double let_in_before_end = 0;
    /// That a kernel waits for one after the other before its first block comes to its loop and
    /// behind the loop of its last one: its parameters, its code, what it writes. 0: nothing.
    double requests_outside_loop = 0;
    /// Of what cannot be reached of the issue slots, what blocks find behind older ones that fill
    /// them who load 16 bytes per thread several times at once. 1: as all others.
    double wide_loads_share = 1;
    /// For which an instruction waits at most, before others, whose pipe of arithmetic older warps
    /// fill. 0: not known; it finds what cannot be reached of the pipe.
    double longest_wait_ns = 0;
    double longest_xu_wait_ns = 0;  ///< likewise for special functions
    /// For which an instruction waits for an issue slot, where older warps fill them, per square of
    /// their number for each scheduler. 0: not known.
    double slot_wait_ns = 0;
    /// Of the issue slot after that of an instruction for the LSU, what others do not find.
    double lsu_second_slot = 0;
    SchedulerParameters scheduler;
    /// What is on its way from the L2 to an SM is held in its L1: bytes of it that all of the way
    /// takes. 0: any L1 is enough.
    double l2_path_l1_bytes = 0;
    /// What comes back to the L2 one after the other: sooner than this it is there.
    double l2_safe_ns = 0;
    /// Brought in before it comes back, from where on it is found late; 0: it is not.
    double l2_late_from_bytes = 0;
    double l2_late_latency = 1;  ///< of a load that finds it late, in latencies of the L2
    double l2_kept_bytes = 0;    ///< of what kernels use again, that stay in the L2; 0: all
    L2Halves l2_halves;
    /// Of the SMs whose blocks end together, those that lose theirs at a time: ends scatter within
    /// an SM as between SMs, so that those of many SMs come mixed.
    double open_at_once = 0.5;
    /// Where blocks wait for memory, those of an SM end together, and the SMs one after the other:
    /// the last so much of a block's time after the first. 0: all together.
    double ends_apart = 0;
    /// After waves of blocks by which fast SMs are far ahead those of an SM are mixed: the last of
    /// them end anywhere within so much of a block's time, whichever SM they are on. 0: as above.
    double ends_mixed = 0;
};

/// What no probe measures of how uncertain a prediction is (docs/model.md#intervals). Shares are
/// half widths of 90 % intervals, relative.
struct UncertaintyParameters {
    // How far the rules themselves are from what a GPU does, by what limits the run.
    double one_stream = 0.01;  ///< replays the recording
    double copies = 0.0125;    ///< a copy engine
    double kernels = 0.04;     ///< the SMs
    /// The SMs, and unlike kernels may share them: with counters of all, and without.
    double unlike_kernels = 0.085;
    double unlike_uncounted_kernels = 0.3;
    double host = 0.05;
    double chain = 0.03;  ///< gaps on the critical path where no engine is busy most of the time

    double kernel_duration = 0.015;    ///< of one and the same kernel, from run to run
    double between_host_calls = 0.05;  ///< what a thread does between its calls, from run to run
    /// `kernel.saturating_warps` of a kernel of which the trace shows no counters lies between
    /// these.
    double fewest_saturating_warps = 8;
    double most_saturating_warps = 64;
};

/// 90 % interval of a parameter, in the unit of its row.
struct ParameterInterval {
    double low = 0;
    double high = 0;

    bool operator==(const ParameterInterval&) const = default;
};

/// A copy engine chooses what it copies next before the copy that runs has ended, among what is
/// ready by then. So long before that end has to come … (absent: the end itself is early enough)
struct LookAhead {
    std::optional<Duration> call;    ///< the time from which on an idle engine could copy it
    std::optional<Duration> kernel;  ///< the end of the kernel that it waits for
    std::optional<Duration> h2d;     ///< the end of a copy to the device that it waits for
    std::optional<Duration> d2h;     ///< the same of one to the host
    /// Of small copies an engine takes further ones of the channel that it is on ahead of the one
    /// that runs: how many, by bytes of a copy. It has chosen what follows a copy when it takes
    /// that. Not of larger copies than the last of the curve. Empty: none.
    Curve copies_ahead;
    Curve recorded_copies_ahead;  ///< the same where each is recorded, by whatever recorder
};

struct DeviceModel {
    std::string name;                       ///< "nvidia-h200"
    std::vector<std::string> device_names;  ///< as the driver reports them: "NVIDIA H200"
    DeviceProperties device;
    TracingCost tracing_cost;      ///< of `--record full`, and of recorders that we do not know
    RecorderCost light_tracing;    ///< of `--record light`
    RecorderCost minimal_tracing;  ///< of `--record minimal`
    ChannelParameters channels;
    HostParameters host;
    TransferParameters h2d;
    TransferParameters d2h;
    DeviceFillParameters d2d;
    DeviceFillParameters memset;
    WaitingSlowdownParameters waiting_slowdown;
    InlineCopyParameters inline_copies;
    GapParameters gaps;
    KernelParameters kernels;
    MemoryKernelParameters memory_kernels;
    GraphParameters graph;
    CopyService copy_service = CopyService::drain;
    LookAhead look_ahead;  ///< of the copy engines
    UncertaintyParameters uncertainty;
    ScatterParameters scatter;
    /// By parameter, as its row gives it (`interval_90`); absent where nobody measured it.
    std::map<std::string, ParameterInterval, std::less<>> intervals;
    /// Offset after which a second stream's H2D starts beside the first (seed systems'
    /// trans_ovlp_th); absent: copies of one direction never overlap (3).
    std::optional<Duration> transfer_overlap_threshold;
};

/// A name ("nvidia-h200": looked up among the installed sets) or a path.
/// Throws ModelFileError: file, parameter, reason.
DeviceModel load_device_model(std::string_view name_or_path);

/// The installed parameter set for a device of this name; absent where there is none.
std::optional<DeviceModel> find_device_model(std::string_view device_name);

/// Parameters for a GPU without a measured set: limits from `device`, the rest from the installed
/// set of the most similar GPU (compute capability, then SMs), with a warning in `warnings`.
DeviceModel generic_device_model(const DeviceProperties& device, Warnings& warnings);

/// What the recorder of `trace` added. A recorder that does not say how it recorded is taken for
/// `--record full`.
TracingCost tracing_cost_of(const Trace& trace, const DeviceModel& model);

/// The machine while such a recorder as that of `trace` works: what is predicted with it is a
/// traced run. Calls cost what they cost traced, of a recording nothing is taken out, work starts
/// by when the device hears of it, copies follow each other as much later as the recorder makes
/// them, fewer are taken ahead, and beside copies to the device every gap is longer.
DeviceModel with_recorder(const Trace& trace, DeviceModel model);

/// Replaces the time between host and device by what a trace shows.
void apply_latencies(DeviceModel& model, const HostLatencies& latencies);

/// Replaces the in-stream gaps of the model by those of a trace (or of `--overhead`): by their
/// medians, but where a channel that waits looks every few us, by the middle between the 10th and
/// the 90th percentile. A chain of units alike meets the same moment between two looks again and
/// again, so that its median is that of one phase, and other streams meet others.
void apply_overheads(DeviceModel& model, const OverheadParameters& overheads);

}  // namespace overcast
