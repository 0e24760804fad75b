// A kernel from its first turn on the SMs to its last block.
#pragma once

#include "core/units.hpp"
#include "simulator/copy_engine.hpp"
#include "simulator/flight.hpp"
#include "simulator/kernels/block_progress.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace overcast {

struct alignas(64) RunningKernel {
    FlightIndex flight = kNoFlight;
    std::uint32_t demand = 0;
    double block_time = 0;
    Duration lasting = kNoEnd;       ///< its duration, where that is known
    TimelineTime deadline = kNever;  ///< start + lasting
    std::uint64_t unplaced = 0;
    std::uint64_t resident = 0;       ///< blocks
    std::uint64_t most_resident = 0;  ///< at once
    double speed = 0;                 ///< of all its blocks, before the device slows them
    double asking = 0;                ///< time_asking() of all its blocks
    double slowed = 1;                ///< by what it shares with others of the device
    /// By so much blocks on SMs that are not fast wait longer for the device than in the mean.
    double beside_fast = 1;
    double slowing = 1;          ///< slowed, while it is worked out
    double late = 1;             ///< slowed, by data that has left the L2
    double lost_demand = 0;      ///< for such data, share of the DRAM of a block
    double by_copies = 1;        ///< slowed
    std::uint64_t ended_in = 0;  ///< the last step in which some of its blocks ended
    bool started = false;
    bool placed = false;  ///< every block has been, or is said to be

    /// So many of its blocks have found room.
    void take_room(std::uint64_t blocks) {
        unplaced -= blocks;
        resident += blocks;
        most_resident = std::max(most_resident, resident);
    }
};

/// Kernels by slot; a slot is used again when its kernel is gone.
class RunningKernels {
public:
    /// For a new kernel.
    std::uint32_t take_slot() {
        if (free_.empty()) {
            slots_.emplace_back();
            return static_cast<std::uint32_t>(slots_.size() - 1);
        }
        const auto slot = free_.back();
        free_.pop_back();
        static constexpr RunningKernel kNew{};  // copied: faster than to clear it field by field
        slots_[slot] = kNew;
        return slot;
    }
    void free_slot(std::uint32_t slot) { free_.push_back(slot); }

    [[nodiscard]] RunningKernel& operator[](std::uint32_t slot) { return slots_[slot]; }
    [[nodiscard]] const RunningKernel& operator[](std::uint32_t slot) const { return slots_[slot]; }

    /// Slots with resident or waiting blocks, the oldest first.
    std::vector<std::uint32_t> in_use;

private:
    std::vector<RunningKernel> slots_;
    std::vector<std::uint32_t> free_;
};

}  // namespace overcast
