// `overcast trace`: runs a program with the tracer inside, and writes what it did as a trace.
#pragma once

#include "core/trace.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

struct TraceOptions {
    std::vector<std::string> command;  ///< the program and its arguments; never empty
    /// `%p` is the process id. Absent: PROGRAM.overcast.json.gz in the current folder.
    std::optional<std::filesystem::path> output;
    std::string range = "all";  ///< "all", "profiler-api" or "nvtx:NAME"
    RecordMode mode = RecordMode::light;
    /// libovercast-tracer.so. Absent: the one that belongs to this executable.
    std::optional<std::filesystem::path> tracer_library;
};

/// A run that reads hardware counters for a trace that was recorded before.
struct CountOptions {
    std::vector<std::string> command;  ///< the same program and arguments; never empty
    std::filesystem::path trace;       ///< gets the counters
    std::uint32_t launches = 2;        ///< measured of each kernel, the first ones
    std::optional<std::filesystem::path> tracer_library;  ///< as in TraceOptions
};

/// Writes one trace to one file. Throws Error.
using TraceWriter = std::function<void(const Trace&, const std::filesystem::path&)>;
/// Reads one trace from one file. Throws Error.
using TraceReader = std::function<Trace(const std::filesystem::path&)>;

/// Exit statuses of its own, as `env` and `nohup` have them.
constexpr int kLauncherFailed = 125;
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

/// Runs the program and gives back its exit status (128 + n after signal n), or one of the three
/// above with one `error:` line on stderr. What was recorded is said there in one line at the end.
/// Never throws.
int run_traced(const TraceOptions& options, const TraceWriter& write);

/// The same, written as Chrome trace JSON.
int run_traced(const TraceOptions& options);

/// Runs the program once more, reads counters of the first launches of each kernel, and writes the
/// trace anew with them. Where no counters can be had the program runs all the same and the trace
/// stays as it is; one line on stderr says why. Exit status as that of run_traced. Never throws.
int run_counted(const CountOptions& options, const TraceReader& read, const TraceWriter& write);

/// The same, for traces of every format that is read, written as Chrome trace JSON.
int run_counted(const CountOptions& options);

}  // namespace overcast
