// A Timeline in rows of columns: what each stream, engine and host thread did in each stretch of
// time.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

enum class CellKind : std::uint8_t {
    h2d_copy,
    d2h_copy,
    other_copy,
    memset,
    kernel,
    busy,
    waiting
};
constexpr std::size_t kCellKinds = 7;

/// How long a row did what within one column.
struct TimelineCell {
    std::array<Duration, kCellKinds> spent{};

    [[nodiscard]] Duration of(CellKind kind) const { return spent[static_cast<std::size_t>(kind)]; }
    /// All but waiting.
    [[nodiscard]] Duration work() const;
    /// The work that took longest; absent where there was none.
    [[nodiscard]] std::optional<CellKind> most_work() const;
};

enum class RowKind : std::uint8_t { stream, engine, host };

struct TimelineRow {
    std::string label;
    RowKind kind{};
    std::vector<TimelineCell> cells;
};

struct TimelineRows {
    Duration end{};  ///< the columns divide what lies before it evenly; 1 ns each at least
    std::vector<TimelineRow> rows;
    std::size_t streams_left_out = 0;  ///< behind the first `most_streams`

    /// Where `column` of `columns` begins.
    [[nodiscard]] Duration column_begin(std::size_t column, std::size_t columns) const;
    /// The column that holds `time`, which is not before the start; the last for what lies behind.
    [[nodiscard]] std::size_t column_of(Duration time, std::size_t columns) const;
};

/// A row per stream (its operations, and what they waited for, as far as the stream was idle), per
/// engine (busy or not, however many operations share it) and per host thread (its own time and the
/// cost of its calls are work, the rest of a call is waiting). `timeline` must be of `workload`;
/// `columns` at least 1.
TimelineRows timeline_rows(const Workload& workload, const Timeline& timeline, std::size_t columns,
                           std::size_t most_streams);

}  // namespace overcast
