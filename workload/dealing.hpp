// Deals an interleaved string of symbols out to copies of a known sequence.
#pragma once

#include "workload/repetition.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace overcast {

/// Which copy goes on where several could: the one that has come furthest, or the one that has come
/// least far.
enum class DealingOrder : std::uint8_t { furthest_first, least_first };

struct Dealing {
    std::vector<std::uint32_t> unit_of;
    bool by_position = false;
};

/// Gives each item to one of `units` copies of `sequence`, so that each copy gets its items in
/// order. Items go by named range, else by buffer, else by `order`; among copies equally far, to
/// the one that has waited longest. Absent where that does not work out.
std::optional<Dealing> deal(std::span<const std::uint32_t> symbols, std::span<const GroupKeys> keys,
                            std::span<const std::uint32_t> sequence, std::uint32_t units,
                            DealingOrder order);

}  // namespace overcast
