#include "workload/dealing.hpp"

#include <algorithm>
#include <set>

namespace overcast {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// The copies, in queues by how far they have come.
class Copies {
public:
    Copies(std::span<const std::uint32_t> sequence, std::uint32_t units)
        : sequence_{sequence},
          progress_(units, 0),
          next_(units, kNone),
          previous_(units, kNone),
          head_(sequence.size() + 1, kNone),
          tail_(sequence.size() + 1, kNone) {
        const auto symbols = 1 + *std::max_element(sequence.begin(), sequence.end());
        waiting_.resize(symbols);
        for (std::uint32_t unit = 0; unit < units; ++unit) {
            append(unit, 0);
        }
    }

    [[nodiscard]] bool expects(std::uint32_t unit, std::uint32_t symbol) const {
        const auto progress = progress_[unit];
        return progress < sequence_.size() && sequence_[progress] == symbol;
    }

    /// A copy that waits for `symbol`; kNone where there is none.
    [[nodiscard]] std::uint32_t candidate(std::uint32_t symbol, DealingOrder order) const {
        if (symbol >= waiting_.size() || waiting_[symbol].empty()) {
            return kNone;
        }
        const auto& places = waiting_[symbol];
        return head_[order == DealingOrder::furthest_first ? *places.rbegin() : *places.begin()];
    }

    /// Copies that have not begun are all alike; any other pair of candidates is a choice.
    [[nodiscard]] bool has_choice(std::uint32_t symbol) const {
        const auto& places = waiting_[symbol];
        if (places.size() > 1) {
            return true;
        }
        const auto only = *places.begin();
        return only != 0 && head_[only] != tail_[only];
    }

    void advance(std::uint32_t unit) {
        const auto progress = progress_[unit];
        remove(unit, progress);
        append(unit, progress + 1);
    }

private:
    void append(std::uint32_t unit, std::uint32_t progress) {
        progress_[unit] = progress;
        previous_[unit] = tail_[progress];
        next_[unit] = kNone;
        if (tail_[progress] != kNone) {
            next_[tail_[progress]] = unit;
        } else {
            head_[progress] = unit;
            if (progress < sequence_.size()) {
                waiting_[sequence_[progress]].insert(progress);
            }
        }
        tail_[progress] = unit;
    }

    void remove(std::uint32_t unit, std::uint32_t progress) {
        auto& before = previous_[unit] != kNone ? next_[previous_[unit]] : head_[progress];
        auto& after = next_[unit] != kNone ? previous_[next_[unit]] : tail_[progress];
        before = next_[unit];
        after = previous_[unit];
        if (head_[progress] == kNone) {
            waiting_[sequence_[progress]].erase(progress);
        }
    }

    std::span<const std::uint32_t> sequence_;
    std::vector<std::uint32_t> progress_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> previous_;
    std::vector<std::uint32_t> head_;
    std::vector<std::uint32_t> tail_;
    std::vector<std::set<std::uint32_t>>
        waiting_;  ///< per symbol: places where a copy waits for it
};

/// Remembers which copy last had an item with a key. A key that more items share than one copy has
/// says nothing.
class Owners {
public:
    Owners(std::span<const GroupKeys> keys, std::uint32_t GroupKeys::*key, std::size_t most)
        : key_{key} {
        std::vector<std::size_t> shared;
        for (const auto& item : keys) {
            shared.resize(std::max(shared.size(), std::size_t{item.*key} + 1), 0);
            ++shared[item.*key];
        }
        owners_.resize(shared.size(), kNone);
        telling_.resize(shared.size(), false);
        for (std::size_t i = 1; i < shared.size(); ++i) {
            telling_[i] = shared[i] <= most;
        }
    }

    [[nodiscard]] std::uint32_t of(const GroupKeys& item) const { return owners_[item.*key_]; }
    void set(const GroupKeys& item, std::uint32_t unit) {
        if (telling_[item.*key_]) {
            owners_[item.*key_] = unit;
        }
    }

private:
    std::uint32_t GroupKeys::*key_;
    std::vector<std::uint32_t> owners_;
    std::vector<bool> telling_;
};

}  // namespace

std::optional<Dealing> deal(std::span<const std::uint32_t> symbols, std::span<const GroupKeys> keys,
                            std::span<const std::uint32_t> sequence, std::uint32_t units,
                            DealingOrder order) {
    Copies copies{sequence, units};
    Owners of_range{keys, &GroupKeys::named_range, sequence.size()};
    Owners of_buffer{keys, &GroupKeys::buffer, sequence.size()};
    Dealing dealing;
    dealing.unit_of.reserve(symbols.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        auto unit = copies.candidate(symbols[i], order);
        if (unit == kNone) {
            return std::nullopt;
        }
        const auto by_range = of_range.of(keys[i]);
        const auto by_buffer = of_buffer.of(keys[i]);
        if (by_range != kNone && copies.expects(by_range, symbols[i])) {
            unit = by_range;
        } else if (by_buffer != kNone && copies.expects(by_buffer, symbols[i])) {
            unit = by_buffer;
        } else if (copies.has_choice(symbols[i])) {
            dealing.by_position = true;
        }
        copies.advance(unit);
        of_range.set(keys[i], unit);
        of_buffer.set(keys[i], unit);
        dealing.unit_of.push_back(unit);
    }
    return dealing;
}

}  // namespace overcast
