// Whether a mark comes up twice among a few.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

/// A hash table with open addressing, made for being emptied often. Marks are their own hashes.
class MarkSet {
public:
    /// Forgets all; there is room for `marks`.
    void reset(std::size_t marks) { places_.assign(std::bit_ceil(2 * marks + 2), 0); }
    /// False if it is there already. `mark` is not 0.
    bool insert(std::uint64_t mark) {
        auto place = mark & (places_.size() - 1);
        while (places_[place] != 0) {
            if (places_[place] == mark) {
                return false;
            }
            place = (place + 1) & (places_.size() - 1);
        }
        places_[place] = mark;
        return true;
    }

private:
    std::vector<std::uint64_t> places_;
};

}  // namespace overcast
