#include "workload/correlation_index.hpp"

namespace overcast {

void CorrelationIndex::build(std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs) {
    if (pairs.empty()) {
        return;
    }
    if (!std::is_sorted(pairs.begin(), pairs.end())) {
        std::sort(pairs.begin(), pairs.end());
    }
    first_ = pairs.front().first;
    last_ = pairs.back().first;
    positions_.reserve(pairs.size());
    for (const auto& [id, position] : pairs) {
        positions_.push_back(position);
    }
    const auto span = last_ - first_;
    if (span / 8 > pairs.size() + 1024) {
        ids_.reserve(pairs.size());
        for (const auto& [id, position] : pairs) {
            ids_.push_back(id);
        }
        return;
    }
    begins_.assign(static_cast<std::size_t>(span) + 2, 0);
    for (const auto& [id, position] : pairs) {
        ++begins_[static_cast<std::size_t>(id - first_) + 1];
    }
    for (std::size_t slot = 1; slot < begins_.size(); ++slot) {
        begins_[slot] += begins_[slot - 1];
    }
}

}  // namespace overcast
