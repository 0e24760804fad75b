#include "formats/nsys_source.hpp"

#include "formats/json_token.hpp"

namespace overcast {
namespace {

// Times count from the start of the session. So narrow that what is read can be written: offsets
// from the earliest time must stay below kLatestOffset.
constexpr Duration kEarliestTime{-(std::int64_t{1} << 50)};
constexpr Duration kLatestTime{kLatestOffset + kEarliestTime};

}  // namespace

NsysSource::NsysSource(const SqliteDatabase& file, Trace& to_fill)
    : database{file}, trace{to_fill}, enumerations{file}, identities{file} {
    SqliteTable rows{database, "StringIds"};
    const auto id = rows.column("id");
    const auto value = rows.column("value");
    while (rows.next()) {
        const auto number = rows.whole(id);
        const auto text = rows.text(value);
        if (number && text) {
            strings_.try_emplace(*number, *text);
        }
    }
}

std::optional<std::string_view> NsysSource::string(std::optional<std::int64_t> id) const {
    const auto found = id ? strings_.find(*id) : strings_.end();
    return found == strings_.end() ? std::nullopt : std::optional<std::string_view>{found->second};
}

NsysColumns::NsysColumns(NsysSource& source, SqliteTable& table)
    : source_{source},
      table_{table},
      start_{table.column("start")},
      end_{table.column("end")},
      global_{table.column(table.has("globalTid") ? "globalTid" : "globalPid")},
      correlation_{table.column("correlationId")},
      context_{table.column("contextId")},
      device_{table.column("deviceId")},
      stream_{table.column("streamId")} {}

std::optional<TraceTime> NsysColumns::time(SqliteColumn column) const {
    const auto value = table_.whole(column);
    if (!value) {
        return std::nullopt;
    }
    const Duration time{*value};
    if (time < kEarliestTime || time > kLatestTime) {
        table_.fail(column, "is no possible time in nanoseconds");
    }
    return TraceTime{time};
}

std::optional<NsysColumns::Span> NsysColumns::span() {
    const auto start = time(start_);
    const auto end = time(end_);
    const bool empty = start == TraceTime{} && end == TraceTime{};
    if (!start || !end || *end < *start || empty) {
        ++source_.trace.quality.zero_timestamps;
        return std::nullopt;
    }
    return Span{*start, *end};
}

std::optional<ProcessId> NsysColumns::named_process() const {
    const auto named = NsysIdentities::process_of(table_.whole(global_));
    return named ? named : source_.identities.only_process();
}

ProcessId NsysColumns::process() const { return named_process().value_or(ProcessId{}); }

std::optional<ThreadId> NsysColumns::thread() const {
    return NsysIdentities::thread_of(table_.whole(global_));
}

CorrelationId NsysColumns::correlation() const {
    const auto number = overcast::number(
        unless_none<CorrelationId>(table_.whole(correlation_)).value_or(CorrelationId{}));
    const auto process = named_process();
    if (!process) {
        unclaimed_ += number != 0 ? 1U : 0U;
        return CorrelationId{};
    }
    return source_.identities.correlation(*process, number);
}

ContextId NsysColumns::context() const {
    // NULL, as CUPTI's own "none", counts as 0.
    const auto number = unless_none<ContextId>(table_.whole(context_)).value_or(ContextId{});
    return source_.identities.context(process(), overcast::number(number));
}

DeviceId NsysColumns::device() const {
    return source_.identities.device(process(), table_.number<std::uint32_t>(device_).value_or(0));
}

std::optional<StreamId> NsysColumns::stream() const {
    return unless_none<StreamId>(table_.whole(stream_));
}

}  // namespace overcast
