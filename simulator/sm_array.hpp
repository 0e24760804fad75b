// The SMs of the device and the blocks that are resident on them (rules 36, 37, 18).
//
// SMs in the same state are one group, so that the cost follows the number of different states and
// not the number of SMs or blocks: 528 equal blocks on 132 empty SMs are one step.
#pragma once

#include "model/kernel_model.hpp"
#include "simulator/block_progress.hpp"
#include "simulator/mark_set.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace overcast {

/// Blocks of one kernel on each SM of a group that run at one speed and end together. Those of a
/// kernel that asks for more than its SM has are several such sets, one as old as the other.
struct ResidentBlocks {
    std::uint32_t kernel = 0;  ///< who placed them: a slot of the executor
    const KernelDemand* demand = nullptr;
    std::uint32_t per_sm = 0;
    std::uint64_t age = 0;  ///< later ones are higher
    BlockProgress progress;
    double speed_on_sm = 1;  ///< before the device slows them
    bool ending = false;
};

struct SmGroup {
    std::uint32_t sms = 0;
    /// Of its SMs, the first in the order in which the chip takes SMs with equal room.
    std::uint32_t first = 0;
    SmResources free;
    std::uint32_t carve_out = 0;            ///< of the kernel that found the SM empty; 0: not known
    std::vector<ResidentBlocks> residents;  ///< the oldest first
    bool ending = false;                    ///< some of them are about to leave
    bool changed = true;                    ///< what it holds, since their speeds were worked out
    bool held_up = false;                   ///< some of its blocks do not run at full speed
    std::uint64_t mark = 0;  ///< the same for groups that hold the same blocks; 0: not known
    /// When its blocks end, by the clock of the SMs, and before when none does.
    Duration next = kNoEnd;
    Duration soonest = kNoEnd;

    void has_changed() {
        changed = true;
        mark = 0;
    }
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

    /// The time for which SMs have worked: all that blocks do is counted in it.
    [[nodiscard]] Duration now() const { return now_; }
    void pass(Duration time) { now_ += time; }

    /// These are about to leave.
    static void mark_ending(SmGroup& group, ResidentBlocks& blocks) {
        blocks.ending = true;
        group.ending = true;
    }

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
    /// A group that has room, by what decides who takes blocks: the most free threads, then the
    /// first of its SMs.
    struct Candidate {
        std::uint32_t free_threads = 0;
        std::uint32_t first = 0;
        std::uint32_t group = 0;

        static bool worse(const Candidate& left, const Candidate& right) {
            return left.free_threads != right.free_threads
                       ? left.free_threads < right.free_threads
                       : std::pair{left.first, left.group} > std::pair{right.first, right.group};
        }
    };

    [[nodiscard]] bool has_room(const SmGroup& group, const KernelDemand& demand) const;
    [[nodiscard]] std::uint32_t room(const SmGroup& group, const KernelDemand& demand) const;
    void find_candidates(const KernelDemand& demand);
    void add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm, std::uint32_t kernel,
             double block_time, std::uint64_t age) const;
    void place_on_some(std::size_t index, const KernelDemand& demand, std::uint32_t sms,
                       std::uint32_t kernel, double block_time, std::uint64_t age);

    // Groups in the same state become one (sm_groups.cpp).
    void merge_equal_groups();
    bool all_marks_differ();
    void merge_where_ends_fall_together();
    void merge_the_closest();
    /// How far apart the ends of two groups are; negative if they hold other blocks.
    [[nodiscard]] double apart_by(std::size_t one, std::size_t other) const;
    void merge_into(std::size_t kept, std::size_t gone);

    std::vector<SmGroup> groups_;
    std::vector<Candidate> candidates_;  ///< of place: a heap, the best first
    MarkSet marks_;                      ///< of merge_equal_groups
    std::vector<SmGroup> endings_;       ///< with residents that are about to leave
    std::uint64_t age_ = 0;
    Duration now_{};
    SmResources limits_;
    bool keeps_carve_out_;
    bool staggers_;
};

}  // namespace overcast
