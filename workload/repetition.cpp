#include "workload/repetition.hpp"

#include "workload/dealing.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace overcast {
namespace {

using Symbols = std::span<const std::uint32_t>;

/// More candidates than this are not tried: each costs one pass over the symbols.
constexpr std::size_t kMostCandidates = 48;
constexpr std::size_t kMostAnchors = 8;

std::vector<std::uint32_t> count_symbols(Symbols symbols) {
    std::vector<std::uint32_t> counts;
    for (const auto symbol : symbols) {
        if (symbol >= counts.size()) {
            counts.resize(std::size_t{symbol} + 1, 0);
        }
        ++counts[symbol];
    }
    return counts;
}

/// Every number of copies that a set of symbols could have: the counts and their common divisors,
/// most copies first.
std::vector<std::uint32_t> candidate_units(const std::vector<std::uint32_t>& counts) {
    std::set<std::uint32_t> candidates;
    for (const auto count : counts) {
        if (count < 2 || candidates.contains(count)) {
            continue;
        }
        const auto before = candidates;
        candidates.insert(count);
        for (const auto other : before) {
            if (const auto common = std::gcd(other, count); common >= 2) {
                candidates.insert(common);
            }
        }
        if (candidates.size() >= kMostCandidates) {
            break;
        }
    }
    // Copies that cannot be told apart at the greatest common count may be at one of its divisors.
    const auto largest = candidates;
    for (const auto units : largest) {
        for (std::uint32_t divisor = 2; divisor <= 16 && divisor <= units / 2; ++divisor) {
            if (units % divisor == 0) {
                candidates.insert(units / divisor);
            }
        }
    }
    return {candidates.rbegin(), candidates.rend()};
}

struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// From the first to the last item whose symbol could be in each of `units` copies; absent where
/// another symbol stands between them.
std::optional<Stretch> stretch_of(Symbols symbols, const std::vector<std::uint32_t>& counts,
                                  std::uint32_t units) {
    const auto fits = [&](std::uint32_t symbol) { return counts[symbol] % units == 0; };
    const auto first = std::find_if(symbols.begin(), symbols.end(), fits);
    const auto last = std::find_if_not(first, symbols.end(), fits);
    if (first == last || std::find_if(last, symbols.end(), fits) != symbols.end()) {
        return std::nullopt;
    }
    return Stretch{static_cast<std::size_t>(first - symbols.begin()),
                   static_cast<std::size_t>(last - symbols.begin())};
}

bool is_periodic(Symbols symbols, std::size_t period) {
    return std::equal(symbols.begin(), symbols.end() - static_cast<std::ptrdiff_t>(period),
                      symbols.begin() + static_cast<std::ptrdiff_t>(period));
}

/// "AAABBBBBBCCC" with three copies → "ABBC": each run holds the same step of every copy.
std::optional<std::vector<std::uint32_t>> breadth_sequence(Symbols symbols, std::uint32_t units) {
    std::vector<std::uint32_t> sequence;
    for (std::size_t i = 0; i < symbols.size();) {
        const auto run_end =
            std::find_if(symbols.begin() + static_cast<std::ptrdiff_t>(i), symbols.end(),
                         [&](auto symbol) { return symbol != symbols[i]; });
        const auto length = static_cast<std::size_t>(run_end - symbols.begin()) - i;
        if (length % units != 0) {
            return std::nullopt;
        }
        sequence.insert(sequence.end(), length / units, symbols[i]);
        i += length;
    }
    return sequence;
}

/// Symbols in the order in which they first appear, each as often as one copy has it.
std::vector<std::uint32_t> first_seen_sequence(Symbols symbols,
                                               const std::vector<std::uint32_t>& counts,
                                               std::uint32_t units) {
    std::vector<std::uint32_t> sequence;
    std::vector<bool> seen(counts.size(), false);
    for (const auto symbol : symbols) {
        if (!seen[symbol]) {
            seen[symbol] = true;
            sequence.insert(sequence.end(), counts[symbol] / units, symbol);
        }
    }
    return sequence;
}

Repetition contiguous_repetition(Stretch stretch, std::uint32_t units) {
    Repetition result{stretch.begin, stretch.end, units, {}, true, false};
    const auto length = stretch.size() / units;
    result.unit_of.reserve(stretch.size());
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        result.unit_of.insert(result.unit_of.end(), length, unit);
    }
    return result;
}

std::optional<Repetition> interleaved_repetition(Symbols symbols, std::span<const GroupKeys> keys,
                                                 const std::vector<std::uint32_t>& counts,
                                                 Stretch stretch, std::uint32_t units) {
    std::vector<std::vector<std::uint32_t>> sequences;
    if (auto sequence = breadth_sequence(symbols, units)) {
        sequences.push_back(std::move(*sequence));
    }
    sequences.push_back(first_seen_sequence(symbols, counts, units));
    const auto first = symbols.first(symbols.size() / units);
    sequences.emplace_back(first.begin(), first.end());
    for (const auto& sequence : sequences) {
        for (const auto order : {DealingOrder::least_first, DealingOrder::furthest_first}) {
            if (auto dealing = deal(symbols, keys, sequence, units, order)) {
                return Repetition{stretch.begin, stretch.end,
                                  units,         std::move(dealing->unit_of),
                                  false,         dealing->by_position};
            }
        }
    }
    return std::nullopt;
}

/// The most frequent distance between consecutive appearances of `anchor`, the shortest of equals.
std::size_t usual_distance(Symbols symbols, std::uint32_t anchor) {
    std::unordered_map<std::size_t, std::size_t> distances;
    std::optional<std::size_t> previous;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (symbols[i] == anchor) {
            if (previous) {
                ++distances[i - *previous];
            }
            previous = i;
        }
    }
    std::pair<std::size_t, std::size_t> best{0, 0};  // how often, distance
    for (const auto& [distance, often] : distances) {
        if (often > best.first || (often == best.first && distance < best.second)) {
            best = {often, distance};
        }
    }
    return best.second;
}

/// The longest stretch in which every item equals the one `period` later, with that later one.
Stretch longest_periodic_stretch(Symbols symbols, std::size_t period) {
    Stretch best;
    std::size_t begin = 0;
    for (std::size_t i = 0; i + period <= symbols.size(); ++i) {
        if (i + period == symbols.size() || symbols[i] != symbols[i + period]) {
            if (i > begin && i + period - begin > best.size()) {
                best = {begin, i + period};
            }
            begin = i + 1;
        }
    }
    return best;
}

/// Whole periods only, from the first place where a program would start a piece of work.
Stretch whole_periods(Stretch stretch, std::size_t period, std::span<const GroupKeys> keys) {
    const auto spare = stretch.size() % period;
    for (std::size_t skip = 0; skip <= spare; ++skip) {
        if (keys[stretch.begin + skip].natural_start) {
            stretch.begin += skip;
            break;
        }
    }
    stretch.end = stretch.begin + stretch.size() / period * period;
    return stretch;
}

}  // namespace

std::optional<Repetition> find_repetition(
    Symbols symbols, std::span<const GroupKeys> keys,
    const std::function<bool(std::size_t begin, std::size_t end)>& accept) {
    const auto counts = count_symbols(symbols);
    std::optional<Repetition> best;
    const auto covered = [&] { return best ? best->end - best->begin : 0; };

    for (const auto units : candidate_units(counts)) {
        const auto stretch = stretch_of(symbols, counts, units);
        if (!stretch || stretch->size() <= covered() || !accept(stretch->begin, stretch->end)) {
            continue;
        }
        const auto part = symbols.subspan(stretch->begin, stretch->size());
        if (is_periodic(part, part.size() / units)) {
            best = contiguous_repetition(*stretch, units);
        } else if (auto found =
                       interleaved_repetition(part, keys.subspan(stretch->begin, stretch->size()),
                                              counts, *stretch, units)) {
            best = std::move(found);
        }
    }
    if (covered() == symbols.size()) {
        return best;
    }

    // Work before or after the units that looks like a part of one spoils the counts; the period
    // still shows.
    std::vector<std::uint32_t> anchors;
    for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
        if (counts[symbol] >= 2) {
            anchors.push_back(symbol);
        }
    }
    std::stable_sort(anchors.begin(), anchors.end(),
                     [&](auto left, auto right) { return counts[left] < counts[right]; });
    anchors.resize(std::min(anchors.size(), kMostAnchors));
    for (const auto anchor : anchors) {
        const auto period = usual_distance(symbols, anchor);
        const auto stretch = whole_periods(longest_periodic_stretch(symbols, period), period, keys);
        if (stretch.size() >= 2 * period && stretch.size() > covered() &&
            accept(stretch.begin, stretch.end)) {
            best =
                contiguous_repetition(stretch, static_cast<std::uint32_t>(stretch.size() / period));
        }
    }
    return best;
}

}  // namespace overcast
