#include "formats/sqlite_database.hpp"

#include "formats/utf8.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace overcast {
namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr int kLongestValue = 64 << 20;  // bytes

// A row of a table takes at least this: its place in the page, its length, its key, its header.
constexpr std::uint64_t kSmallestRow = 4;
// Text is given as UTF-8 and may be stored as UTF-16: it grows by half at most.
constexpr std::uint64_t kLargestGrowth = 2;

// In instructions of SQLite's machine: a row takes some dozens, and no less than some bytes.
constexpr int kWorkStep = 1000;
constexpr std::uint64_t kLeastWork = 10'000'000;
constexpr std::uint64_t kWorkPerByte = 50;

int has_too_much_work(void* left) {
    auto& steps = *static_cast<std::uint64_t*>(left);
    return steps == 0 ? 1 : (--steps, 0);
}

/// A file may define views and columns that call functions: only plain reading is let through.
int let_through(void* /*context*/, int action, const char* /*a*/, const char* /*b*/,
                const char* /*c*/, const char* /*d*/) {
    const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_PRAGMA;
    return reads ? SQLITE_OK : SQLITE_DENY;
}

std::string start_of(const std::filesystem::path& file) {
    struct CloseFile {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };
    const std::unique_ptr<std::FILE, CloseFile> stream{std::fopen(file.c_str(), "rb")};
    if (!stream) {
        throw TraceFormatError(
            fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
    }
    std::array<char, kMagic.size()> start{};
    return {start.data(), std::fread(start.data(), 1, start.size(), stream.get())};
}

void require_plain_file(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored) &&
        std::filesystem::exists(file, ignored)) {
        throw TraceFormatError(
            fmt::format("{} is no plain file: a database is read in any order, so give the name "
                        "of the exported .sqlite file itself",
                        file.string()));
    }
    const auto start = start_of(file);
    if (start.starts_with(kGzipMagic)) {
        throw TraceFormatError(fmt::format(
            "{} is a compressed database, which cannot be read in any order: decompress it with "
            "gunzip first",
            file.string()));
    }
    if (!is_sqlite(start)) {
        throw TraceFormatError(fmt::format("{} is no SQLite database", file.string()));
    }
}

/// The file as a URI: SQLite then takes options, and only these four characters mean anything.
std::string uri_of(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '?' || c == '#' || c == '%') {
            uri += fmt::format("%{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
            uri += c;
        }
    }
    return uri + "?mode=ro&immutable=1";
}

}  // namespace

bool is_sqlite(std::string_view start) { return start.starts_with(kMagic); }

void SqliteDatabase::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
void SqliteDatabase::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

SqliteDatabase SqliteDatabase::open(const std::filesystem::path& file) {
    require_plain_file(file);
    SqliteDatabase database{file.string(), std::filesystem::file_size(file)};
    database.open_connection(uri_of(file));
    database.protect();
    return database;
}

SqliteDatabase SqliteDatabase::of_bytes(std::string_view bytes, std::string_view name) {
    SqliteDatabase database{std::string{name}, bytes.size()};
    database.open_connection(":memory:");
    // Read-only: SQLite takes the bytes as they are and neither changes nor frees them.
    auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    if (sqlite3_deserialize(database.connection_.get(), "main", data, size, size,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        database.fail_as_damaged("");
    }
    database.protect();
    return database;
}

void SqliteDatabase::open_connection(const std::string& location) {
    sqlite3* connection = nullptr;
    const auto result = sqlite3_open_v2(location.c_str(), &connection,
                                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    connection_.reset(connection);
    if (result != SQLITE_OK) {
        throw TraceFormatError(
            fmt::format("cannot open {}: {}", name_,
                        connection != nullptr ? sqlite3_errmsg(connection) : "no memory"));
    }
}

void SqliteDatabase::protect() {
    auto* const connection = connection_.get();
    // What takes far more work than its size explains has pages that refer to each other in a
    // circle.
    work_left_ = std::make_unique<std::uint64_t>((kLeastWork + bytes_ * kWorkPerByte) / kWorkStep);
    sqlite3_progress_handler(connection, kWorkStep, has_too_much_work, work_left_.get());
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_set_authorizer(connection, let_through, nullptr);
}

SqliteDatabase::Statement SqliteDatabase::prepare(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    const auto result = sqlite3_prepare_v2(connection_.get(), sql.c_str(),
                                           static_cast<int>(sql.size()), &statement, nullptr);
    Statement owned{statement};
    if (result != SQLITE_OK) {
        fail_as_damaged("");
    }
    return owned;
}

void SqliteDatabase::fail_as_damaged(std::string_view where) const {
    throw TraceFormatError(fmt::format(
        "{}: {}the database cannot be read ({}): was the export interrupted, or the file damaged?",
        name_, where, sqlite3_errmsg(connection_.get())));
}

bool SqliteDatabase::has_table(std::string_view table) const {
    // A table without pages of its own is a virtual one: a program, not data.
    const auto statement =
        prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?");
    sqlite3_bind_text(statement.get(), 1, table.data(), static_cast<int>(table.size()),
                      SQLITE_STATIC);
    const auto result = sqlite3_step(statement.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        fail_as_damaged("");
    }
    return result == SQLITE_ROW;
}

SqliteTable::SqliteTable(const SqliteDatabase& database, std::string_view table)
    : database_{database}, table_{table} {
    if (!database.has_table(table)) {
        return;
    }
    // Leaves out the columns that are computed from others: nobody's recording has such.
    const auto columns = database.prepare(fmt::format("PRAGMA table_info(\"{}\")", table));
    constexpr int kName = 1;
    while (sqlite3_step(columns.get()) == SQLITE_ROW) {
        const auto* const name = sqlite3_column_text(columns.get(), kName);
        known_.emplace_back(name == nullptr ? "" : reinterpret_cast<const char*>(name));
    }
}

bool SqliteTable::has(std::string_view column) const {
    return std::find(known_.begin(), known_.end(), column) != known_.end();
}

SqliteColumn SqliteTable::column(std::string_view name) {
    SqliteColumn column;
    column.name_ = name;
    if (has(name)) {
        column.position_ = static_cast<int>(selected_.size());
        selected_.push_back(name);
    }
    return column;
}

void SqliteTable::start() {
    std::string columns;
    for (const auto name : selected_) {
        columns += fmt::format("{}\"{}\"", columns.empty() ? "" : ", ", name);
    }
    // NOT INDEXED: a damaged index may hide rows.
    statement_ = database_.prepare(
        fmt::format("SELECT {} FROM \"{}\" NOT INDEXED", columns.empty() ? "1" : columns, table_));
}

bool SqliteTable::next() {
    if (!exists()) {
        return false;
    }
    if (!statement_) {
        start();
    }
    replaced_.clear();
    const auto result = sqlite3_step(statement_.get());
    if (result == SQLITE_DONE) {
        return false;
    }
    if (result != SQLITE_ROW) {
        database_.fail_as_damaged(fmt::format("table {}, behind row {}: ", table_, row_));
    }
    ++row_;
    check_size();
    return true;
}

/// Pages that refer to each other in a circle, or many times to the same page, would give rows
/// without end.
void SqliteTable::check_size() {
    for (int i = 0; i < static_cast<int>(selected_.size()); ++i) {
        if (sqlite3_column_type(statement_.get(), i) == SQLITE_TEXT) {
            text_bytes_ += static_cast<std::uint64_t>(sqlite3_column_bytes(statement_.get(), i));
        }
    }
    if (row_ > database_.bytes() / kSmallestRow ||
        text_bytes_ > database_.bytes() * kLargestGrowth) {
        throw TraceFormatError(
            fmt::format("{}: table {}: holds more than fits into the file: it is damaged",
                        database_.name(), table_));
    }
}

std::optional<std::int64_t> SqliteTable::whole(SqliteColumn column) const {
    if (column.position_ < 0) {
        return std::nullopt;
    }
    switch (sqlite3_column_type(statement_.get(), column.position_)) {
        case SQLITE_NULL: return std::nullopt;
        case SQLITE_INTEGER: return sqlite3_column_int64(statement_.get(), column.position_);
        default: fail(column, "must be a whole number");
    }
}

std::optional<std::string_view> SqliteTable::text(SqliteColumn column) const {
    if (column.position_ < 0) {
        return std::nullopt;
    }
    switch (sqlite3_column_type(statement_.get(), column.position_)) {
        case SQLITE_NULL: return std::nullopt;
        case SQLITE_TEXT: {
            const auto* const bytes = sqlite3_column_text(statement_.get(), column.position_);
            const auto size = sqlite3_column_bytes(statement_.get(), column.position_);
            const std::string_view text{
                bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes),
                static_cast<std::size_t>(size)};
            return is_utf8(text) ? text : replaced_.emplace_back(as_utf8(text));
        }
        default: fail(column, "must be text");
    }
}

void SqliteTable::fail(SqliteColumn column, std::string_view reason) const {
    throw TraceFormatError(fmt::format("{}: table {}, row {}: \"{}\" {}", database_.name(), table_,
                                       row_, column.name_, reason));
}

}  // namespace overcast
