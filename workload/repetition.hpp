// Finds the repeated sequence in a string of symbols, however its copies are interleaved.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace overcast {

/// What tells which copy of the sequence an item belongs to, where its symbol does not. Items that
/// share a key belong together; 0 = no such key.
struct GroupKeys {
    std::uint32_t named_range = 0;  ///< NVTX
    std::uint32_t buffer = 0;       ///< device memory that the item reads or writes
    bool natural_start = false;     ///< a program would start a new piece of work here
};

/// `units` copies of one sequence, dealt out of the items [begin, end).
struct Repetition {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint32_t units = 0;
    std::vector<std::uint32_t> unit_of;  ///< per item of [begin, end)
    bool contiguous = true;              ///< unit after unit
    /// Somewhere several copies could have taken an item and nothing but position decided.
    bool by_position = false;
};

/// The repetition that covers most items; of those the one with most units. Near-linear in the
/// number of symbols. `accept` may refuse a stretch [begin, end).
/// Absent where fewer than two copies were found.
std::optional<Repetition> find_repetition(
    std::span<const std::uint32_t> symbols, std::span<const GroupKeys> keys,
    const std::function<bool(std::size_t begin, std::size_t end)>& accept);

}  // namespace overcast
