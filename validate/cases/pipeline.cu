// Exercises: a pipeline bound by the copies to the device.
//
// A unit is two copies in, a vector addition with an inner loop, one copy out, 12 MiB each. Two
// copies of 227 us on the H2D engine stand against a kernel of about 200 us and one copy of 227 us,
// so from two streams on the H2D engine never rests in depth-first order. Breadth-first, the number
// of streams decides which copies share a hardware channel, and a copy out that waits for its
// kernel holds up what stands behind it there (false dependencies): 3, 6 and 12 streams differ from
// 4, 8 and 16.
#include "validate/cases/case.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr float kDecay = 0.999F;

__global__ void add_repeatedly(const float* __restrict__ first, const float* __restrict__ second,
                               float* __restrict__ sum, std::uint32_t elements,
                               std::uint32_t iterations) {
    const std::uint32_t element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= elements) {
        return;
    }
    const float addend = second[element];
    float value = first[element];
#pragma unroll 16
    for (std::uint32_t i = 0; i < iterations; ++i) {
        value = fmaf(value, kDecay, addend);
    }
    sum[element] = value;
}

void launch(const KernelArguments& arguments, cudaStream_t stream) {
    const std::uint32_t grid = (arguments.elements + kBlock - 1) / kBlock;
    add_repeatedly<<<grid, kBlock, 0, stream>>>(arguments.inputs[0], arguments.inputs[1],
                                                arguments.output, arguments.elements,
                                                arguments.iterations);
}

float reference(const KernelArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, kDecay, arguments.inputs[1][element]);
    }
    return value;
}

}  // namespace

CaseDefinition pipeline_case() {
    CaseDefinition definition;
    definition.name = "pipeline";
    definition.effect = "two copies in, a kernel, a copy out: bound by the copies to the device";
    definition.inputs = 2;
    // 12288 blocks of 256 threads: 11.6 waves. The iterations were calibrated on an H200.
    definition.defaults = {20, std::uint64_t{12} << 20, 1674};
    definition.kernel_us = 200;
    definition.launch = launch;
    definition.reference = reference;
    return definition;
}

}  // namespace overcast::cases
