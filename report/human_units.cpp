#include "report/human_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

/// How many decimals give `value` that many significant digits.
int decimals_for(double value, int digits) {
    int decimals = digits - 1;
    for (double limit = 10; decimals > 0 && std::abs(value) >= limit; limit *= 10) {
        --decimals;
    }
    return decimals;
}

/// The value with `digits` significant digits, zeros kept: 10.4 → "10.40". Digits before the point
/// are never dropped.
std::string significant(double value, int digits) {
    return fmt::format("{:.{}f}", value, decimals_for(value, digits));
}

struct TimeUnit {
    double nanoseconds = 1;
    const char* name = "ns";
};

TimeUnit unit_for(Duration duration, const TerminalStyle& style) {
    const auto size = std::abs(static_cast<double>(duration.count()));
    // The limits lie where four digits round up to the next unit: 999.96 µs is 1.000 ms.
    if (size < 1e3) {
        return {};
    }
    if (size < 999.95e3) {
        return {1e3, style.unicode ? "µs" : "us"};
    }
    return size < 999.95e6 ? TimeUnit{1e6, "ms"} : TimeUnit{1e9, "s"};
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos) {
        return text;
    }
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

}  // namespace

std::string human_duration(Duration duration, const TerminalStyle& style) {
    return human_durations({duration}, style).front();
}

std::vector<std::string> human_durations(const std::vector<Duration>& durations,
                                         const TerminalStyle& style) {
    if (durations.empty()) {
        return {};
    }
    const auto [shortest, longest] = std::ranges::minmax(durations);
    const auto unit = unit_for(longest, style);
    const auto in_unit = [&](Duration duration) {
        return static_cast<double>(duration.count()) / unit.nanoseconds;
    };
    const bool whole = unit.nanoseconds <= 1 || in_unit(longest) >= 1000;
    const int decimals = whole ? 0 : decimals_for(in_unit(shortest), 4);
    std::vector<std::string> result;
    for (const auto duration : durations) {
        result.push_back(fmt::format("{:.{}f} {}", in_unit(duration), decimals, unit.name));
    }
    return result;
}

std::vector<std::string> human_ranges(const std::vector<std::pair<Duration, Duration>>& ranges,
                                      Duration longest, std::size_t width,
                                      const TerminalStyle& style) {
    const auto unit = unit_for(longest, style);
    std::vector<std::string> result;
    for (int decimals = unit.nanoseconds <= 1 ? 0 : 3; decimals >= 0; --decimals) {
        result.clear();
        bool fits = true;
        for (const auto& [from, to] : ranges) {
            const auto text = [&](Duration end) {
                return fmt::format("{:.{}f}", static_cast<double>(end.count()) / unit.nanoseconds,
                                   decimals);
            };
            const auto low = text(from);
            const auto high = text(to);
            fits = fits && low.size() + 1 + high.size() <= width;
            result.push_back(low + (style.unicode ? "–" : "-") + high);
        }
        if (fits) {
            break;
        }
    }
    return result;
}

std::string number_in_unit_of(Duration duration, Duration longest, const TerminalStyle& style) {
    const auto unit = unit_for(longest, style);
    return without_trailing_zeros(
        fmt::format("{:.9f}", static_cast<double>(duration.count()) / unit.nanoseconds));
}

std::string unit_of(Duration longest, const TerminalStyle& style) {
    return unit_for(longest, style).name;
}

std::string human_bytes(Bytes bytes) {
    constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto value = static_cast<double>(bytes.count());
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return without_trailing_zeros(significant(value, 3)) + " " + kUnits[unit];
}

std::string human_bandwidth(Bytes bytes, Duration duration) {
    const double per_second =
        static_cast<double>(bytes.count()) / (static_cast<double>(duration.count()) / 1e9);
    if (per_second >= 1e9) {
        return significant(per_second / 1e9, 3) + " GB/s";
    }
    if (per_second >= 1e6) {
        return significant(per_second / 1e6, 3) + " MB/s";
    }
    return significant(per_second / 1e3, 3) + " kB/s";
}

std::string human_count(std::uint64_t count) {
    const auto digits = std::to_string(count);
    std::string result;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            result += ',';
        }
        result += digits[i];
    }
    return result;
}

std::string counted(std::uint64_t count, const std::string& noun) {
    return human_count(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace overcast
