// One JSON scalar as text, and exact conversions from it.
#pragma once

#include "core/units.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace overcast {

/// The times that a trace may hold, from its base: so narrow that the difference of any two fits 64
/// bits, base included.
constexpr Duration kEarliestOffset{-(std::int64_t{1} << 60)};
constexpr Duration kLatestOffset{std::int64_t{1} << 61};

enum class JsonKind : std::uint8_t { string, number, boolean, null, array, object, other };

/// A string without its quotes and escapes, or the text of any other value as it stands.
struct JsonToken {
    std::string_view text;
    JsonKind kind = JsonKind::other;
};

/// The kind that a value starting with `c` has.
JsonKind json_kind(char c);

/// A whole number within the limits of `Number`, given as a number or as a string of one.
template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
    Number value{};
    const auto* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || at != end) {
        return std::nullopt;
    }
    return value;
}

/// Decimal microseconds as whole nanoseconds, exact to the digit, further digits rounded. nullopt
/// where the text is no finite number or the time is beyond 146 years.
std::optional<Duration> parse_microseconds(std::string_view text);

/// "0x1f" or a decimal number.
std::optional<std::uint64_t> parse_address(std::string_view text);

/// "[1, 2, 3]" as three whole numbers; nullopt for anything else.
struct Triple {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
};
std::optional<Triple> parse_triple(std::string_view text);

}  // namespace overcast
