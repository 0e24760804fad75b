// Exercises: a pipeline bound by the copies to the device.
//
// A unit is two copies in, a vector addition with an inner loop, one copy out, 12 MiB each. Two
// copies of 227 us on the H2D engine stand against a kernel of about 200 us and one copy of 227 us,
// so from two streams on the H2D engine never rests in depth-first order. Breadth-first, the number
// of streams decides which copies share a hardware channel, and a copy out that waits for its
// kernel holds up what stands behind it there (false dependencies): on an H200, 6 streams take a
// third longer than 4 or 8, while 3 and 12 streams lie in line with their neighbours.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/elementwise_kinds.hpp"

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

void launch(const ElementwiseArguments& arguments, cudaStream_t stream) {
    add_repeatedly<<<arguments.grid(), kBlock, 0, stream>>>(
        arguments.inputs[0], arguments.inputs[1], arguments.output, arguments.elements,
        arguments.iterations);
}

float reference(const ElementwiseArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, kDecay, arguments.inputs[1][element]);
    }
    return value;
}

}  // namespace

Elementwise pipeline_kind(const Values& values) {
    Elementwise kind;
    kind.units = values.count("units");
    kind.inputs = 2;
    kind.elements = floats_in(values["bytes"]);
    kind.elements_per_block = kBlock;
    kind.iterations = values.count("iterations");
    kind.launch = launch;
    kind.reference = reference;
    return kind;
}

CaseDefinition pipeline_case() {
    CaseDefinition definition;
    definition.name = "pipeline";
    definition.effect = "two copies in, a kernel, a copy out: bound by the copies to the device";
    // 12288 blocks of 256 threads: 11.6 waves. The iterations were chosen on an H200 for 200 us.
    definition.parameters = {
        {"units", "units of work", 20, 20, 3},
        {"bytes", "bytes of every copy", std::uint64_t{12} << 20, std::uint64_t{12} << 20, 16384},
        {"iterations", "length of the kernel's inner loop", 1674, 1674, 20, 0},
    };
    definition.make = make_elementwise<pipeline_kind>;
    definition.can_be_split = true;
    return definition;
}

}  // namespace overcast::cases
