#include "model/gap_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

TEST(GapModel, gaps_grow_with_the_channels_that_wait) {
    GapParameters parameters;
    const auto kind = static_cast<std::size_t>(GapKind::h2d_to_kernel);
    parameters.base[kind] = 4us;
    parameters.growth_ns[kind] = Curve{{{0, 0}, {2, 3000}}};
    const GapModel gaps{parameters};
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 0, LinkLoad::none), 4us);
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 1, LinkLoad::none), 5500ns);
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 7, LinkLoad::none), 7us);  // flat beyond
    EXPECT_EQ(gaps.gap(GapSide::kernel, GapSide::kernel, 7, LinkLoad::h2d), 0us);
}

TEST(GapModel, gaps_grow_otherwise_while_a_copy_engine_works) {
    GapParameters parameters;
    const auto kind = static_cast<std::size_t>(GapKind::kernel_to_kernel);
    parameters.growth_ns[kind] = Curve{{{0, 0}, {2, 1000}}};
    parameters.growth_beside_h2d_ns[kind] = Curve{{{0, 2000}, {2, 4000}}};
    const GapModel gaps{parameters};
    const auto growth = [&](std::uint32_t waiting, LinkLoad load) {
        return gaps.gap(GapSide::kernel, GapSide::kernel, waiting, load);
    };
    EXPECT_EQ(growth(2, LinkLoad::none), 1us);
    EXPECT_EQ(growth(0, LinkLoad::h2d), 2us);
    EXPECT_EQ(growth(2, LinkLoad::h2d), 4us);
    EXPECT_EQ(growth(2, LinkLoad::d2h), 1us);  // not measured: as without
    EXPECT_EQ(growth(2, LinkLoad::both), 4us);
    EXPECT_TRUE(gaps.link_matters(GapSide::kernel, GapSide::kernel, 0));
    EXPECT_FALSE(gaps.link_matters(GapSide::d2h, GapSide::h2d, 0));
}

TEST(GapModel,
     a_kernel_that_waits_for_a_copy_is_delayed_beside_copies_as_one_that_waits_for_a_kernel) {
    GapParameters parameters;
    const auto kernels = static_cast<std::size_t>(GapKind::kernel_to_kernel);
    const auto copy = static_cast<std::size_t>(GapKind::h2d_to_kernel);
    parameters.growth_beside_h2d_ns[kernels] = Curve{{{0, 2000}}};
    EXPECT_EQ(GapModel{parameters}.gap(GapSide::h2d, GapSide::kernel, 0, LinkLoad::h2d), 2us);
    EXPECT_EQ(GapModel{parameters}.gap(GapSide::h2d, GapSide::kernel, 0, LinkLoad::d2h), 0us);
    parameters.growth_beside_h2d_ns[copy] = Curve{{{0, 3000}}};  // measured apart
    EXPECT_EQ(GapModel{parameters}.gap(GapSide::h2d, GapSide::kernel, 0, LinkLoad::h2d), 3us);
}

TEST(GapModel, gaps_grow_with_what_the_kernel_before_brings_into_the_l2) {
    GapParameters parameters;
    parameters.growth_ns_by_bytes = {Curve{{{0, 0}, {100, 10}}}, Curve{{{0, 0}, {100, 40}}},
                                     Curve{{{0, 0}, {100, 20}}}};
    const GapModel gaps{parameters};
    EXPECT_EQ(gaps.behind(Bytes{0}, LinkLoad::none), 0ns);
    EXPECT_EQ(gaps.behind(Bytes{50}, LinkLoad::none), 5ns);
    EXPECT_EQ(gaps.behind(Bytes{50}, LinkLoad::h2d), 20ns);
    EXPECT_EQ(gaps.behind(Bytes{50}, LinkLoad::d2h), 10ns);
    EXPECT_EQ(gaps.behind(Bytes{50}, LinkLoad::both), 20ns);
    EXPECT_EQ(gaps.behind(Bytes{1000}, LinkLoad::none), 10ns);  // flat beyond
    EXPECT_EQ(GapModel{GapParameters{}}.behind(Bytes{50}, LinkLoad::both), 0ns);
}

TEST(GapModel, only_what_was_measured_arrives_late) {
    GapParameters parameters;
    parameters.late_arrival[static_cast<std::size_t>(GapKind::d2h_to_h2d)] = 1us;
    const GapModel gaps{parameters};
    EXPECT_TRUE(gaps.arrives_late(GapSide::d2h, GapSide::h2d, 1us));
    EXPECT_TRUE(gaps.arrives_late(GapSide::d2h, GapSide::h2d, -1ms));
    EXPECT_FALSE(gaps.arrives_late(GapSide::d2h, GapSide::h2d, 1001ns));
    EXPECT_FALSE(gaps.arrives_late(GapSide::kernel, GapSide::h2d, -1ms));
}

}  // namespace
}  // namespace overcast
