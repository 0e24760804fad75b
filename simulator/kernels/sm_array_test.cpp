#include "simulator/kernels/sm_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace overcast {
namespace {

constexpr double kBlockTime = 100;

/// Two blocks of 1024 threads fit an SM, four of 512.
KernelDemand demand(std::uint32_t threads) {
    KernelDemand made;
    made.per_block = {threads, 1, 0, 0};
    return made;
}

SmArray empty_sms(std::uint32_t sms) { return {sms, {2048, 32, 65536, 0}, true, true, 0.5}; }

/// Blocks of the kernel on each group, and how many SMs it has.
std::vector<std::pair<std::uint32_t, std::uint32_t>> where(const SmArray& sms,
                                                           std::uint32_t kernel) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const auto& group : sms.groups()) {
        for (const auto& blocks : group.residents) {
            if (blocks.kernel == kernel) {
                found.emplace_back(group.sms, blocks.per_sm);
            }
        }
    }
    std::ranges::sort(found);
    return found;
}

void mark_all(SmArray& sms, std::uint32_t kernel) {
    for (auto& group : sms.groups()) {
        for (auto& blocks : group.residents) {
            if (blocks.kernel == kernel) {
                sms.mark_ending(group, blocks);
            }
        }
    }
}

void end(SmArray& sms, std::uint32_t kernel) {
    mark_all(sms, kernel);
    sms.release_ending();
}

TEST(SmArray, blocks_that_load_more_than_the_l1_holds_are_served_one_after_the_other) {
    auto loads = demand(512);
    loads.blocks_per_sm = 4;
    loads.units.held_in_l1 = 10 * 1024;
    for (const std::uint32_t carve_out : {8U, 228U}) {
        auto sms = empty_sms(1);
        loads.carve_out = carve_out * 1024;
        sms.place(loads, 4, 0, kBlockTime);
        EXPECT_EQ(sms.groups()[0].residents.size(), carve_out == 8 ? 1U : 4U) << carve_out;
    }
}

using Rooms = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

enum class Ends : std::uint8_t { together, sm_by_sm };

/// Where blocks are that wait until so many SMs, each with four of 512 threads, lose them all.
Rooms behind_blocks_that_end(std::uint32_t on, std::uint32_t threads, std::uint64_t blocks,
                             Ends ends = Ends::together, std::uint32_t carve_out = 0) {
    auto sms = empty_sms(on);
    auto before = demand(512);
    before.carve_out = 8 * 1024;
    auto waiting = demand(threads);
    waiting.carve_out = carve_out;
    waiting.needs_carve_out = carve_out > 0;
    EXPECT_EQ(sms.place(before, std::uint64_t{4} * on, 0, kBlockTime), 4 * on);
    if (ends == Ends::sm_by_sm) {
        sms.tell_apart(0, 0, 0);
    }
    mark_all(sms, 0);
    sms.begin_endings();
    EXPECT_EQ(sms.place_as_they_end(waiting, blocks, 1, kBlockTime), blocks);
    sms.finish_endings();
    EXPECT_TRUE(where(sms, 0).empty());
    return where(sms, 1);
}

TEST(SmArray, blocks_that_end_together_make_room_on_half_of_their_sms_by_turns) {
    EXPECT_EQ(behind_blocks_that_end(8, 512, 4), (Rooms{{4, 1}}));
    EXPECT_EQ(behind_blocks_that_end(8, 512, 7), (Rooms{{1, 1}, {3, 2}}));
    EXPECT_EQ(behind_blocks_that_end(8, 512, 3), (Rooms{{3, 1}}));
    EXPECT_EQ(behind_blocks_that_end(8, 512, 16), (Rooms{{4, 4}}));
    EXPECT_EQ(behind_blocks_that_end(8, 512, 18),
              (Rooms{{2, 1}, {4, 4}}));  // half of the other four
    EXPECT_EQ(behind_blocks_that_end(8, 512, 32), (Rooms{{8, 4}}));
}

TEST(SmArray, whoever_needs_another_carve_out_waits_until_all_blocks_of_an_sm_have_left) {
    const auto behind = [](std::uint32_t carve_out) {
        return behind_blocks_that_end(8, 512, 4, Ends::together, carve_out);
    };
    EXPECT_EQ(behind(8 * 1024), (Rooms{{4, 1}}));
    EXPECT_EQ(behind(64 * 1024), (Rooms{{1, 4}}));
}

TEST(SmArray, sms_that_are_told_apart_end_one_after_the_other_the_last_when_all_would_have) {
    auto sms = empty_sms(32);
    const auto kernel = demand(512);
    sms.place(kernel, 128, 0, kBlockTime);
    sms.tell_apart(0, 0, 32);
    std::vector<double> left;
    for (const auto& group : sms.groups()) {
        EXPECT_EQ(group.sms, 2);
        left.push_back(group.residents[0].progress.left(sms.now()));
    }
    std::ranges::sort(left);
    ASSERT_EQ(left.size(), 16);
    for (std::size_t i = 0; i < left.size(); ++i) {
        EXPECT_DOUBLE_EQ(left[i], 70 + 2 * static_cast<double>(i));
    }
    const auto before = sms.groups().size();
    sms.tell_apart(0, 0, 32);
    EXPECT_EQ(sms.groups().size(), before + 1) << "two SMs";
    EXPECT_DOUBLE_EQ(sms.groups()[0].residents[0].progress.left(sms.now()), 100) << "only once";
}

TEST(SmArray, blocks_that_are_mixed_end_evenly_over_the_window_on_some_sms_many_of_them_at_once) {
    auto sms = empty_sms(32);
    sms.place(demand(512), 128, 0, kBlockTime);
    sms.mix_ends(0, 0, 32);
    std::vector<std::vector<double>> left_of_set(4);
    std::map<int, std::uint32_t> sms_with_so_many_in_the_first_half;
    for (const auto& group : sms.groups()) {
        EXPECT_EQ(group.sms, 2);
        ASSERT_EQ(group.residents.size(), 4);
        int first_half = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(group.residents[i].per_sm, 1);
            left_of_set[i].push_back(group.residents[i].progress.left(sms.now()));
            first_half += left_of_set[i].back() < kBlockTime ? 1 : 0;
        }
        sms_with_so_many_in_the_first_half[first_half] += group.sms;
    }
    for (auto& left : left_of_set) {
        std::ranges::sort(left);
        ASSERT_EQ(left.size(), 16);
        for (std::size_t i = 0; i < left.size(); ++i) {
            EXPECT_DOUBLE_EQ(left[i], 100 - 16 + 1 + 2 * static_cast<double>(i));
        }
    }
    // As by chance: of 32 SMs 2, 8, 12, 8, 2.
    for (const auto& [blocks, expected] :
         {std::pair{0, 2}, std::pair{1, 8}, std::pair{2, 12}, std::pair{3, 8}, std::pair{4, 2}}) {
        EXPECT_NEAR(sms_with_so_many_in_the_first_half[blocks], expected, 2) << blocks;
    }
}

TEST(SmArray, fast_sms_are_ahead_of_others_who_are_behind) {
    auto sms = empty_sms(32);
    const auto kernel = demand(512);
    sms.place(kernel, 128, 0, kBlockTime);
    sms.groups()[0].residents[0].progress.set_left(sms.now(), 40);
    sms.tell_fast_apart(0, 0, 8, 1.6, kBlockTime);
    ASSERT_EQ(sms.groups().size(), 2);
    std::map<SmKind, std::pair<std::uint32_t, double>> of_kind;
    for (const auto& group : sms.groups()) {
        of_kind[group.kind] = {group.sms, group.residents[0].progress.left(sms.now())};
    }
    // Of 60 ns of work in the mean, others have done as many over 1 + 0.6 / 4.
    EXPECT_EQ(of_kind[SmKind::fast].first, 8);
    EXPECT_NEAR(of_kind[SmKind::fast].second, 100 - 1.6 * 60 / 1.15, 1e-9);
    EXPECT_EQ(of_kind[SmKind::other].first, 24);
    EXPECT_NEAR(of_kind[SmKind::other].second, 100 - 60 / 1.15, 1e-9);
    mark_all(sms, 0);
    sms.release_ending();
    EXPECT_EQ(sms.groups().size(), 2) << "as long as somebody may come";
    sms.forget_fast();
    EXPECT_EQ(sms.groups().size(), 1);
}

TEST(SmArray, whoever_waits_for_sms_that_are_told_apart_fills_both_of_a_tpc) {
    EXPECT_EQ(behind_blocks_that_end(64, 512, 4, Ends::sm_by_sm), (Rooms{{2, 2}}));
    EXPECT_EQ(behind_blocks_that_end(64, 512, 19, Ends::sm_by_sm), (Rooms{{1, 1}, {1, 2}, {4, 4}}));
}

TEST(SmArray, a_block_waits_until_enough_of_those_that_end_have_left) {
    // Two of 512 threads for each of 1024.
    EXPECT_EQ(behind_blocks_that_end(4, 1024, 3), (Rooms{{1, 1}, {1, 2}}));
}

TEST(SmArray, blocks_go_to_the_emptiest_sms) {
    auto sms = empty_sms(4);
    const auto large = demand(1024);
    const auto small = demand(512);
    EXPECT_EQ(sms.place(large, 1, 0, kBlockTime), 1);
    EXPECT_EQ(sms.place(small, 6, 1, kBlockTime), 6);  // two each on the SMs that are empty
    EXPECT_EQ(where(sms, 1), (Rooms{{3, 2}}));
    EXPECT_EQ(sms.place(small, 1, 2, kBlockTime), 1);
    EXPECT_EQ(where(sms, 2), (Rooms{{1, 1}}));
}

/// What SMs hold, as the number of blocks of each of three kernels, and how many hold that.
using Holdings = std::map<std::array<std::uint32_t, 3>, std::uint32_t>;

Holdings holdings(const SmArray& sms) {
    Holdings found;
    for (const auto& group : sms.groups()) {
        std::array<std::uint32_t, 3> held{};
        for (const auto& blocks : group.residents) {
            held.at(blocks.kernel) += blocks.per_sm;
        }
        found[held] += group.sms;
    }
    return found;
}

KernelDemand demand(std::uint32_t threads, std::uint32_t shared_memory) {
    auto made = demand(threads);
    made.per_block.shared_memory = shared_memory + 1024;
    return made;
}

/// As seen with %smid on the 132 SMs of an H200 (2026-11-23).
TEST(SmArray, blocks_go_where_most_of_their_kernel_fit) {
    const SmResources h200{2048, 32, 65536, 228 * 1024};
    SmArray sms{132, h200, true, true, 0.5};
    const std::array kernels{demand(256, 0), demand(32, 16'384), demand(128, 32'768)};
    sms.place(kernels[0], 169, 0, kBlockTime);
    sms.place(kernels[1], 378, 1, kBlockTime);
    sms.place(kernels[2], 258, 2, kBlockTime);
    EXPECT_EQ(holdings(sms),
              (Holdings{{{1, 2, 1}, 6}, {{1, 2, 2}, 12}, {{1, 3, 2}, 77}, {{2, 3, 2}, 37}}));
}

/// Two blocks of 768 threads fit beside one of 128 and beside two.
TEST(SmArray, of_sms_where_as_many_fit_the_first_are_taken_however_full_they_are) {
    SmArray sms{132, {2048, 32, 65536, 0}, true, true, 0.5};
    const std::array kernels{demand(128), demand(768)};
    sms.place(kernels[0], 211, 0, kBlockTime);
    sms.place(kernels[1], 26, 1, kBlockTime);
    EXPECT_EQ(holdings(sms), (Holdings{{{1, 0, 0}, 53}, {{2, 0, 0}, 53}, {{2, 1, 0}, 26}}));
}

TEST(SmArray,
     of_sms_where_as_many_fit_but_which_had_room_first_by_chance_each_group_gets_its_share) {
    const auto small = demand(64);
    const auto large = demand(1500);  // one fits, beside a small one, too
    for (const bool as_they_end : {false, true}) {
        auto sms = empty_sms(8);
        EXPECT_EQ(sms.place(small, 2, 0, kBlockTime, as_they_end), 2);
        EXPECT_EQ(sms.place(large, 4, 1, kBlockTime), 4);
        using Where = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        const auto in_order = Where{{2, 1}, {2, 1}};  // first the two beside small ones
        const auto by_chance = Where{{1, 1}, {3, 1}};
        EXPECT_EQ(where(sms, 1), as_they_end ? by_chance : in_order);
    }
    auto sms = empty_sms(8);
    sms.place(small, 2, 0, kBlockTime, true);
    end(sms, 0);  // all are alike, next to each other again
    sms.place(small, 2, 0, kBlockTime);
    sms.place(large, 2, 1, kBlockTime);
    EXPECT_EQ(where(sms, 1).size(), 1);
}

TEST(SmArray, what_finds_no_room_is_not_placed) {
    auto sms = empty_sms(2);
    const auto large = demand(1024);
    EXPECT_EQ(sms.place(large, 10, 0, kBlockTime), 4);
    EXPECT_EQ(sms.place(large, 1, 1, kBlockTime), 0);
}

TEST(SmArray, sms_in_the_same_state_are_one_group_again) {
    auto sms = empty_sms(8);
    const auto large = demand(1024);
    sms.place(large, 3, 0, kBlockTime);
    sms.place(large, 3, 1, kBlockTime);
    EXPECT_EQ(sms.groups().size(), 3);
    end(sms, 0);
    EXPECT_EQ(sms.groups().size(), 2);
    end(sms, 1);
    ASSERT_EQ(sms.groups().size(), 1);
    EXPECT_EQ(sms.groups()[0].sms, 8);
    EXPECT_TRUE(sms.empty());
}

TEST(SmArray, only_groups_that_hold_other_blocks_than_before_are_changed) {
    auto sms = empty_sms(4);
    const auto large = demand(1024);
    const auto small = demand(512);
    sms.place(large, 4, 0, kBlockTime);
    EXPECT_EQ(sms.changed(), std::vector<std::uint32_t>{0});
    sms.clear_changed();
    sms.place(small, 1, 1, kBlockTime);
    EXPECT_EQ(sms.groups().size(), 2);
    EXPECT_EQ(sms.changed(), std::vector<std::uint32_t>{1});
    EXPECT_EQ(sms.groups()[1].sms, 1);
    end(sms, 1);  // both become one
    EXPECT_EQ(sms.changed(), std::vector<std::uint32_t>{0});
}

TEST(SmArray, one_of_many_groups_that_comes_to_hold_its_blocks_in_the_order_of_another_joins_it) {
    auto sms = empty_sms(30);
    const auto large = demand(1024);
    const auto small = demand(512);
    for (std::uint32_t kernel = 2; kernel < 30; ++kernel) {
        sms.place(large, 1, kernel, kBlockTime);
    }
    for (const std::uint32_t kernel :
         {0U, 1U, 1U, 0U}) {  // 0 and 1 on one SM, 1 and 0 on the other
        sms.place(small, 1, kernel, kBlockTime);
    }
    sms.release_ending();
    ASSERT_EQ(sms.groups().size(), 30);
    auto& other = *std::ranges::find_if(
        sms.groups(), [](const SmGroup& group) { return group.residents.front().kernel == 1; });
    std::ranges::reverse(other.residents);
    sms.mark_changed(other);
    sms.release_ending();
    EXPECT_EQ(sms.groups().size(), 29);
}

}  // namespace
}  // namespace overcast
