#include "cli/values.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace overcast {
namespace {

// Far above the 128 grids that a GPU holds at once, and low enough for a slip not to take hours.
constexpr std::uint32_t kMostStreams = 4096;

[[noreturn]] void refuse(std::string_view option, std::string_view text,
                         std::string_view expected) {
    throw UsageError(fmt::format("{} '{}': expected {}", option, text, expected));
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
    std::uint32_t value = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? std::optional{value} : std::nullopt;
}

/// No sign, no exponent.
std::optional<double> decimal_number(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) {
        return std::nullopt;
    }
    double value = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    return error == std::errc{} && stop == end ? std::optional{value} : std::nullopt;
}

std::vector<std::string_view> at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

template <typename Value>
using Word = std::pair<std::string_view, Value>;

template <typename Value>
Value one_of(std::string_view option, std::string_view text, std::span<const Word<Value>> words) {
    const auto found = std::ranges::find(words, text, &Word<Value>::first);
    if (found == words.end()) {
        std::string expected;
        for (std::size_t i = 0; i < words.size(); ++i) {
            expected += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
            expected += words[i].first;
        }
        refuse(option, text, expected);
    }
    return found->second;
}

/// "a..b" or "n" → both ends; nullopt for anything else.
std::optional<std::pair<std::uint32_t, std::uint32_t>> number_range(std::string_view text) {
    const auto dots = text.find("..");
    const auto first = whole_number(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
    if (!first || !last) {
        return std::nullopt;
    }
    return std::pair{*first, *last};
}

}  // namespace

std::vector<std::uint32_t> parse_stream_list(std::string_view text) {
    std::vector<std::uint32_t> result;
    for (const auto part : at_commas(text)) {
        const auto range = number_range(part);
        if (!range || range->first < 1 || range->second > kMostStreams ||
            range->first > range->second) {
            refuse("--streams", text,
                   fmt::format("numbers from 1 to {}, such as 1,2,4,8 or 1..16", kMostStreams));
        }
        for (auto streams = range->first; streams <= range->second; ++streams) {
            if (std::ranges::find(result, streams) == result.end()) {
                result.push_back(streams);
            }
        }
    }
    return result;
}

Duration parse_duration(std::string_view option, std::string_view text) {
    constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
        {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    constexpr double kLongest = 86'400e9;  // a day
    for (const auto& [unit, nanoseconds] : kUnits) {
        if (!text.ends_with(unit)) {
            continue;
        }
        const auto value = decimal_number(text.substr(0, text.size() - unit.size()));
        if (value && *value * nanoseconds < kLongest) {
            return round_to_duration(*value * nanoseconds);
        }
        break;
    }
    refuse(option, text, "a time with its unit, such as 250ns, 2us or 1.5ms");
}

void parse_overhead(std::string_view text, OverheadParameters& overheads) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    std::string known;
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        const auto gap = static_cast<GapKind>(i);
        if (equals != std::string_view::npos && name == overhead_name(gap)) {
            const auto value = parse_duration("--overhead", text.substr(equals + 1));
            overheads[gap] = GapStatistics{value, value, value, 0};
            return;
        }
        known += (i == 0 ? "" : ", ") + std::string{overhead_name(gap)};
    }
    refuse("--overhead", text, "NAME=TIME with NAME one of " + known);
}

std::uint32_t parse_number(std::string_view option, std::string_view text, std::uint32_t least,
                           std::uint32_t most) {
    const auto value = whole_number(text);
    if (!value || *value < least || *value > most) {
        refuse(option, text, fmt::format("a whole number from {} to {}", least, most));
    }
    return *value;
}

double parse_percentage(std::string_view option, std::string_view text) {
    const auto value = decimal_number(text);
    if (!value) {
        refuse(option, text, "a number of percent, such as 3 or 2.5");
    }
    return *value;
}

Bandwidth parse_bandwidth(std::string_view option, std::string_view text) {
    constexpr std::array<std::pair<std::string_view, double>, 3> kUnits{
        {{"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}}};
    constexpr double kMost = 1e15;  // bytes per second
    for (const auto& [unit, bytes_per_s] : kUnits) {
        if (!text.ends_with(unit)) {
            continue;
        }
        const auto value = decimal_number(text.substr(0, text.size() - unit.size()));
        if (value && *value > 0 && *value * bytes_per_s < kMost) {
            return Bandwidth{*value * bytes_per_s};
        }
        break;
    }
    refuse(option, text, "a rate with its unit, such as 25GB/s or 900MB/s");
}

NamedFactor parse_scale(std::string_view option, std::string_view text) {
    constexpr double kMost = 1e6;
    const auto equals = text.rfind('=');
    if (equals != std::string_view::npos && equals > 0) {
        const auto factor = decimal_number(text.substr(equals + 1));
        if (factor && *factor < kMost) {
            return {std::string{text.substr(0, equals)}, *factor};
        }
    }
    refuse(option, text, "NAME=FACTOR, such as scale=0.5");
}

Transform parse_transform(std::string_view text) {
    constexpr std::array<Word<Transform>, 4> kWords{{{"distribute", Transform::distribute},
                                                     {"replicate", Transform::replicate},
                                                     {"split", Transform::split},
                                                     {"as-recorded", Transform::as_recorded}}};
    return one_of<Transform>("--transform", text, kWords);
}

SyncPolicy parse_sync_policy(std::string_view text) {
    constexpr std::array<Word<SyncPolicy>, 2> kWords{
        {{"defer", SyncPolicy::defer}, {"keep", SyncPolicy::keep}}};
    return one_of<SyncPolicy>("--sync", text, kWords);
}

std::vector<std::string> parse_words(std::string_view text) {
    const auto words = at_commas(text);
    return {words.begin(), words.end()};
}

SplitKernels parse_split_kernels(std::string_view text) {
    constexpr std::array<Word<SplitKernels>, 2> kWords{
        {{"grid", SplitKernels::grid}, {"duration", SplitKernels::duration}}};
    return one_of<SplitKernels>("--split-kernels", text, kWords);
}

std::vector<IssueOrder> parse_order_list(std::string_view text) {
    constexpr std::array<Word<IssueOrder>, 3> kWords{{{"depth", IssueOrder::depth},
                                                      {"breadth", IssueOrder::breadth},
                                                      {"recorded", IssueOrder::recorded}}};
    std::vector<IssueOrder> result;
    for (const auto part : at_commas(text)) {
        const auto order = one_of<IssueOrder>("--order", part, kWords);
        if (std::ranges::find(result, order) == result.end()) {
            result.push_back(order);
        }
    }
    return result;
}

OutputFormat parse_output_format(std::string_view text) {
    constexpr std::array<Word<OutputFormat>, 3> kWords{
        {{"table", OutputFormat::table}, {"json", OutputFormat::json}, {"csv", OutputFormat::csv}}};
    return one_of<OutputFormat>("--format", text, kWords);
}

std::string parse_range(std::string_view text) {
    if (text == "all") {
        return "";
    }
    constexpr std::string_view kNvtx = "nvtx:";
    if (text == "profiler-api" || (text.starts_with(kNvtx) && text.size() > kNvtx.size())) {
        return std::string{text};
    }
    refuse("--range", text, "all, profiler-api or nvtx:NAME");
}

}  // namespace overcast
