// Numbers with units as nvprof writes them: "16.672000" of a column in "us".
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast {

/// Nanoseconds in one "s", "ms", "us" or "ns"; nullopt for any other word.
std::optional<std::int64_t> nanoseconds_per(std::string_view unit);

/// Bytes in one "B", "KB", "MB" or "GB"; nullopt for any other word. nvprof counts in powers of
/// 1024: 23,000 floats = 92,000 B are its 89.843750 KB.
std::optional<std::uint64_t> bytes_per(std::string_view unit);

/// A decimal number of `unit` nanoseconds, rounded to whole ones. nullopt where `text` is no plain
/// decimal number or the time is out of the range of a trace.
std::optional<Duration> parse_nvprof_time(std::string_view text, std::int64_t unit);

/// A decimal number of `unit` bytes. Where the digits leave room, the multiple of 4 that they can
/// mean, else the nearest whole number: 38.146973 MB are 40,000,000 B.
std::optional<Bytes> parse_nvprof_bytes(std::string_view text, std::uint64_t unit);

}  // namespace overcast
