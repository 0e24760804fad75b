// Who is who in an Nsight Systems export of several processes, whose numbers may be equal.
#pragma once

#include "core/trace.hpp"
#include "formats/sqlite_database.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace overcast {

/// Gives each process's correlations, contexts and devices numbers that are unique in the trace.
/// The first process that is seen keeps its numbers.
class NsysIdentities {
public:
    explicit NsysIdentities(const SqliteDatabase& database);

    /// Of a globalPid or globalTid; nullopt for NULL. Bits 24 to 47 are the process, those below
    /// the thread.
    static std::optional<ProcessId> process_of(std::optional<std::int64_t> global);
    static std::optional<ThreadId> thread_of(std::optional<std::int64_t> global);

    /// The process of a row that does not name one: the only one there is, else none.
    [[nodiscard]] std::optional<ProcessId> only_process() const;

    /// Unique for (process, number): numbers of further processes are raised by multiples of 2^32.
    CorrelationId correlation(ProcessId process, std::uint64_t number);
    /// Unique for (process, number): where two processes share one, the later gets a new one.
    ContextId context(ProcessId process, std::uint32_t number);
    /// The GPU's number in the machine; each process counts those that it sees from 0.
    DeviceId device(ProcessId process, std::uint32_t number);
    /// A device that several processes name and of which the file does not say which GPU it is to
    /// each of them.
    [[nodiscard]] std::optional<DeviceId> doubtful_device() const { return doubtful_device_; }
    /// Processes seen so far.
    [[nodiscard]] std::size_t processes() const { return processes_.size(); }

private:
    std::map<ProcessId, std::uint64_t> processes_;  ///< and its place in the order of appearance
    std::map<std::pair<ProcessId, std::uint32_t>, ContextId> contexts_;
    std::set<ContextId> taken_contexts_;
    ContextId free_context_{1};  ///< all below it are taken
    std::map<std::pair<ProcessId, std::uint32_t>, DeviceId> devices_;
    std::map<DeviceId, ProcessId> untold_devices_;
    std::optional<DeviceId> doubtful_device_;
};

}  // namespace overcast
