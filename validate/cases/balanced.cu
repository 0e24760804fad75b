// Exercises: the three engines in balance.
//
// A unit is one copy in, one kernel, one copy out, 8 MiB each: about 152, 150 and 152 us alone. All
// three engines can be busy all the time, so that whatever slows one of them shows in the total:
// both directions of the link at once, the tail of a grid of 3.9 waves, gaps between engines.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/elementwise_kinds.hpp"

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

void launch(const ElementwiseArguments& arguments, cudaStream_t stream) {
    iterate_quadratic_map<<<arguments.grid(), kBlock, 0, stream>>>(
        arguments.inputs[0], arguments.output, arguments.elements, arguments.iterations);
}

float reference(const ElementwiseArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, value, kMapConstant);
    }
    return value;
}

}  // namespace

Elementwise balanced_kind(const Values& values) {
    Elementwise kind;
    kind.units = values.count("units");
    kind.elements = floats_in(values["bytes"]);
    kind.elements_per_block = kBlock * kElementsPerThread;
    kind.iterations = values.count("iterations");
    kind.launch = launch;
    kind.reference = reference;
    return kind;
}

CaseDefinition balanced_case() {
    CaseDefinition definition;
    definition.name = "balanced";
    definition.effect = "a copy in, a kernel, a copy out, each as long as the others";
    // 4096 blocks of 256 threads: 3.9 waves. The iterations were chosen on an H200 for 150 us.
    definition.parameters = {
        {"units", "units of work", 20, 20, 3},
        {"bytes", "bytes of every copy", std::uint64_t{8} << 20, std::uint64_t{8} << 20, 16384},
        {"iterations", "length of the kernel's inner loop", 1874, 1874, 20, 0},
    };
    definition.make = make_elementwise<balanced_kind>;
    definition.can_be_split = true;
    return definition;
}

}  // namespace overcast::cases
