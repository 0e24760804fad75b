// The SMs of the device and the blocks that are resident on them (rules 36, 37, 18).
//
// SMs in the same state are one group, so that the cost follows the number of different states and
// not the number of SMs or blocks: 528 equal blocks on 132 empty SMs are one step.
#pragma once

#include "model/kernel_model.hpp"
#include "simulator/kernels/block_progress.hpp"
#include "simulator/kernels/candidate_trees.hpp"
#include "simulator/kernels/end_tree.hpp"
#include "simulator/kernels/mark_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

/// Of blocks, where a warp's code before its loop or behind it may take long (SmSharing).
enum class BlockPhase : std::uint8_t {
    placed,  ///< not looked at yet
    waits,   ///< is found to take long to its loop, and begins to
    starts,  ///< on the way there: its progress is that of the code before
    in_loop,
    last_warps,  ///< there, but some are done, and no longer keep others from theirs
    ends,        ///< on the way from there to its end: likewise
};

/// What an SM gets of an L2 or a DRAM that is full (fast_sms.cpp).
enum class SmKind : std::uint8_t {
    unknown,  ///< it has made no difference yet
    fast,     ///< more than others
    other,
};

/// Blocks of one kernel on each SM of a group that run at one speed and end together. Those of a
/// kernel that asks for more than its SM has are several such sets, one as old as the other.
struct ResidentBlocks {
    std::uint32_t kernel = 0;  ///< who placed them: a slot of the executor
    std::uint16_t per_sm = 0;
    BlockPhase phase = BlockPhase::placed;
    bool ending : 1 = false;
    bool renewed : 1 = false;  ///< the next blocks of their kernel have taken their places
    bool apart : 1 = false;    ///< end when those of their SM do, not in the mean of its group
    bool in_turn : 1 = false;  ///< as fast as what their SM sends is shared out: all of them wait
    bool beside_clusters : 1 = false;  ///< placed on an SM that clusters which wait cannot use
    const KernelDemand* demand = nullptr;
    BlockProgress progress;
    double speed_on_sm = 1;      ///< before the device slows them
    double speed_for_slots = 1;  ///< where nothing but the wait for issue slots slows them
};
static_assert(sizeof(ResidentBlocks) == 64, "all that is done to them waits for memory");

/// Share of their time on an idle device for which they ask it for something.
inline double time_asking(const ResidentBlocks& blocks) {
    return blocks.in_turn ? 1 : blocks.speed_on_sm;
}

inline bool is_in_loop(const ResidentBlocks& blocks) {
    return blocks.phase == BlockPhase::in_loop || blocks.phase == BlockPhase::last_warps;
}

struct alignas(64) SmGroup {
    std::uint32_t sms = 0;
    /// Of its SMs, the first in the order in which the chip takes SMs with equal room.
    std::uint32_t first = 0;
    SmResources free;
    std::uint32_t carve_out = 0;  ///< of the kernel that found the SM empty; 0: not known
    bool ending = false;          ///< some of its blocks are about to leave
    bool changed = false;         ///< what it holds, since their speeds were worked out
    bool unmarked = false;        ///< what it holds has changed since its mark was found
    bool suspect = false;         ///< when it was marked, another one seemed to be like it
    SmKind kind = SmKind::unknown;
    bool one_set_each = true;  ///< no kernel has several sets of blocks on it
    bool scattered = false;    ///< its SMs are anywhere, not next to each other from `first` on
    /// So many of the oldest residents stand as when they were last made to wait for slots, or
    /// served by their load: no younger one changes what that came to.
    std::uint32_t settled = 0;
    Duration next = kNoEnd;     ///< when the first of its blocks end, by the clock of the SMs
    std::uint64_t mark = 0;     ///< the content when it was last marked; 0: it was not
    std::uint64_t content = 0;  ///< the sum of its residents' marks: alike for like blocks
    std::vector<ResidentBlocks> residents;  ///< the oldest first
};

class SmArray {
public:
    /// `keeps_carve_out`: what an SM sets aside as shared memory changes only while it is empty,
    /// and a kernel that needs more waits for that. `staggers`: an SM that has not enough for all
    /// of a kernel's blocks serves the oldest first, so that they end one after the other.
    /// `open_at_once`: see KernelParameters.
    SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out,
            bool staggers, double open_at_once);

    /// Places up to `blocks` blocks, each on the SM that would take the most of them at that moment
    /// (36), of equal ones on the first, or by chance where these are scattered. `as_they_end`: who
    /// gets the last of them is whose blocks have ended first, any SM. Returns how many found room.
    std::uint64_t place(const KernelDemand& demand, std::uint64_t blocks, std::uint32_t kernel,
                        double block_time, bool as_they_end = false);

    /// Places up to `blocks` blocks while a kernel of clusters waits, on the SMs that these cannot
    /// use (`of_no_clusters` of them) alone, as many on each as it takes. Returns how many found
    /// room.
    std::uint64_t place_beside_clusters(const KernelDemand& demand, std::uint64_t blocks,
                                        std::uint32_t of_no_clusters, std::uint32_t kernel,
                                        double block_time);

    /// The time for which SMs have worked: all that blocks do is counted in it.
    [[nodiscard]] Duration now() const { return now_; }
    void pass(Duration time) { now_ += time; }

    /// These are about to leave.
    void mark_ending(SmGroup& group, ResidentBlocks& blocks);

    /// Its residents are others, or stand in another order, those before `from` excepted: it may
    /// have become like another group.
    void mark_changed(SmGroup& group, std::size_t from = 0);
    /// Places of the groups that have changed since clear_changed().
    [[nodiscard]] const std::vector<std::uint32_t>& changed() const { return changed_; }
    void clear_changed();

    /// When the first blocks of a group end.
    void set_next(SmGroup& group, Duration next) {
        group.next = next;
        ends_.set(place_of(group), next);
    }
    [[nodiscard]] const EndTree& ends() const { return ends_; }

    /// Blocks of the kernel on a group's SMs, which are `lead` from their end or nearer, end one SM
    /// after the other, the last when all would have ended. They are `apart` then.
    void tell_apart(std::uint32_t place, std::uint32_t kernel, double lead);
    /// Blocks of the kernel on a group's SMs end at any time within `window`, ns, in the middle of
    /// which they would have ended, each set of them on other SMs first. They are `apart` then.
    void mix_ends(std::uint32_t place, std::uint32_t kernel, double window);
    /// So many SMs of a group of unknown ones are fast, and have been `faster` times as fast as
    /// others with the kernel's blocks: in the mean each has done `work` when those at hand end,
    /// ns.
    void tell_fast_apart(std::uint32_t place, std::uint32_t kernel, std::uint32_t fast,
                         double faster, double work);
    /// Of SMs that are all empty.
    void forget_fast();

    /// Residents marked as `ending` leave, all in one instant.
    void release_ending();
    struct Ended {
        std::uint32_t kernel = 0;  ///< whose blocks they were
        std::uint64_t blocks = 0;
    };
    /// Residents whose time has come leave, of which none is renewed. Returns them, until it is
    /// called again.
    const std::vector<Ended>& release_ended();

    /// Residents marked as `ending` are about to leave, SM by SM (place_as_they_end), until
    /// finish_endings().
    void begin_endings();
    /// Places up to `blocks` blocks, each in the moment in which an ending block makes room, and on
    /// its SM (pile-up, 37): a share of the SMs whose blocks end together is emptied first, by
    /// turns. Returns how many found room.
    std::uint64_t place_as_they_end(const KernelDemand& demand, std::uint64_t blocks,
                                    std::uint32_t kernel, double block_time);
    /// What has not left yet leaves.
    void finish_endings();

    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::vector<SmGroup>& groups() { return groups_; }
    [[nodiscard]] const std::vector<SmGroup>& groups() const { return groups_; }

    [[nodiscard]] std::uint32_t place_of(const SmGroup& group) const {
        return static_cast<std::uint32_t>(&group - groups_.data());
    }

private:
    SmGroup& append(SmGroup group);
    void erase_empty();
    [[nodiscard]] std::uint32_t room(const SmResources& free, std::uint32_t carve_out,
                                     const KernelDemand& demand) const;
    [[nodiscard]] std::uint32_t room(const SmGroup& group, const KernelDemand& demand) const;
    CandidateTrees::Kept& candidates_for(const KernelDemand& demand);
    bool place_by_chance(CandidateTrees::Kept& candidates, const KernelDemand& demand,
                         std::uint64_t blocks, std::uint32_t kernel, double block_time);
    static std::size_t release(SmGroup& group);
    void add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm, std::uint32_t kernel,
             double block_time);

    // Clusters need several SMs at once, some can use none (clusters.cpp).
    [[nodiscard]] std::uint64_t in_whole_clusters(const KernelDemand& demand,
                                                  std::uint64_t blocks) const;
    [[nodiscard]] std::uint32_t held_beside_clusters() const;
    std::size_t split_off(std::size_t index, std::uint32_t sms);
    static void split_sets(SmGroup& group, std::uint32_t kernel);

    // Blocks that end make room for others, SM by SM (sm_endings.cpp).
    SmGroup take_ending(std::uint32_t sms);
    [[nodiscard]] std::uint32_t open_at_once(const SmGroup& ending) const;
    [[nodiscard]] std::uint32_t room_of_ended(const SmGroup& group,
                                              const KernelDemand& demand) const;
    void find_rooms(const SmGroup& ending, const KernelDemand& demand, std::uint32_t all);

    // Groups in the same state become one (sm_groups.cpp).
    /// A group that may have the mark of another one, with what tells most of them apart at a
    /// glance: what is left of its oldest and youngest blocks, ns.
    struct Twin {
        std::uint32_t place = 0;
        bool suspect = false;
        std::uint64_t mark = 0;
        double oldest = 0;
        double youngest = 0;
    };
    void merge_equal_groups();
    void mark_again();
    void find_twins();
    void merge_where_ends_fall_together();
    void merge_the_closest();
    /// How far apart the ends of two groups are, if nearer than `bound`, else that or more;
    /// negative if they hold other blocks.
    [[nodiscard]] double apart_by(const Twin& one, const Twin& other, double bound) const;
    void merge_twins(std::size_t kept, std::size_t gone);
    [[nodiscard]] Twin seen_at(std::uint32_t place) const;

    std::vector<SmGroup> groups_;
    CandidateTrees candidates_;  ///< of place
    MarkCounts marks_;
    EndTree ends_;
    // Places of groups that are so marked; those that end, until they are released.
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint32_t> unmarked_;
    std::vector<std::uint32_t> suspects_;
    std::vector<std::uint32_t> ending_;
    std::vector<Ended> ended_;          ///< scratch of release_ended
    std::vector<Twin> twins_;           ///< scratch of merge_equal_groups
    std::vector<std::uint32_t> tied_;   ///< scratch of place_by_chance: groups with the most room
    bool some_scattered_ = false;       ///< since all SMs were alike
    std::uint32_t merged_ = 0;          ///< groups whose SMs are in another one now
    bool may_hold_twins_ = true;        ///< among groups that have not changed since
    bool fast_are_known_ = false;       ///< some group is of a known kind
    std::vector<SmGroup> endings_;      ///< with residents that are about to leave
    std::vector<std::uint32_t> rooms_;  ///< scratch of place_as_they_end
    Duration now_{};
    SmResources limits_;
    std::uint32_t multiprocessors_;
    bool keeps_carve_out_;
    bool staggers_;
    double open_at_once_;
};

}  // namespace overcast
