// Prediction: the answer for one configuration, and for a sweep of them.
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// How the recorded work becomes work for N streams.
enum class Transform : std::uint8_t {
    as_recorded,
    replicate,   ///< N streams each run the whole recorded work
    distribute,  ///< the recorded units are dealt round-robin over N streams
    split,       ///< each unit is cut into P parts, part i goes to stream i mod N
};

/// The order in which one host thread issues the work of all streams.
enum class IssueOrder : std::uint8_t {
    depth,     ///< unit by unit
    breadth,   ///< over all units, operation by operation
    recorded,  ///< as the recording did, each operation on its unit's stream
};

/// What happens to the synchronisation that the recorded program contains.
enum class SyncPolicy : std::uint8_t {
    defer,  ///< one wait per stream at the end of the region
    keep,   ///< as written
};

enum class SplitKernels : std::uint8_t { grid, duration };

enum class Bound : std::uint8_t { h2d, d2h, sm, host, chain };

std::string_view to_string(Transform transform);
std::string_view to_string(IssueOrder order);
std::string_view to_string(SyncPolicy policy);
std::string_view to_string(Bound bound);

struct Configuration {
    Transform transform = Transform::distribute;
    SyncPolicy sync = SyncPolicy::defer;
    IssueOrder order = IssueOrder::depth;
    std::uint32_t streams = 1;
    std::uint32_t parts = 1;  ///< of each unit; 1 unless the transform is split
    /// distribute: so many consecutive units go to a stream before the next stream's turn.
    std::uint32_t units_in_turn = 1;
    SplitKernels split_kernels = SplitKernels::grid;

    bool operator==(const Configuration&) const = default;
};

/// Share of `device` time in which each engine was busy (host: share of `wall`), 0 to 1.
struct Utilisation {
    double h2d = 0;
    double d2h = 0;
    double sm = 0;  ///< share with a block resident on any SM
    double host = 0;
};

/// Where the wall time of another run of this configuration lies, with a probability of `level`.
struct WallInterval {
    Duration low{};
    Duration high{};
    double level = 0.9;

    bool operator==(const WallInterval&) const = default;
};

/// What another model says of the same configuration.
struct BaselinePrediction {
    std::string name;
    std::optional<Duration> wall;  ///< absent where that model says nothing about such work
};

struct Prediction {
    Configuration configuration;
    std::uint32_t units = 0;
    std::uint32_t max_connections = 0;
    Duration wall{};
    std::optional<WallInterval> interval;  ///< of `wall`; absent where none was asked for
    Duration device{};
    double speedup = 1;  ///< wall at 1 stream / wall at N, for the same work
    Bound bound_by = Bound::chain;
    Utilisation utilisation;
    std::uint64_t device_bytes = 0;
    std::vector<BaselinePrediction> baselines;  ///< those asked for, the same in a whole sweep
    Warnings warnings;
};

/// One trace predicted in several configurations.
struct PredictionSweep {
    std::string trace;
    std::string program;       ///< command line of the recorded program
    std::string device;        ///< the recorded device's name
    std::string device_model;  ///< name of the parameter set
    Transform transform{};
    SyncPolicy sync{};
    std::vector<Prediction> predictions;
    std::optional<std::size_t> best;  ///< index into predictions
    OverheadParameters overheads;
    Duration setup{};
    Duration recorded_wall{};    ///< of the region as it was recorded, tracing included
    Duration one_stream_wall{};  ///< predicted, once the recorded work (replicate: one copy of it)
    std::uint64_t operations = 0;  ///< copies, memsets and kernels of the recorded region
    std::uint32_t units_found = 0;
    Warnings warnings;  ///< those of the trace and of the sweep as a whole
};

}  // namespace overcast
