// The SMs of the device and the blocks that are resident on them (rules 36, 18).
//
// SMs in the same state are one group, so that the cost follows the number of different states and
// not the number of SMs or blocks: 528 equal blocks on 132 empty SMs are one step.
#pragma once

#include "model/kernel_model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overcast {

/// Blocks that were placed together and end together.
struct Cohort {
    std::uint32_t kernel = 0;  ///< who placed them: a slot of the executor
    std::uint32_t id = 0;      ///< which of its cohorts

    bool operator==(const Cohort&) const = default;
};

class SmArray {
public:
    /// Blocks of one cohort on each SM of a group.
    struct Resident {
        Cohort cohort;
        std::uint32_t per_sm = 0;

        bool operator==(const Resident&) const = default;
    };

    /// `keeps_carve_out`: what an SM sets aside as shared memory changes only while it is empty,
    /// and a kernel that needs more waits for that.
    SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out);

    /// Places up to `blocks` blocks, each on the SM with the most free threads at that moment.
    /// Returns how many found room.
    std::uint64_t place(const KernelDemand& demand, std::uint64_t blocks, Cohort cohort);

    /// The blocks of a cohort leave.
    void release(const KernelDemand& demand, Cohort cohort);

    /// Every block of `from` now belongs to `to`.
    void rename(Cohort from, Cohort to);

    [[nodiscard]] bool empty() const { return resident_blocks_ == 0; }

    /// Calls `visit(sms, residents)` for each group of SMs: how many they are, and what each holds.
    template <typename Visit>
    void for_each_group(Visit&& visit) const {
        for (const auto& group : groups_) {
            if (!group.residents.empty()) {
                visit(group.sms, std::span{group.residents});
            }
        }
    }

private:
    struct Group {
        std::uint32_t sms = 0;
        SmResources free;
        std::uint32_t carve_out = 0;  ///< of the kernel that found the SM empty; 0: not known
        std::vector<Resident> residents;
    };

    [[nodiscard]] std::uint32_t room(const Group& group, const KernelDemand& demand) const;
    void add(Group& group, const KernelDemand& demand, std::uint32_t per_sm, Cohort cohort);
    void merge_equal_groups();

    std::vector<Group> groups_;
    bool keeps_carve_out_;
    std::uint64_t resident_blocks_ = 0;
};

}  // namespace overcast
