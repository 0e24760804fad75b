// The calibrated parameters of one GPU, each with where it came from (model/devices/*.json).
//
// These are numbers alone. What they mean for a copy, a kernel or a gap is said by the models
// beside this file; when things happen is decided by the simulator.
#pragma once

#include "core/device.hpp"
#include "core/overhead_parameters.hpp"
#include "core/trace.hpp"
#include "core/tracing_cost.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"
#include "model/curve.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// Hardware channels of each kind when CUDA_DEVICE_MAX_CONNECTIONS is unset (rule 7).
struct ChannelParameters {
    /// Channel ids in the order in which a fresh process takes them.
    std::vector<std::uint32_t> compute;
    std::vector<std::uint32_t> h2d;
    std::vector<std::uint32_t> d2h;
    std::uint32_t max_connections = 8;  ///< what "unset" means for compute channels
    std::uint32_t queue_depth = 1021;  ///< entries that a channel holds before the host blocks (29)
};

/// Time between the host and the device.
struct HostParameters {
    Duration copy_start_latency{};    ///< return of the call → start on an idle engine (16)
    Duration kernel_start_latency{};  ///< return of the call → start on idle SMs (16)
    Duration synchronise_wake_up{};   ///< end on the device → return of the waiting call (1)
    Duration host_function{};         ///< run time of a host callback whose time is unknown (27)
};

/// One direction of copies between host and device.
struct TransferParameters {
    Duration latency{};           ///< device-side time of a copy of no bytes
    Bandwidth bandwidth;          ///< asymptote, pinned memory (1)
    Curve pageable_ns;            ///< duration over bytes, pageable memory (2)
    Duration turnaround_same{};   ///< between two copies of one channel (4)
    Duration turnaround_other{};  ///< between copies of different channels (4)
    Curve duplex_factor;          ///< slow-down over bytes while the other direction runs (5)
};

/// How H2D copies slow down while kernels wait in channels (6).
struct WaitingSlowdownParameters {
    double per_waiting_kernel = 0;     ///< share of the rate lost per kernel per waiting channel
    std::uint32_t from_channels = 3;   ///< fewer waiting channels do no harm
    double most_waiting_kernels = 20;  ///< the range that was measured
};

/// Copies that travel inside the command stream (24).
struct InlineCopyParameters {
    Bytes pageable_limit;
    Bytes pinned_limit;       ///< always
    Bytes pinned_idle_limit;  ///< if the stream is idle at issue
    Duration duration{};
};

/// Work that the SMs do for a copy inside the device or a memset (24, 25).
struct DeviceFillParameters {
    Duration latency{};
    Bandwidth bandwidth;
};

/// Same-stream gaps by the number of other waiting channels of the later operation's kind (13).
struct GapParameters {
    std::array<Duration, kGapKinds> base{};  ///< nothing else waits
    std::array<Curve, kGapKinds> growth_ns;  ///< added, over waiting channels
    Duration event{};                        ///< event record → start in another stream (26)
};

struct KernelParameters {
    Duration floor{};  ///< part of a kernel's duration in which no block works
    std::uint32_t resident_grids = 128;
    double saturating_warps = 12;  ///< warps per SM that use up its issue slots (18)
};

struct DeviceModel {
    std::string name;                       ///< "nvidia-h200"
    std::vector<std::string> device_names;  ///< as the driver reports them: "NVIDIA H200"
    DeviceProperties device;
    TracingCost tracing_cost;        ///< of `--record full`, and of recorders that we do not know
    CallCosts minimal_traced_calls;  ///< calls under `--record minimal`
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
    /// Offset after which a second stream's H2D starts beside the first (seed systems'
    /// trans_ovlp_th); absent: copies of one direction never overlap (3).
    std::optional<Duration> transfer_overlap_threshold;
};

/// A name ("nvidia-h200": looked up among the installed sets) or a path.
/// Throws ModelFileError: file, parameter, reason.
DeviceModel load_device_model(std::string_view name_or_path);

/// The installed parameter set for a device of this name; absent where there is none.
std::optional<DeviceModel> find_device_model(std::string_view device_name);

/// Parameters for a GPU without a measured set: limits from `device`, the rest from the set that is
/// installed, with a warning in `warnings`.
DeviceModel generic_device_model(const DeviceProperties& device, Warnings& warnings);

/// What the recorder of `trace` added. A recorder that does not say how it recorded is taken for
/// `--record full`.
TracingCost tracing_cost_of(const Trace& trace, const DeviceModel& model);

/// Replaces the in-stream gaps of the model by those of a trace (or of `--overhead`).
void apply_overheads(DeviceModel& model, const OverheadParameters& overheads);

}  // namespace overcast
