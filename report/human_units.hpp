// Quantities as people read them: four significant digits and a fitting unit.
#pragma once

#include "core/units.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace overcast {

/// "873 ns", "12.35 µs", "10.40 ms", "1.234 s", "1234 s".
std::string human_duration(Duration duration, const TerminalStyle& style);

/// A column of durations in one unit with one number of decimals, so that the eye can compare them:
/// the unit of the longest, three decimals at most, and no more than the shortest needs for four
/// digits.
std::vector<std::string> human_durations(const std::vector<Duration>& durations,
                                         const TerminalStyle& style);

/// "9.871–10.31" for each pair of `from` and `to`, in the unit that `longest` takes: three
/// decimals, fewer where one range would be wider than `width`.
std::vector<std::string> human_ranges(const std::vector<std::pair<Duration, Duration>>& ranges,
                                      Duration longest, std::size_t width,
                                      const TerminalStyle& style);

/// A number on a scale that ends at `longest`: "2.5", in the unit that `longest` takes.
std::string number_in_unit_of(Duration duration, Duration longest, const TerminalStyle& style);

/// That unit: "ms".
std::string unit_of(Duration longest, const TerminalStyle& style);

/// "512 B", "12 MiB", "1.25 GiB": up to three significant digits, powers of 1024.
std::string human_bytes(Bytes bytes);

/// Decimal: "55.5 GB/s". `duration` must not be zero.
std::string human_bandwidth(Bytes bytes, Duration duration);

/// "1,234,567".
std::string human_count(std::uint64_t count);

/// "1 operation", "20 operations": regular plurals only.
std::string counted(std::uint64_t count, const std::string& noun);

}  // namespace overcast
