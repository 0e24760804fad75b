// Exercises: kernels that leave most of the device idle.
//
// A unit is a copy in of 64 KiB, a kernel of 16 blocks of 256 threads for about 300 us, a copy out.
// The copies are nothing; how many kernels are resident together decides. Two blocks that meet on
// one SM share its issue slots (one dependent chain per thread uses about half of them), so that 8
// streams fit beside each other nearly free and 16 do not.
#include "validate/cases/case.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kGrid = 16;
constexpr float kMapConstant = -1.9F;

__global__ void chain(const float* __restrict__ input, float* __restrict__ output,
                      std::uint32_t elements, std::uint32_t iterations) {
    const std::uint32_t threads = gridDim.x * blockDim.x;
    float value = 0.0F;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += threads) {
        value = __fmul_rn(0.5F, __fadd_rn(value, input[i]));
#pragma unroll 8
        for (std::uint32_t j = 0; j < iterations; ++j) {
            value = fmaf(value, value, kMapConstant);
        }
        output[i] = value;
    }
}

void launch(const KernelArguments& arguments, cudaStream_t stream) {
    chain<<<kGrid, kBlock, 0, stream>>>(arguments.inputs[0], arguments.output, arguments.elements,
                                        arguments.iterations);
}

float reference(const KernelArguments& arguments, std::uint32_t element) {
    constexpr std::uint32_t kThreads = kGrid * kBlock;
    float value = 0.0F;
    for (std::uint32_t i = element % kThreads; i <= element; i += kThreads) {
        value = 0.5F * (value + arguments.inputs[0][i]);
        for (std::uint32_t j = 0; j < arguments.iterations; ++j) {
            value = std::fmaf(value, value, kMapConstant);
        }
    }
    return value;
}

}  // namespace

CaseDefinition small_grid_case() {
    CaseDefinition definition;
    definition.name = "small_grid";
    definition.effect = "kernels of 16 blocks: how many run side by side decides";
    // Four elements per thread, one after the other: a chain of four times as many steps. The
    // iterations were calibrated on an H200.
    definition.defaults = {32, std::uint64_t{64} << 10, 29311};
    definition.kernel_us = 300;
    definition.launch = launch;
    definition.reference = reference;
    definition.checked_elements = 2;
    return definition;
}

}  // namespace overcast::cases
