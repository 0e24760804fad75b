#include "workload/host_calls.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(HostCalls, are_known_by_family) {
    EXPECT_EQ(meaning_of("cudaMemcpyAsync"), CallMeaning::copy);
    EXPECT_EQ(meaning_of("cudaMemcpy2DAsync"), CallMeaning::copy);
    EXPECT_EQ(meaning_of("cuMemcpyHtoDAsync"), CallMeaning::copy);
    EXPECT_EQ(meaning_of("cuMemsetD32Async"), CallMeaning::memset);
    EXPECT_EQ(meaning_of("cudaLaunchKernelExC"), CallMeaning::kernel_launch);
    EXPECT_EQ(meaning_of("cuLaunchKernel"), CallMeaning::kernel_launch);
    EXPECT_EQ(meaning_of("cudaGraphLaunch"), CallMeaning::graph_launch);
    EXPECT_EQ(meaning_of("cudaEventRecordWithFlags"), CallMeaning::event_record);
}

TEST(HostCalls, do_not_confuse_an_exception_with_its_family) {
    EXPECT_EQ(meaning_of("cudaLaunchHostFunc"), CallMeaning::host_function);
    EXPECT_EQ(meaning_of("cudaFreeAsync"), CallMeaning::other);
    EXPECT_EQ(meaning_of("cudaFreeHost"), CallMeaning::release);
    EXPECT_EQ(meaning_of("cuMemFree_v2"), CallMeaning::release);
    EXPECT_EQ(meaning_of("cudaMallocPitch"), CallMeaning::allocation);
    EXPECT_EQ(meaning_of("cuMemAlloc_v2"), CallMeaning::allocation);
    EXPECT_EQ(meaning_of("cudaMallocAsync"), CallMeaning::other);
    EXPECT_EQ(meaning_of("cudaMallocHost"), CallMeaning::other);
    EXPECT_EQ(meaning_of("cudaGraphInstantiate"), CallMeaning::other);
}

TEST(HostCalls, are_known_with_any_suffix) {
    EXPECT_EQ(meaning_of("cuMemcpyDtoHAsync_v2_ptsz"), CallMeaning::copy);
    EXPECT_EQ(meaning_of("cudaStreamSynchronize_ptsz"), CallMeaning::synchronise_stream);
    EXPECT_EQ(meaning_of("cudaMemcpy_ptds"), CallMeaning::copy);
    EXPECT_EQ(meaning_of("cudaStreamWaitEvent_v3020"), CallMeaning::event_wait);
    EXPECT_EQ(meaning_of("my_v"), CallMeaning::other);
}

TEST(HostCalls, that_only_ask_are_noise) {
    EXPECT_EQ(meaning_of("cudaGetLastError"), CallMeaning::noise);
    EXPECT_EQ(meaning_of("__cudaPushCallConfiguration"), CallMeaning::noise);
    EXPECT_EQ(meaning_of("cudaProfilerStop"), CallMeaning::recorder);
    EXPECT_EQ(meaning_of("cudaStreamCreateWithFlags"), CallMeaning::other);
}

}  // namespace
}  // namespace overcast
