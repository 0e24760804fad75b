#include "formats/nvprof_quantity.hpp"

#include "formats/json_token.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

/// whole + fraction / scale.
struct Decimal {
    std::int64_t whole = 0;
    std::int64_t fraction = 0;
    std::int64_t scale = 1;
};

bool is_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Decimal> parse_decimal(std::string_view text) {
    // Finer than any unit is to a nanosecond, and small enough for whole arithmetic in 64 bits.
    constexpr std::size_t kMostDecimals = 9;
    const auto point = text.find('.');
    if (!is_digits(text.substr(0, point))) {
        return std::nullopt;
    }
    const auto whole = parse_whole<std::int64_t>(text.substr(0, point));
    if (!whole) {
        return std::nullopt;
    }
    Decimal result{.whole = *whole};
    if (point != std::string_view::npos) {
        const auto decimals = text.substr(point + 1);
        if (!is_digits(decimals)) {
            return std::nullopt;
        }
        for (const char digit : decimals.substr(0, kMostDecimals)) {
            result.fraction = result.fraction * 10 + (digit - '0');
            result.scale *= 10;
        }
    }
    return result;
}

}  // namespace

std::optional<std::int64_t> nanoseconds_per(std::string_view unit) {
    if (unit == "s") return 1'000'000'000;
    if (unit == "ms") return 1'000'000;
    if (unit == "us") return 1'000;
    if (unit == "ns") return 1;
    return std::nullopt;
}

std::optional<std::uint64_t> bytes_per(std::string_view unit) {
    if (unit == "B") return 1;
    if (unit == "KB") return std::uint64_t{1} << 10U;
    if (unit == "MB") return std::uint64_t{1} << 20U;
    if (unit == "GB") return std::uint64_t{1} << 30U;
    return std::nullopt;
}

std::optional<Duration> parse_nvprof_time(std::string_view text, std::int64_t unit) {
    const auto value = parse_decimal(text);
    // Half of the range, so that a start and a duration add up to a time in it.
    if (!value || value->whole >= kLatestOffset.count() / 2 / unit) {
        return std::nullopt;
    }
    const auto part = (value->fraction * unit + value->scale / 2) / value->scale;
    return Duration{value->whole * unit + part};
}

std::optional<Bytes> parse_nvprof_bytes(std::string_view text, std::uint64_t unit) {
    constexpr std::int64_t kMost = std::int64_t{1} << 52;  // whole numbers of bytes in a double
    const auto value = parse_decimal(text);
    if (!value || value->whole >= kMost / static_cast<std::int64_t>(unit)) {
        return std::nullopt;
    }
    const auto scale = static_cast<double>(value->scale);
    const auto per_unit = static_cast<double>(unit);
    const auto bytes = static_cast<double>(value->whole) * per_unit +
                       static_cast<double>(value->fraction) * per_unit / scale;
    const auto words = std::round(bytes / 4) * 4;
    const bool can_mean_words = std::abs(words - bytes) <= per_unit / scale / 2;
    return Bytes{static_cast<std::uint64_t>(can_mean_words ? words : std::round(bytes))};
}

}  // namespace overcast
