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
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 0), 4us);
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 1), 5500ns);
    EXPECT_EQ(gaps.gap(GapSide::h2d, GapSide::kernel, 7), 7us);  // flat beyond
    EXPECT_EQ(gaps.gap(GapSide::kernel, GapSide::kernel, 7), 0us);
}

}  // namespace
}  // namespace overcast
