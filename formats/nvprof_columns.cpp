#include "formats/nvprof_columns.hpp"

#include "core/error.hpp"
#include "formats/json_token.hpp"
#include "formats/nvprof_quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

constexpr std::array<std::string_view, kNvprofColumns> kTitles{
    "Start",          "Duration",     "Grid X",
    "Grid Y",         "Grid Z",       "Block X",
    "Block Y",        "Block Z",      "Registers Per Thread",
    "Static SMem",    "Dynamic SMem", "Size",
    "SrcMemType",     "DstMemType",   "Device",
    "Context",        "Stream",       "Name",
    "Correlation_ID",
};

constexpr std::array kNeededByEveryRow{NvprofColumn::start, NvprofColumn::duration,
                                       NvprofColumn::device, NvprofColumn::stream,
                                       NvprofColumn::name};
constexpr std::array kSizes{NvprofColumn::static_shared_memory, NvprofColumn::dynamic_shared_memory,
                            NvprofColumn::size};

std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 40;
    return fmt::format("\"{}\"{}", text.substr(0, kMost), text.size() > kMost ? "…" : "");
}

}  // namespace

std::string_view title_of(NvprofColumn column) { return kTitles[static_cast<std::size_t>(column)]; }

void fail_at(const CsvPlace& place, std::string_view reason) {
    throw TraceFormatError(fmt::format("{}: line {}: {}", place.file, place.line, reason));
}

void fail_at(const CsvPlace& place, NvprofColumn column, std::string_view reason) {
    throw TraceFormatError(fmt::format("{}: line {}, column \"{}\": {}", place.file, place.line,
                                       title_of(column), reason));
}

NvprofColumns::NvprofColumns(const std::vector<std::string>& titles, const CsvPlace& place)
    : count_{titles.size()} {
    for (std::size_t i = 0; i < kNvprofColumns; ++i) {
        const auto at = std::find(titles.begin(), titles.end(), kTitles[i]);
        if (at != titles.end()) {
            places_[i] = static_cast<std::size_t>(at - titles.begin());
        }
    }
    for (const auto column : kNeededByEveryRow) {
        if (!has(column)) {
            fail_at(place, fmt::format("there is no column \"{}\": record with nvprof "
                                       "--print-gpu-trace --csv",
                                       title_of(column)));
        }
    }
}

void NvprofColumns::set_units(const std::vector<std::string>& units, const CsvPlace& place) {
    if (units.size() != count_) {
        fail_at(place,
                fmt::format("expected the units of {} columns, found {}", count_, units.size()));
    }
    for (const auto column : {NvprofColumn::start, NvprofColumn::duration}) {
        const auto& unit = units[*places_[index_of(column)]];
        const auto known = nanoseconds_per(unit);
        if (!known) {
            fail_at(place, column, shown(unit) + " is no unit of time (s, ms, us or ns)");
        }
        time_units_[index_of(column)] = *known;
    }
    for (const auto column : kSizes) {
        if (!has(column)) {
            continue;
        }
        // A column without any entry has no unit.
        const auto& unit = units[*places_[index_of(column)]];
        const auto known = unit.empty() ? std::optional<std::uint64_t>{1} : bytes_per(unit);
        if (!known) {
            fail_at(place, column, shown(unit) + " is no unit of memory (B, KB, MB or GB)");
        }
        byte_units_[index_of(column)] = *known;
    }
}

const std::string& NvprofColumns::text(NvprofColumn column, const std::vector<std::string>& row,
                                       const CsvPlace& place) const {
    const auto& at = places_[index_of(column)];
    if (!at) {
        fail_at(place,
                fmt::format("this row needs a column \"{}\", and there is none", title_of(column)));
    }
    return row[*at];
}

Duration NvprofColumns::time(NvprofColumn column, const std::vector<std::string>& row,
                             const CsvPlace& place) const {
    const auto& given = text(column, row, place);
    const auto value = parse_nvprof_time(given, time_units_[index_of(column)]);
    if (!value) {
        fail_at(place, column, shown(given) + " is no time, or is out of range");
    }
    return *value;
}

Bytes NvprofColumns::bytes(NvprofColumn column, const std::vector<std::string>& row,
                           const CsvPlace& place) const {
    const auto& given = text(column, row, place);
    const auto value = parse_nvprof_bytes(given, byte_units_[index_of(column)]);
    if (!value) {
        fail_at(place, column, shown(given) + " is no amount of memory, or is out of range");
    }
    return *value;
}

std::uint32_t NvprofColumns::whole(NvprofColumn column, const std::vector<std::string>& row,
                                   const CsvPlace& place) const {
    const auto& given = text(column, row, place);
    const auto value = parse_whole<std::uint32_t>(given);
    if (!value) {
        fail_at(place, column, shown(given) + " is no whole number, or is out of range");
    }
    return *value;
}

}  // namespace overcast
