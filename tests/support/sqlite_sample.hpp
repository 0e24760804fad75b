// Databases for tests, from SQL: a text that people can read, and that git can compare.
#pragma once

#include "formats/format_table.hpp"
#include "tests/support/temporary_file.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace overcast::testing {

/// Writes a database with what `sql` says, in place of an earlier file of that name.
inline void write_database(const std::filesystem::path& file, const std::string& sql) {
    std::filesystem::remove(file);
    sqlite3* opened = nullptr;
    const auto result = sqlite3_open(file.c_str(), &opened);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database{opened, sqlite3_close};
    // Nobody needs these files after a power failure.
    const auto commands = "PRAGMA synchronous = OFF;" + sql;
    if (result != SQLITE_OK ||
        sqlite3_exec(opened, commands.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw std::runtime_error(file.string() + ": " + sqlite3_errmsg(opened));
    }
}

/// The text of tests/data/nsys/NAME.sql.
inline std::string nsys_sample_sql(std::string_view name) {
    const auto file = std::filesystem::path{OVERCAST_SOURCE_DIR} / "tests/data/nsys" /
                      (std::string{name} + ".sql");
    std::ifstream stream{file};
    if (!stream) {
        throw std::runtime_error("no sample " + file.string());
    }
    return {std::istreambuf_iterator<char>{stream}, {}};
}

/// What is read from a database with what `sql` says.
inline Trace read_sql(const std::string& sql) {
    const TemporaryFile file{"read_sql.sqlite"};
    write_database(file.path(), sql);
    return read_trace(file.path());
}

}  // namespace overcast::testing
