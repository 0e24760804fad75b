#include "tracer/injection/api_names.hpp"

#include <gtest/gtest.h>

#include <cupti.h>

namespace overcast::injection {
namespace {

TEST(ApiName, loses_the_suffix_of_the_abi_and_nothing_else) {
    EXPECT_EQ(without_abi_suffix("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
    EXPECT_EQ(without_abi_suffix("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
    EXPECT_EQ(without_abi_suffix("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync");
    EXPECT_EQ(without_abi_suffix("cuLaunchKernel"), "cuLaunchKernel");
    EXPECT_EQ(without_abi_suffix("cuda_version"), "cuda_version");
    EXPECT_EQ(without_abi_suffix(""), "");
}

TEST(ApiName, of_a_call_that_enqueues_waits_or_allocates_is_never_noise) {
    for (const auto* name :
         {"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "cudaMemsetAsync_v3020",
          "cudaStreamSynchronize_v3020", "cudaDeviceSynchronize_v3020", "cudaEventRecord_v3020",
          "cudaEventQuery_v3020", "cudaStreamQuery_v3020", "cudaStreamWaitEvent_v3020",
          "cudaMalloc_v3020", "cudaFree_v3020", "cudaProfilerStart_v4000", "cuLaunchKernel",
          "cuLaunchKernelEx", "cuMemAlloc_v2", "cuCtxSynchronize", "cuGraphLaunch"}) {
        EXPECT_FALSE(is_noise(name)) << name;
    }
}

TEST(ApiName, of_a_call_that_only_asks_is_noise) {
    for (const auto* name :
         {"cudaGetDevice_v3020", "cudaGetLastError_v3020", "cudaPeekAtLastError_v3020",
          "cudaDeviceGetAttribute_v5000", "cuDevicePrimaryCtxGetState", "cuCtxGetCurrent",
          "cuKernelGetAttribute", "__cudaPushCallConfiguration_v13000",
          "cudaStreamGetCaptureInfo_v2_ptsz_v11030"}) {
        EXPECT_TRUE(is_noise(name)) << name;
    }
}

/// Where a member of an argument structure lies, in words.
template <typename Arguments, typename Member>
std::uint32_t word(Member Arguments::*member) {
    alignas(Arguments) static char room[sizeof(Arguments)];
    const auto* arguments = reinterpret_cast<const Arguments*>(room);
    const auto* at = reinterpret_cast<const char*>(&(arguments->*member));
    return static_cast<std::uint32_t>(at - room) / 8;
}

TEST(AddressWords, lie_where_the_toolkit_declares_them) {
    const auto runtime = address_words("cudaMemcpyAsync_v3020");
    ASSERT_TRUE(runtime);
    EXPECT_EQ(runtime->destination, word(&cudaMemcpyAsync_v3020_params::dst));
    EXPECT_EQ(runtime->source, word(&cudaMemcpyAsync_v3020_params::src));
    const auto pitched = address_words("cudaMemcpy2DAsync_v3020");
    ASSERT_TRUE(pitched);
    EXPECT_EQ(pitched->destination, word(&cudaMemcpy2DAsync_v3020_params::dst));
    EXPECT_EQ(pitched->source, word(&cudaMemcpy2DAsync_v3020_params::src));
    const auto peer = address_words("cudaMemcpyPeerAsync_v4000");
    ASSERT_TRUE(peer);
    EXPECT_EQ(peer->destination, word(&cudaMemcpyPeerAsync_v4000_params::dst));
    EXPECT_EQ(peer->source, word(&cudaMemcpyPeerAsync_v4000_params::src));
    const auto memset = address_words("cudaMemsetAsync_v3020");
    ASSERT_TRUE(memset);
    EXPECT_EQ(memset->destination, word(&cudaMemsetAsync_v3020_params::devPtr));
    EXPECT_FALSE(memset->source);
}

TEST(AddressWords, follow_the_prototypes_of_the_driver) {
    // cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr srcDevice, …)
    const auto copy = address_words("cuMemcpyDtoHAsync_v2");
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->destination, 0U);
    EXPECT_EQ(copy->source, 1U);
    // cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, …)
    const auto peer = address_words("cuMemcpyPeerAsync_ptsz");
    ASSERT_TRUE(peer);
    EXPECT_EQ(peer->destination, 0U);
    EXPECT_EQ(peer->source, 2U);
}

TEST(Ordering, is_told_from_arguments_where_the_toolkit_declares_them) {
    const auto wait = ordering_of("cudaStreamSynchronize_ptsz_v7000");
    EXPECT_EQ(wait.ordering, Ordering::waits_for_stream);
    EXPECT_TRUE(wait.per_thread_stream);
    EXPECT_EQ(wait.stream, word(&cudaStreamSynchronize_v3020_params::stream));
    const auto of_event = ordering_of("cudaEventSynchronize_v3020");
    EXPECT_EQ(of_event.ordering, Ordering::waits_for_event);
    EXPECT_EQ(of_event.event, word(&cudaEventSynchronize_v3020_params::event));
    const auto of_stream = ordering_of("cudaStreamWaitEvent_v3020");
    EXPECT_EQ(of_stream.ordering, Ordering::stream_waits);
    EXPECT_EQ(of_stream.stream, word(&cudaStreamWaitEvent_v3020_params::stream));
    EXPECT_EQ(of_stream.event, word(&cudaStreamWaitEvent_v3020_params::event));
    const auto record = ordering_of("cudaEventRecord_v3020");
    EXPECT_EQ(record.ordering, Ordering::records);
    EXPECT_EQ(record.event, word(&cudaEventRecord_v3020_params::event));
    EXPECT_EQ(record.stream, word(&cudaEventRecord_v3020_params::stream));
    EXPECT_EQ(ordering_of("cudaEventDestroy_v3020").event,
              word(&cudaEventDestroy_v3020_params::event));
    EXPECT_EQ(ordering_of("cuCtxSynchronize").ordering, Ordering::waits_for_context);
    EXPECT_EQ(ordering_of("cuEventDestroy_v2").ordering, Ordering::destroys);
    EXPECT_EQ(ordering_of("cudaStreamQuery_v3020").ordering, Ordering::none);
    EXPECT_EQ(ordering_of("cudaEventQuery_v3020").ordering, Ordering::none);
}

TEST(AddressWords, are_not_guessed_for_calls_that_point_to_a_description) {
    EXPECT_FALSE(address_words("cuMemcpy2DAsync_v2"));
    EXPECT_FALSE(address_words("cudaMemcpy3DAsync_v3020"));
    EXPECT_FALSE(address_words("cudaLaunchKernel_v7000"));
}

}  // namespace
}  // namespace overcast::injection
