// Reads the SQLite exports of Nsight Systems (`nsys export --type sqlite`), of any version.
//
// Tables and columns are found by name; what an export lacks stays absent, and a warning says so.
// Not in any export: hardware channels, times of queueing and submitting, addresses, the memory
// that a kernel's carve-out leaves (older versions). docs/trace-format.md says what is read.
#pragma once

#include "core/trace.hpp"
#include "formats/sqlite_database.hpp"

#include <filesystem>

namespace overcast {

/// Throws TraceFormatError: no plain SQLite file, none that nsys wrote, or damaged.
Trace read_nsys_sqlite(const std::filesystem::path& file);
Trace read_nsys_sqlite(const SqliteDatabase& database);

/// True for the reports that nsys itself writes (.nsys-rep, .qdrep), told by the name: what is in
/// them is for nsys alone.
bool is_nsys_report(const std::filesystem::path& file);
/// Throws TraceFormatError with the command that turns such a report into an export.
[[noreturn]] void refuse_nsys_report(const std::filesystem::path& file);

}  // namespace overcast
