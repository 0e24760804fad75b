// The SMs of the device and the blocks that are resident on them (rules 36, 18).
//
// SMs in the same state are one group, so that the cost follows the number of different states and
// not the number of SMs or blocks: 528 equal blocks on 132 empty SMs are one step.
#pragma once

#include "model/kernel_model.hpp"

#include <cstdint>
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
    SmArray(std::uint32_t multiprocessors, const SmResources& limits);

    /// Places up to `blocks` blocks, each on the SM with the most free threads at that moment.
    /// Returns how many found room.
    std::uint64_t place(const KernelDemand& demand, std::uint64_t blocks, Cohort cohort);

    /// The blocks of a cohort leave.
    void release(const KernelDemand& demand, Cohort cohort);

    /// Every block of `from` now belongs to `to`.
    void rename(Cohort from, Cohort to);

    [[nodiscard]] bool empty() const { return resident_blocks_ == 0; }

    /// Calls `visit(kernel, blocks, blocks_per_sm, load)` for the blocks of each cohort in each
    /// group: how many they are, how many on each SM, and the load on their SM
    /// (KernelDemand::load_per_block summed over its residents).
    template <typename Visit>
    void for_each_share(Visit&& visit) const {
        for (const auto& group : groups_) {
            for (const auto& resident : group.residents) {
                visit(resident.cohort.kernel, std::uint64_t{resident.per_sm} * group.sms,
                      resident.per_sm, group.load);
            }
        }
    }

private:
    struct Resident {
        Cohort cohort;
        std::uint32_t per_sm = 0;

        bool operator==(const Resident&) const = default;
    };
    struct Group {
        std::uint32_t sms = 0;
        SmResources free;
        double load = 0;
        std::vector<Resident> residents;
    };

    void add(Group& group, const KernelDemand& demand, std::uint32_t per_sm, Cohort cohort);
    void merge_equal_groups();

    std::vector<Group> groups_;
    std::uint64_t resident_blocks_ = 0;
};

}  // namespace overcast
