#include "formats/json_token.hpp"

#include "formats/json_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

constexpr std::int64_t kLongestTime = std::int64_t{1} << 62;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits of `text` into `value`; false where that is too large for any time.
bool take_digits(std::string_view& text, std::int64_t& value) {
    while (!text.empty() && is_digit(text.front())) {
        if (value > kLongestTime / 10) {
            return false;
        }
        value = value * 10 + (text.front() - '0');
        text.remove_prefix(1);
    }
    return true;
}

/// Three decimals of a microsecond, and the rounding of those that follow.
std::int64_t take_fraction(std::string_view& text) {
    std::int64_t nanoseconds = 0;
    std::int64_t weight = 100;
    for (std::size_t place = 0; !text.empty() && is_digit(text.front()); ++place) {
        const auto digit = text.front() - '0';
        nanoseconds += weight * digit;
        weight /= 10;
        if (place == 3 && digit >= 5) {
            ++nanoseconds;
        }
        text.remove_prefix(1);
    }
    return nanoseconds;
}

std::optional<Duration> parse_scientific(std::string_view text) {
    double microseconds = 0;
    const auto* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, microseconds);
    const auto nanoseconds = microseconds * 1e3;
    if (error != std::errc{} || at != end || !std::isfinite(nanoseconds) ||
        std::abs(nanoseconds) > static_cast<double>(kLongestTime)) {
        return std::nullopt;
    }
    return round_to_duration(nanoseconds);
}

}  // namespace

JsonKind json_kind(char c) {
    switch (c) {
        case '"': return JsonKind::string;
        case '{': return JsonKind::object;
        case '[': return JsonKind::array;
        case 't':
        case 'f': return JsonKind::boolean;
        case 'n': return JsonKind::null;
        default: return c == '-' || is_digit(c) ? JsonKind::number : JsonKind::other;
    }
}

std::optional<Duration> parse_microseconds(std::string_view text) {
    auto rest = text;
    const bool negative = !rest.empty() && rest.front() == '-';
    rest.remove_prefix(negative ? 1 : 0);
    if (rest.empty() || !is_digit(rest.front())) {
        return std::nullopt;
    }
    std::int64_t whole = 0;
    if (!take_digits(rest, whole) || whole > kLongestTime / 1000 - 1) {
        return std::nullopt;
    }
    std::int64_t nanoseconds = 1000 * whole;
    if (rest.size() > 1 && rest.front() == '.' && is_digit(rest[1])) {
        rest.remove_prefix(1);
        nanoseconds += take_fraction(rest);
    }
    if (!rest.empty()) {
        return rest.front() == 'e' || rest.front() == 'E' ? parse_scientific(text) : std::nullopt;
    }
    return Duration{negative ? -nanoseconds : nanoseconds};
}

std::optional<std::uint64_t> parse_address(std::string_view text) {
    if (!text.starts_with("0x")) {
        return parse_whole<std::uint64_t>(text);
    }
    std::uint64_t value = 0;
    const auto* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + 2, end, value, 16);
    if (error != std::errc{} || at != end) {
        return std::nullopt;
    }
    return value;
}

std::optional<Triple> parse_triple(std::string_view text) {
    std::array<std::uint32_t, 3> values{};
    const auto* at = text.data();
    const auto* end = text.data() + text.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (at == end || *at != (i == 0 ? '[' : ',')) {
            return std::nullopt;
        }
        at = std::find_if_not(at + 1, end, is_json_space);
        const auto [behind, error] = std::from_chars(at, end, values[i]);
        if (error != std::errc{}) {
            return std::nullopt;
        }
        at = std::find_if_not(behind, end, is_json_space);
    }
    if (at == end || *at != ']') {
        return std::nullopt;
    }
    return Triple{values[0], values[1], values[2]};
}

}  // namespace overcast
