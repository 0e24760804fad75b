// Which marks may come up twice among those that are kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace overcast {

/// Marks are kept by some of their bits: now and then one looks like another, but one that comes up
/// twice is never missed. All take one step, however many there are.
class MarkCounts {
public:
    /// True if there may be one like it already.
    bool add(std::uint64_t mark) { return counts_[place(mark)]++ > 0; }
    /// Whether one that is kept may be there once more.
    [[nodiscard]] bool may_be_twice(std::uint64_t mark) const { return counts_[place(mark)] > 1; }
    /// It was added once more often than removed; or it is 0, which is no mark.
    void remove(std::uint64_t mark) {
        if (mark != 0) {
            --counts_[place(mark)];
        }
    }

private:
    static constexpr std::size_t kPlaces = 4096;
    static std::size_t place(std::uint64_t mark) { return mark % kPlaces; }

    std::array<std::uint16_t, kPlaces> counts_{};
};

}  // namespace overcast
