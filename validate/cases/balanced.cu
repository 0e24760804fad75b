// Exercises: the three engines in balance.
//
// A unit is one copy in, one kernel, one copy out, 8 MiB each: about 152, 150 and 152 us alone. All
// three engines can be busy all the time, so that whatever slows one of them shows in the total:
// both directions of the link at once, the tail of a grid of 3.9 waves, gaps between engines.
#include "validate/cases/case.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kElementsPerThread = 2;
// In this range the map is chaotic and stays within ±1.97: a result that lacks one iteration, or
// that was rounded otherwise in one, is plainly different.
constexpr float kMapConstant = -1.9F;

__global__ void iterate_quadratic_map(const float* __restrict__ input, float* __restrict__ output,
                                      std::uint32_t elements, std::uint32_t iterations) {
    const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t second = first + gridDim.x * blockDim.x;
    float left = first < elements ? input[first] : 0.0F;
    float right = second < elements ? input[second] : 0.0F;
#pragma unroll 8
    for (std::uint32_t i = 0; i < iterations; ++i) {
        left = fmaf(left, left, kMapConstant);
        right = fmaf(right, right, kMapConstant);
    }
    if (first < elements) {
        output[first] = left;
    }
    if (second < elements) {
        output[second] = right;
    }
}

void launch(const KernelArguments& arguments, cudaStream_t stream) {
    constexpr std::uint32_t kPerBlock = kBlock * kElementsPerThread;
    const std::uint32_t grid = (arguments.elements + kPerBlock - 1) / kPerBlock;
    iterate_quadratic_map<<<grid, kBlock, 0, stream>>>(arguments.inputs[0], arguments.output,
                                                       arguments.elements, arguments.iterations);
}

float reference(const KernelArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, value, kMapConstant);
    }
    return value;
}

}  // namespace

CaseDefinition balanced_case() {
    CaseDefinition definition;
    definition.name = "balanced";
    definition.effect = "a copy in, a kernel, a copy out, each as long as the others";
    // 4096 blocks of 256 threads: 3.9 waves. The iterations were calibrated on an H200.
    definition.defaults = {20, std::uint64_t{8} << 20, 1874};
    definition.kernel_us = 150;
    definition.launch = launch;
    definition.reference = reference;
    return definition;
}

}  // namespace overcast::cases
