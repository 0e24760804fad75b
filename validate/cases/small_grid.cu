// Exercises: kernels that leave most of the device idle.
//
// A unit is a copy in of 64 KiB, a kernel of 16 blocks of 256 threads for about 300 us, a copy out.
// The copies are nothing; how many kernels are resident together decides. Two blocks that meet on
// one SM share its issue slots (one dependent chain per thread uses about half of them), so that 8
// streams fit beside each other nearly free and 16 do not.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/elementwise_kinds.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kGrid = 16;
constexpr float kMapConstant = -1.9F;

/// Each block has a stretch of its own, so that cutting the grid cuts the buffers. A thread carries
/// its value on from one element of the stretch to its next.
__global__ void chain(const float* __restrict__ input, float* __restrict__ output,
                      std::uint32_t elements, std::uint32_t per_block, std::uint32_t iterations) {
    const std::uint32_t begin = blockIdx.x * per_block;
    const std::uint32_t end = min(begin + per_block, elements);
    float value = 0.0F;
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        value = __fmul_rn(0.5F, __fadd_rn(value, input[i]));
#pragma unroll 8
        for (std::uint32_t j = 0; j < iterations; ++j) {
            value = fmaf(value, value, kMapConstant);
        }
        output[i] = value;
    }
}

void launch(const ElementwiseArguments& arguments, cudaStream_t stream) {
    chain<<<arguments.grid(), kBlock, 0, stream>>>(arguments.inputs[0], arguments.output,
                                                   arguments.elements, arguments.elements_per_block,
                                                   arguments.iterations);
}

float reference(const ElementwiseArguments& arguments, std::uint32_t element) {
    const std::uint32_t place = element % arguments.elements_per_block;  // within its block
    const std::uint32_t begin = element - place;
    float value = 0.0F;
    for (std::uint32_t i = begin + place % kBlock; i <= element; i += kBlock) {
        value = 0.5F * (value + arguments.inputs[0][i]);
        for (std::uint32_t j = 0; j < arguments.iterations; ++j) {
            value = std::fmaf(value, value, kMapConstant);
        }
    }
    return value;
}

}  // namespace

Elementwise small_grid_kind(const Values& values) {
    Elementwise kind;
    kind.units = values.count("units");
    kind.elements = floats_in(values["bytes"]);
    kind.elements_per_block = (kind.elements + kGrid - 1) / kGrid;
    kind.iterations = values.count("iterations");
    kind.launch = launch;
    kind.reference = reference;
    kind.checked_elements = 2;
    return kind;
}

CaseDefinition small_grid_case() {
    CaseDefinition definition;
    definition.name = "small_grid";
    definition.effect = "kernels of 16 blocks: how many run side by side decides";
    // Four elements per thread, one after the other: a chain of four times as many steps. The
    // iterations were chosen on an H200 for 300 us.
    definition.parameters = {
        {"units", "units of work", 32, 32, 3},
        {"bytes", "bytes of every copy", std::uint64_t{64} << 10, std::uint64_t{64} << 10, 32768},
        {"iterations", "length of the kernel's inner loop", 29311, 29311, 20, 0},
    };
    definition.make = make_elementwise<small_grid_kind>;
    definition.can_be_split = true;
    return definition;
}

}  // namespace overcast::cases
