// Exercises: vector additions in streams, the workload of trans_kernel_model and h2d_overlapping.
//
// A unit is two copies in, one addition, one copy out, all of N floats. In `vecadd` the kernel is
// nothing beside the copies: which of them overlap, and at which sizes, is the whole question.
// `vecadd_heavy` adds an inner loop that makes the kernel about 3.7 times as long as one copy, the
// ratio of the published trace of 5,000,000 floats (11.9 and 3.2 ms on a GTX 950).
#include "validate/cases/all_cases.hpp"
#include "validate/cases/elementwise_kinds.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr float kDecay = 0.999F;

__global__ void vector_add(const float* __restrict__ first, const float* __restrict__ second,
                           float* __restrict__ sum, std::uint32_t elements,
                           std::uint32_t iterations) {
    const std::uint32_t element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= elements) {
        return;
    }
    const float addend = second[element];
    float value = first[element] + addend;
#pragma unroll 16
    for (std::uint32_t i = 0; i < iterations; ++i) {
        value = fmaf(value, kDecay, addend);
    }
    sum[element] = value;
}

void launch(const ElementwiseArguments& arguments, cudaStream_t stream) {
    vector_add<<<arguments.grid(), kBlock, 0, stream>>>(arguments.inputs[0], arguments.inputs[1],
                                                        arguments.output, arguments.elements,
                                                        arguments.iterations);
}

float reference(const ElementwiseArguments& arguments, std::uint32_t element) {
    const float addend = arguments.inputs[1][element];
    float value = arguments.inputs[0][element] + addend;
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, kDecay, addend);
    }
    return value;
}

CaseDefinition definition_of(std::string_view name, std::string_view effect,
                             std::vector<Parameter> parameters) {
    CaseDefinition definition;
    definition.name = name;
    definition.effect = effect;
    definition.parameters = std::move(parameters);
    definition.make = make_elementwise<vecadd_kind>;
    definition.can_be_split = true;
    return definition;
}

}  // namespace

Elementwise vecadd_kind(const Values& values) {
    Elementwise kind;
    kind.units = values.count("units");
    kind.inputs = 2;
    kind.elements = values.count("elements");
    kind.elements_per_block = kBlock;
    kind.iterations = values.count("iterations");
    kind.launch = launch;
    kind.reference = reference;
    return kind;
}

CaseDefinition vecadd_case() {
    return definition_of(
        "vecadd", "two copies in, a vector addition, a copy out: the kernel is next to nothing",
        {
            {"units", "units of work; as published, one per stream of two", 2, 32, 3},
            {"elements", "floats of every copy", 23'000, 1'000'000, 1'000},
            {"iterations", "length of the kernel's inner loop after the addition", 0, 0, 0, 0},
        });
}

CaseDefinition vecadd_heavy_case() {
    // On an H200 a copy of 1,000,000 floats takes 76 us. The same loop over 3,145,728 floats in the
    // case pipeline does 1674 iterations in 200 us, which is 26.3 per ns: 3.7 * 76 us are 7400
    // iterations over 1,000,000 floats; 3.7 * 364 us are 7085 over 5,000,000.
    return definition_of(
        "vecadd_heavy", "as vecadd, the kernel about 3.7 times as long as one copy",
        {
            {"units", "units of work; as published, one per stream of three", 3, 32, 3},
            {"elements", "floats of every copy", 5'000'000, 1'000'000, 1'000},
            {"iterations", "length of the kernel's inner loop after the addition", 7'085, 7'400, 50,
             0},
        });
}

}  // namespace overcast::cases
