#include "formats/nsys_sqlite_reader.hpp"

#include "formats/import_doubts.hpp"
#include "formats/nsys_activities.hpp"
#include "formats/nsys_host_records.hpp"
#include "formats/nsys_source.hpp"
#include "formats/nsys_target.hpp"
#include "formats/trace_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace overcast {
namespace {

/// Every export has the first one; those without CUDA work have neither of the others.
void require_export(const SqliteDatabase& database) {
    constexpr std::array<std::string_view, 3> kTables{
        "META_DATA_EXPORT", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME"};
    if (std::ranges::none_of(kTables, [&](auto table) { return database.has_table(table); })) {
        throw TraceFormatError(fmt::format(
            "{} is an SQLite database, but no export of Nsight Systems (it has no table {}): make "
            "one with nsys export --type sqlite",
            database.name(), kTables.front()));
    }
}

}  // namespace

Trace read_nsys_sqlite(const std::filesystem::path& file) {
    return read_nsys_sqlite(SqliteDatabase::open(file));
}

Trace read_nsys_sqlite(const SqliteDatabase& database) {
    require_export(database);
    Trace trace;
    trace.source = database.name();
    NsysSource source{database, trace};
    const auto undetermined = read_nsys_activities(source);
    read_nsys_host_records(source);
    read_nsys_target(source);
    warn_of_missing_channels(trace);
    determine_asynchronous(trace, undetermined);
    sort_by_start(trace);
    return trace;
}

bool is_nsys_report(const std::filesystem::path& file) {
    return file.extension() == ".nsys-rep" || file.extension() == ".qdrep";
}

void refuse_nsys_report(const std::filesystem::path& file) {
    auto exported = file;
    exported.replace_extension(".sqlite");
    throw TraceFormatError(
        fmt::format("{} is a report that only Nsight Systems can read; export it first: nsys "
                    "export --type sqlite -o {} {}",
                    file.string(), exported.string(), file.string()));
}

}  // namespace overcast
