#include "tracer/injection/launch_calls.hpp"

#include <gtest/gtest.h>

#include <cuda.h>

namespace overcast::injection {
namespace {

TEST(LaunchCall, is_told_by_its_name_whatever_the_version_of_the_abi) {
    EXPECT_EQ(launch_call("cuLaunchKernel"), LaunchCall::plain);
    EXPECT_EQ(launch_call("cuLaunchKernel_ptsz"), LaunchCall::plain);
    EXPECT_EQ(launch_call("cuLaunchCooperativeKernel"), LaunchCall::cooperative);
    EXPECT_EQ(launch_call("cuLaunchKernelEx"), LaunchCall::extended);
    EXPECT_EQ(launch_call("cuStreamBeginCapture_v2"), LaunchCall::begins_capture);
    EXPECT_EQ(launch_call("cuStreamBeginCaptureToGraph"), LaunchCall::begins_capture);
    EXPECT_EQ(launch_call("cuStreamEndCapture"), LaunchCall::ends_capture);
    EXPECT_EQ(launch_call("cuLaunchHostFunc"), LaunchCall::other);
    EXPECT_EQ(launch_call("cuGraphLaunch"), LaunchCall::other);
}

TEST(LaunchExtents, are_arguments_of_a_plain_launch) {
    // As in cuda.h: function, grid, block, shared memory.
    const struct {
        CUfunction function = nullptr;
        unsigned int grid[3] = {7, 2, 3};
        unsigned int block[3] = {32, 4, 1};
        unsigned int shared_memory = 4096;
    } arguments;
    const auto extents = launch_extents(LaunchCall::plain, &arguments);
    ASSERT_TRUE(extents);
    EXPECT_EQ(extents->grid, (Extent{7, 2, 3}));
    EXPECT_EQ(extents->block, (Extent{32, 4, 1}));
    EXPECT_EQ(extents->dynamic_shared_memory, 4096U);
}

TEST(LaunchExtents, are_in_the_configuration_of_an_extended_launch) {
    CUlaunchConfig config{};
    config.gridDimX = 5;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 128;
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = 16;
    const CUlaunchConfig* const argument = &config;
    const auto extents = launch_extents(LaunchCall::extended, &argument);
    ASSERT_TRUE(extents);
    EXPECT_EQ(extents->grid, (Extent{5, 1, 1}));
    EXPECT_EQ(extents->block, (Extent{128, 1, 1}));
    EXPECT_EQ(extents->dynamic_shared_memory, 16U);
}

TEST(LaunchExtents, are_nothing_for_calls_that_launch_no_kernel) {
    EXPECT_FALSE(launch_extents(LaunchCall::other, nullptr));
    EXPECT_FALSE(launch_extents(LaunchCall::plain, nullptr));
    const CUlaunchConfig* const none = nullptr;
    EXPECT_FALSE(launch_extents(LaunchCall::extended, &none));
}

TEST(LaunchArguments,
     come_after_the_extents_of_a_plain_launch_and_are_packed_in_no_cooperative_one) {
    void* each[1] = {};
    void* options[1] = {};
    // As in cuda.h, where a cooperative launch ends before the options.
    const struct {
        CUfunction function = reinterpret_cast<CUfunction>(0x10);
        unsigned int extents[7] = {};
        CUstream stream = nullptr;
        void** each = nullptr;
        void** options = nullptr;
    } arguments{.each = each, .options = options};
    const auto plain = launch_arguments(LaunchCall::plain, &arguments);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->function, arguments.function);
    EXPECT_EQ(plain->each, each);
    EXPECT_EQ(plain->options, options);
    const auto cooperative = launch_arguments(LaunchCall::cooperative, &arguments);
    ASSERT_TRUE(cooperative);
    EXPECT_EQ(cooperative->each, each);
    EXPECT_EQ(cooperative->options, nullptr);
    EXPECT_EQ(launch_extents(LaunchCall::cooperative, &arguments)->grid, (Extent{0, 0, 0}));
}

TEST(LaunchArguments, come_after_the_configuration_of_an_extended_launch) {
    void* each[1] = {};
    const struct {
        const CUlaunchConfig* config = nullptr;
        CUfunction function = reinterpret_cast<CUfunction>(0x10);
        void** each = nullptr;
        void** options = nullptr;
    } arguments{.each = each};
    const auto extended = launch_arguments(LaunchCall::extended, &arguments);
    ASSERT_TRUE(extended);
    EXPECT_EQ(extended->function, arguments.function);
    EXPECT_EQ(extended->each, each);
    EXPECT_FALSE(launch_arguments(LaunchCall::ends_capture, &arguments));
    EXPECT_FALSE(launch_arguments(LaunchCall::plain, nullptr));
}

}  // namespace
}  // namespace overcast::injection
