// What every part of the reader of Nsight Systems exports needs: the file, its strings and
// enumerations, the trace to fill, and the columns that most tables share.
#pragma once

#include "core/trace.hpp"
#include "formats/nsys_enumerations.hpp"
#include "formats/nsys_identities.hpp"
#include "formats/sqlite_database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace overcast {

class NsysSource {
public:
    NsysSource(const SqliteDatabase& file, Trace& to_fill);

    /// Of a number that refers to the table of strings; nullopt where it has no such number.
    [[nodiscard]] std::optional<std::string_view> string(std::optional<std::int64_t> id) const;

    const SqliteDatabase& database;
    Trace& trace;
    NsysEnumerations enumerations;
    NsysIdentities identities;

private:
    std::unordered_map<std::int64_t, std::string> strings_;
};

/// The columns that tables of activities share, and what they say in the current row.
class NsysColumns {
public:
    NsysColumns(NsysSource& source, SqliteTable& table);

    struct Span {
        TraceTime start;
        TraceTime end;
    };

    /// nullopt, counted in the trace's quality, where the recorder had no times for the row.
    [[nodiscard]] std::optional<Span> span();
    /// A time of its own column. Throws TraceFormatError where it is out of range.
    [[nodiscard]] std::optional<TraceTime> time(SqliteColumn column) const;

    [[nodiscard]] ProcessId process() const;
    [[nodiscard]] std::optional<ThreadId> thread() const;
    /// Unique over all processes; 0 where there is none.
    [[nodiscard]] CorrelationId correlation() const;
    [[nodiscard]] ContextId context() const;
    [[nodiscard]] DeviceId device() const;
    /// nullopt for "no stream".
    [[nodiscard]] std::optional<StreamId> stream() const;

    /// Rows with a correlation id that no process claims, so that it joins nothing.
    [[nodiscard]] std::uint64_t unclaimed() const { return unclaimed_; }

private:
    [[nodiscard]] std::optional<ProcessId> named_process() const;

    NsysSource& source_;
    SqliteTable& table_;
    SqliteColumn start_;
    SqliteColumn end_;
    SqliteColumn global_;
    SqliteColumn correlation_;
    SqliteColumn context_;
    SqliteColumn device_;
    SqliteColumn stream_;
    mutable std::uint64_t unclaimed_ = 0;
};

/// CUPTI's own "none" among the numbers of streams and events.
template <typename Id>
std::optional<Id> unless_none(std::optional<std::int64_t> number) {
    constexpr std::int64_t kNone = 0xffffffff;
    if (!number || *number < 0 || *number >= kNone) {
        return std::nullopt;
    }
    return static_cast<Id>(static_cast<std::uint32_t>(*number));
}

}  // namespace overcast
