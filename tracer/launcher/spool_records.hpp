// Spool records → the lists of a Trace, as they come: nothing joined, nothing sorted.
#pragma once

#include "core/spool.hpp"
#include "core/trace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace overcast {

/// One end of an NVTX range.
struct RangeEdge {
    TraceTime time;
    std::uint32_t id = 0;  ///< the same at both ends
    bool starts = false;
    NameId name{};  ///< of the start
    ProcessId process{};
    ThreadId thread{};
};

/// Everything that one spool file holds.
struct Spooled {
    Trace trace;
    std::uint32_t process = 0;
    std::uint64_t started_ns = 0;
    bool closed = false;
    std::optional<int> signal;
    std::optional<std::string> tracing_off;
    std::uint64_t zero_timestamps = 0;
    std::uint64_t impossible_times = 0;  ///< records left out for their times
    std::unordered_map<CorrelationId, spool::CopyAddresses> addresses;
    std::vector<RangeEdge> range_edges;
    std::vector<spool::Link> links;
    std::uint32_t counter_passes = 0;
};

/// One overload for each kind of record.
class SpoolRecords {
public:
    void operator()(const spool::Text& text);
    void operator()(const spool::Information& information);
    void operator()(const spool::Process& process);
    void operator()(const spool::Api& api);
    void operator()(const spool::Kernel& kernel);
    void operator()(const spool::Copy& copy);
    void operator()(const spool::Memset& memset);
    void operator()(const spool::CopyAddresses& addresses);
    void operator()(const spool::Synchronisation& sync);
    void operator()(const spool::EventRecording& event);
    void operator()(const spool::Stream& stream);
    void operator()(const spool::Context& context);
    void operator()(const spool::Device& device);
    void operator()(const spool::Link& link);
    void operator()(const spool::MemoryOperation& memory);
    void operator()(const spool::Overhead& overhead);
    void operator()(const spool::Marker& marker);
    void operator()(const spool::Quality& quality);
    void operator()(const spool::End& end);
    void operator()(const spool::CountedLaunch& launch);
    void operator()(const spool::LaunchTotal& total);
    void operator()(const spool::Code& code);

    /// What all the records gave.
    Spooled take() { return std::move(result_); }

private:
    bool is_possible(std::uint64_t start, std::uint64_t end);
    [[nodiscard]] std::string_view text(std::uint32_t id) const;
    NameId name(std::uint32_t id);
    NameId kernel_name(std::uint32_t id);
    KernelCounters& counters_of(const spool::LaunchClass& of);
    void add(const spool::Activity& common,
             std::variant<TracedCopy, TracedMemset, TracedKernel> what,
             std::optional<TraceTime> queued = {}, std::optional<TraceTime> submitted = {});

    Spooled result_;
    // By number. The numbers count up, but a damaged file may hold any.
    std::unordered_map<std::uint32_t, std::string> texts_;
    std::unordered_map<std::uint32_t, NameId> names_;
    std::unordered_map<std::uint32_t, NameId> kernel_names_;
};

}  // namespace overcast
