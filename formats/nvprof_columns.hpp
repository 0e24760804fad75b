// The columns of an nvprof GPU trace: where they are, and in which units.
#pragma once

#include "core/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

enum class NvprofColumn : std::uint8_t {
    start,
    duration,
    grid_x,
    grid_y,
    grid_z,
    block_x,
    block_y,
    block_z,
    registers_per_thread,
    static_shared_memory,
    dynamic_shared_memory,
    size,
    source_memory,
    destination_memory,
    device,
    context,
    stream,
    name,
    correlation,
};
constexpr std::size_t kNvprofColumns = 19;

/// "Start", as the file writes it.
std::string_view title_of(NvprofColumn column);

/// What stands before its reader: a place in a file, for messages.
struct CsvPlace {
    std::string_view file;
    std::uint64_t line = 0;
};

/// Throws TraceFormatError: "FILE: line N: REASON" or, with a column,
/// "FILE: line N, column "Start": REASON".
[[noreturn]] void fail_at(const CsvPlace& place, std::string_view reason);
[[noreturn]] void fail_at(const CsvPlace& place, NvprofColumn column, std::string_view reason);

class NvprofColumns {
public:
    /// Throws TraceFormatError where a column is missing that every row needs.
    NvprofColumns(const std::vector<std::string>& titles, const CsvPlace& place);

    /// Takes the row of units. Throws TraceFormatError where one is not known.
    void set_units(const std::vector<std::string>& units, const CsvPlace& place);

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] bool has(NvprofColumn column) const {
        return places_[index_of(column)].has_value();
    }
    /// Nanoseconds per unit of Start.
    [[nodiscard]] std::int64_t start_unit() const { return time_units_[0]; }

    // Fields of one row. All throw TraceFormatError where the column is missing or its text is not
    // what it should be.
    [[nodiscard]] const std::string& text(NvprofColumn column, const std::vector<std::string>& row,
                                          const CsvPlace& place) const;
    [[nodiscard]] Duration time(NvprofColumn column, const std::vector<std::string>& row,
                                const CsvPlace& place) const;
    [[nodiscard]] Bytes bytes(NvprofColumn column, const std::vector<std::string>& row,
                              const CsvPlace& place) const;
    [[nodiscard]] std::uint32_t whole(NvprofColumn column, const std::vector<std::string>& row,
                                      const CsvPlace& place) const;

private:
    static std::size_t index_of(NvprofColumn column) { return static_cast<std::size_t>(column); }

    std::array<std::optional<std::size_t>, kNvprofColumns> places_;
    std::size_t count_ = 0;
    std::array<std::int64_t, 2> time_units_{1, 1};  ///< start, duration
    std::array<std::uint64_t, kNvprofColumns> byte_units_{};
};

}  // namespace overcast
