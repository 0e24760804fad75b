// Reads tables of an SQLite file that somebody else wrote, by the names of their columns.
#pragma once

#include "core/error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace overcast {

/// True where `start`, the beginning of a file, is that of an SQLite database.
bool is_sqlite(std::string_view start);

/// An open database. Nothing is ever written, neither to the file nor beside it, and no lock is
/// taken. Functions, views and triggers that the file defines are not run.
class SqliteDatabase {
public:
    /// Throws TraceFormatError: no such file, not a plain uncompressed file, not SQLite, damaged.
    static SqliteDatabase open(const std::filesystem::path& file);
    /// A database in memory, which the caller keeps alive; `name` is for messages.
    static SqliteDatabase of_bytes(std::string_view bytes, std::string_view name);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Size of the file.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] bool has_table(std::string_view table) const;

private:
    friend class SqliteTable;
    struct Close {
        void operator()(sqlite3* database) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    SqliteDatabase(std::string name, std::uint64_t bytes) : name_{std::move(name)}, bytes_{bytes} {}
    void open_connection(const std::string& location);
    void protect();
    [[nodiscard]] Statement prepare(const std::string& sql) const;
    [[noreturn]] void fail_as_damaged(std::string_view where) const;

    std::string name_;
    std::uint64_t bytes_ = 0;
    std::unique_ptr<std::uint64_t> work_left_;  ///< where SQLite finds it, however this is moved
    std::unique_ptr<sqlite3, Close> connection_;
};

/// A column of a table, or none where the table has no such column.
class SqliteColumn {
private:
    friend class SqliteTable;
    std::string_view name_;
    int position_ = -1;
};

/// The rows of one table, in the order of the file. A table that the file lacks has no rows.
///
///     SqliteTable calls{database, "CUPTI_ACTIVITY_KIND_RUNTIME"};
///     const auto start = calls.column("start");
///     while (calls.next()) use(calls.whole(start));
class SqliteTable {
public:
    /// `table` must outlive this, as must the names of columns.
    SqliteTable(const SqliteDatabase& database, std::string_view table);

    [[nodiscard]] bool exists() const { return !known_.empty(); }
    [[nodiscard]] bool has(std::string_view column) const;
    /// To be asked for before the first row.
    SqliteColumn column(std::string_view name);

    /// False behind the last row. Throws TraceFormatError where the file is damaged.
    bool next();
    [[nodiscard]] std::uint64_t row() const { return row_; }

    /// Absent: no such column, or NULL. Throw TraceFormatError where the value is of another type.
    [[nodiscard]] std::optional<std::int64_t> whole(SqliteColumn column) const;
    /// Valid until the next row. What is no UTF-8 in it is replaced.
    [[nodiscard]] std::optional<std::string_view> text(SqliteColumn column) const;

    /// A whole number that `Number` can hold. Unsigned 64-bit numbers are stored as signed ones.
    template <typename Number>
    [[nodiscard]] std::optional<Number> number(SqliteColumn column) const {
        const auto value = whole(column);
        if constexpr (std::is_same_v<Number, std::uint64_t>) {
            return value ? std::optional{static_cast<std::uint64_t>(*value)} : std::nullopt;
        } else {
            if (value && !std::in_range<Number>(*value)) {
                fail(column, fmt::format("must be a whole number from {} to {}, not {}",
                                         std::numeric_limits<Number>::min(),
                                         std::numeric_limits<Number>::max(), *value));
            }
            return value ? std::optional{static_cast<Number>(*value)} : std::nullopt;
        }
    }
    template <typename Id>
    [[nodiscard]] std::optional<Id> id(SqliteColumn column) const {
        const auto value = number<std::underlying_type_t<Id>>(column);
        return value ? std::optional{static_cast<Id>(*value)} : std::nullopt;
    }

    /// Throws TraceFormatError: "FILE: table TABLE, row N: "COLUMN" REASON".
    [[noreturn]] void fail(SqliteColumn column, std::string_view reason) const;

private:
    void start();
    void check_size();

    const SqliteDatabase& database_;
    std::string_view table_;
    std::vector<std::string> known_;
    std::vector<std::string_view> selected_;
    SqliteDatabase::Statement statement_;
    mutable std::deque<std::string> replaced_;  ///< texts of this row that were no UTF-8
    std::uint64_t row_ = 0;
    std::uint64_t text_bytes_ = 0;
};

}  // namespace overcast
