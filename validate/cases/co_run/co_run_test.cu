#include "validate/cases/co_run/classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace overcast::cases {
namespace {

constexpr std::array kVariants{Variant::a, Variant::b};

TEST(CoRunGroups, are_as_many_as_there_are_numbers_and_of_the_sizes_that_were_planned) {
    for (const auto variant : kVariants) {
        const auto& groups = groups_of(variant);
        ASSERT_EQ(groups.size(), kGroups);
        std::map<std::size_t, std::size_t> strata;
        for (const auto& group : groups) {
            ASSERT_GE(group.size(), 2U);
            ASSERT_LE(group.size(), 16U);
            ++strata[group.size() == 2 ? 2 : group.size() <= 4 ? 4 : 16];
        }
        EXPECT_EQ(strata[2], kGroups / 2);
        EXPECT_EQ(strata[4], kGroups * 3 / 10);
        EXPECT_EQ(strata[16], kGroups / 5);
    }
}

TEST(CoRunGroups, of_two_hold_every_pair_of_classes) {
    for (const auto variant : kVariants) {
        std::set<std::pair<KernelClass, KernelClass>> pairs;
        for (const auto& group : groups_of(variant)) {
            if (group.size() == 2) {
                pairs.insert(std::minmax(group[0].kind, group[1].kind));
            }
        }
        EXPECT_EQ(pairs.size(), kKernelClasses * (kKernelClasses + 1) / 2);
    }
}

TEST(CoRunGroups, draw_every_class_grid_and_block_often_enough) {
    for (const auto variant : kVariants) {
        std::map<KernelClass, std::size_t> classes;
        std::map<std::uint32_t, std::size_t> grids;
        std::map<KernelClass, std::set<std::uint32_t>> blocks;
        for (const auto& group : groups_of(variant)) {
            for (const auto& kernel : group) {
                ++classes[kernel.kind];
                ++grids[kernel.tenths_of_wave];
                blocks[kernel.kind].insert(kernel.block);
            }
        }
        EXPECT_EQ(classes.size(), kKernelClasses);
        EXPECT_EQ(grids.size(), 8U);
        for (const auto& [kind, count] : classes) {
            EXPECT_GE(count, 40U) << class_row(kind).name;
            EXPECT_EQ(blocks[kind].size(), kind == KernelClass::tensor ? 1U : 3U);
        }
        for (const auto& [tenths, count] : grids) {
            EXPECT_GE(count, 50U) << tenths;
        }
    }
}

TEST(CoRunGroups, last_as_long_as_they_may_and_start_together_in_six_of_ten) {
    for (const auto variant : kVariants) {
        std::size_t staggered = 0;
        for (const auto& group : groups_of(variant)) {
            std::uint32_t total = 0;
            std::uint32_t megabytes = 0;
            std::uint32_t delay = 0;
            EXPECT_EQ(group.front().delay_us, 0U);
            for (const auto& kernel : group) {
                EXPECT_GE(kernel.target_us, 50U);
                EXPECT_LE(kernel.target_us, 500U);
                EXPECT_LE(kernel.delay_us, 200U);
                total += kernel.target_us;
                megabytes += kernel.megabytes;
                delay += kernel.delay_us;
            }
            EXPECT_LE(total, 4'500U);
            EXPECT_LE(megabytes, 3'000U);
            staggered += delay > 0 ? 1 : 0;
        }
        EXPECT_GE(staggered, kGroups * 3 / 10);
        EXPECT_LE(staggered, kGroups * 5 / 10);
    }
}

TEST(CoRunGroups, are_the_same_on_every_machine) {
    // As drawn from the committed seed: whoever changes the draw changes what was measured.
    const auto digest = [](Variant variant) {
        std::uint64_t result = 0;
        for (const auto& group : groups_of(variant)) {
            for (const auto& kernel : group) {
                for (const std::uint32_t part :
                     {static_cast<std::uint32_t>(kernel.kind), kernel.block, kernel.tenths_of_wave,
                      kernel.target_us, kernel.megabytes, kernel.delay_us}) {
                    result = result * 1'000'003 + part;
                }
            }
        }
        return result;
    };
    EXPECT_EQ(digest(Variant::a), 156'399'009'185'443'981U);
    EXPECT_EQ(digest(Variant::b), 1'729'370'442'591'791'613U);
}

TEST(CoRunPairs, are_all_of_two_classes_and_fit_every_sm_together) {
    for (const auto variant : kVariants) {
        const auto& pairs = pairs_of(variant);
        ASSERT_EQ(pairs.size(), kPairs);
        std::map<std::pair<KernelClass, KernelClass>, std::set<std::uint32_t>> warps;
        for (const auto& pair : pairs) {
            ASSERT_EQ(pair.size(), 2U);
            const auto of = [](const DrawnKernel& kernel) {
                return kernel.block * kernel.blocks_per_sm / 128;
            };
            EXPECT_EQ(pair[0].block * pair[0].blocks_per_sm % 128, 0U);
            EXPECT_LE(of(pair[0]) + of(pair[1]), 16U);
            warps[{pair[0].kind, pair[1].kind}].insert(of(pair[0]) * 100 + of(pair[1]));
        }
        EXPECT_EQ(warps.size(), 64U);
        for (const auto& [kinds, each] : warps) {
            EXPECT_EQ(each, (std::set<std::uint32_t>{101, 104, 201, 204, 401, 404, 801, 804, 1201,
                                                     1204}));
        }
    }
}

TEST(CoRunProducts, are_beside_each_class_on_the_sms_that_they_leave) {
    for (const auto variant : kVariants) {
        std::map<KernelClass, std::set<std::uint32_t>> tenths;
        for (const auto& group : products_of(variant)) {
            ASSERT_EQ(group.size(), 2U);
            EXPECT_EQ(group[0].kind, KernelClass::tensor);
            EXPECT_LE(group[0].tenths_of_wave + group[1].tenths_of_wave, 10U);
            tenths[group[1].kind].insert(group[0].tenths_of_wave * 100 + group[1].tenths_of_wave);
        }
        EXPECT_EQ(tenths.size(), kKernelClasses);
        for (const auto& [kind, each] : tenths) {
            EXPECT_EQ(each, (std::set<std::uint32_t>{301, 307, 501, 505, 801, 802}));
        }
    }
}

TEST(CoRunClasses, have_nothing_in_common_between_the_variants) {
    std::set<const void*> kernels;
    for (std::uint32_t number = 0; number < kKernelClasses; ++number) {
        const auto kind = static_cast<KernelClass>(number);
        const ClassRow& row = class_row(kind);
        EXPECT_EQ(row.kind, kind);
        for (const auto block : row.variant(Variant::a).blocks) {
            const auto& others = row.variant(Variant::b).blocks;
            EXPECT_EQ(std::ranges::count(others, block), 0) << row.name;
        }
        for (const auto variant : kVariants) {
            const ClassVariant& each = row.variant(variant);
            ASSERT_NE(each.make, nullptr) << row.name;
            EXPECT_EQ(each.kernel == nullptr, kind == KernelClass::tensor) << row.name;
            EXPECT_TRUE(each.kernel == nullptr || kernels.insert(each.kernel).second) << row.name;
        }
    }
}

TEST(CoRunPlan, counts_blocks_in_waves) {
    EXPECT_EQ(blocks_of(10, 8, 132), 1'056U);
    EXPECT_EQ(blocks_of(1, 2, 132), 26U);
    EXPECT_EQ(blocks_of(1, 1, 4), 1U);
}

TEST(CoRunPlan, makes_launches_about_as_long_as_their_target) {
    LaunchPlan plan;
    plan.block = 256;
    plan.sms = 132;
    plan.target_us = 100;                                       // 198,000 cycles
    plan.blocks = 132;                                          // 8 warps on each SM
    EXPECT_EQ(iterations_for({100, 1, 0}, plan, 8), 1'980U);    // waits
    EXPECT_EQ(iterations_for({100, 50, 0}, plan, 8), 495U);     // 400 cycles of its SM
    EXPECT_EQ(iterations_for({100, 1, 0.375}, plan, 8), 500U);  // 396 of the device
    plan.blocks = 132 * 8 * 8;
    EXPECT_EQ(iterations_for({100, 1, 0}, plan, 8), 247U);  // eight rounds
    plan.blocks = 132 * 9;
    EXPECT_EQ(iterations_for({100, 50, 0}, plan, 8), 55U);  // 3,200 cycles, then 400
    plan.target_us = 0.001;
    EXPECT_EQ(iterations_for({100, 50, 0}, plan, 8), 1U);
}

}  // namespace
}  // namespace overcast::cases
