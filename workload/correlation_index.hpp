// Joins records of a trace by correlation id.
#pragma once

#include "core/ids.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overcast {

/// Finds the records of one list that carry a correlation id. Recorders count correlation ids up,
/// so a table by id is nearly full; where it would not be, a sorted list is searched.
class CorrelationIndex {
public:
    template <typename Record>
    explicit CorrelationIndex(const std::vector<Record>& records) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;
        pairs.reserve(records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (const auto id = number(records[i].correlation); id != 0) {
                pairs.emplace_back(id, static_cast<std::uint32_t>(i));
            }
        }
        build(std::move(pairs));
    }

    /// Positions in the list, ascending; empty where no record carries `correlation`.
    [[nodiscard]] std::span<const std::uint32_t> find(CorrelationId correlation) const {
        const auto id = number(correlation);
        if (id < first_ || id > last_) {
            return {};
        }
        if (!begins_.empty()) {
            const auto slot = static_cast<std::size_t>(id - first_);
            return std::span{positions_}.subspan(begins_[slot], begins_[slot + 1] - begins_[slot]);
        }
        const auto [begin, end] = std::equal_range(ids_.begin(), ids_.end(), id);
        return std::span{positions_}.subspan(static_cast<std::size_t>(begin - ids_.begin()),
                                             static_cast<std::size_t>(end - begin));
    }

private:
    void build(std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs);

    std::uint64_t first_ = 1;
    std::uint64_t last_ = 0;
    std::vector<std::uint32_t> begins_;  ///< by id - first_; empty where a table would be sparse
    std::vector<std::uint64_t> ids_;     ///< sorted; only without begins_
    std::vector<std::uint32_t> positions_;
};

}  // namespace overcast
