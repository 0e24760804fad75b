// The SMs of the device and the blocks that are resident on them (rules 36, 37, 18).
//
// SMs in the same state are one group, so that the cost follows the number of different states and
// not the number of SMs or blocks: 528 equal blocks on 132 empty SMs are one step.
#pragma once

#include "model/kernel_model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

/// Ends closer than this fall together.
inline constexpr double kSameTimeNs = 0.5;

/// Blocks of one kernel on each SM of a group that run at one speed and end together. Those of a
/// kernel that asks for more than its SM has are several such sets, one as old as the other.
struct ResidentBlocks {
    std::uint32_t kernel = 0;  ///< who placed them: a slot of the executor
    const KernelDemand* demand = nullptr;
    std::uint32_t per_sm = 0;
    double left = 0;        ///< of their time with an SM to themselves, ns
    double speed = 1;       ///< how fast that passes
    std::uint64_t age = 0;  ///< later ones are higher
    bool ending = false;
};

struct SmGroup {
    std::uint32_t sms = 0;
    /// Of its SMs, the first in the order in which the chip takes SMs with equal room.
    std::uint32_t first = 0;
    SmResources free;
    std::uint32_t carve_out = 0;            ///< of the kernel that found the SM empty; 0: not known
    std::vector<ResidentBlocks> residents;  ///< the oldest first
};

class SmArray {
public:
    /// `keeps_carve_out`: what an SM sets aside as shared memory changes only while it is empty,
    /// and a kernel that needs more waits for that. `staggers`: an SM that has not enough for all
    /// of a kernel's blocks serves the oldest first, so that they end one after the other.
    SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out,
            bool staggers);

    /// Places up to `blocks` blocks, each on the SM with the most free threads at that moment.
    /// Returns how many found room.
    std::uint64_t place(const KernelDemand& demand, std::uint64_t blocks, std::uint32_t kernel,
                        double block_time);

    /// Residents marked as `ending` leave, all in one instant.
    void release_ending();

    /// Residents marked as `ending` are about to leave, SM by SM (place_as_they_end), until
    /// finish_endings().
    void begin_endings();
    /// Places up to `blocks` blocks, each in the moment in which an ending block makes room, and on
    /// its SM (pile-up, 37). Returns how many found room.
    std::uint64_t place_as_they_end(const KernelDemand& demand, std::uint64_t blocks,
                                    std::uint32_t kernel, double block_time);
    /// What has not left yet leaves.
    void finish_endings();

    [[nodiscard]] bool empty() const;
    /// The age of blocks that take their places now.
    [[nodiscard]] std::uint64_t next_age() { return ++age_; }
    [[nodiscard]] std::vector<SmGroup>& groups() { return groups_; }
    [[nodiscard]] const std::vector<SmGroup>& groups() const { return groups_; }

private:
    [[nodiscard]] std::uint32_t room(const SmGroup& group, const KernelDemand& demand) const;
    void add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm, std::uint32_t kernel,
             double block_time, std::uint64_t age) const;
    void merge_equal_groups();
    /// How far apart the ends of two groups are; negative if they hold other blocks.
    [[nodiscard]] double apart_by(std::size_t one, std::size_t other) const;
    void merge_into(std::size_t kept, std::size_t gone);

    std::vector<SmGroup> groups_;
    std::vector<std::uint64_t> marks_;         ///< of merge_equal_groups: of each group
    std::vector<std::uint64_t> sorted_marks_;  ///< of merge_equal_groups
    std::vector<SmGroup> endings_;             ///< with residents that are about to leave
    std::uint64_t age_ = 0;
    SmResources limits_;
    bool keeps_carve_out_;
    bool staggers_;
};

}  // namespace overcast
