// Exercises: a program bound by the host.
//
// A unit is a copy in of 64 KiB, a kernel that does next to nothing, a copy out. On one stream each
// unit pays the latency of the whole chain; on several the host's launch rate is the limit.
// `tiny_inline` has copies of 4 KiB: below some limit a copy to the device travels inside the
// compute channel and needs no copy engine.
#include "validate/cases/case.hpp"

#include <cmath>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr float kScale = 0.75F;
constexpr float kShift = 0.125F;

__global__ void scale(const float* __restrict__ input, float* __restrict__ output,
                      std::uint32_t elements, std::uint32_t iterations) {
    const std::uint32_t element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= elements) {
        return;
    }
    float value = input[element];
    for (std::uint32_t i = 0; i < iterations; ++i) {
        value = fmaf(value, kScale, kShift);
    }
    output[element] = value;
}

void launch(const KernelArguments& arguments, cudaStream_t stream) {
    const std::uint32_t grid = (arguments.elements + kBlock - 1) / kBlock;
    scale<<<grid, kBlock, 0, stream>>>(arguments.inputs[0], arguments.output, arguments.elements,
                                       arguments.iterations);
}

float reference(const KernelArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, kScale, kShift);
    }
    return value;
}

}  // namespace

CaseDefinition tiny_case() {
    CaseDefinition definition;
    definition.name = "tiny";
    definition.effect = "64 KiB in, an all but empty kernel, 64 KiB out: bound by the host";
    definition.defaults = {200, std::uint64_t{64} << 10, 1};
    definition.launch = launch;
    definition.reference = reference;
    return definition;
}

CaseDefinition tiny_inline_case() {
    CaseDefinition definition = tiny_case();
    definition.name = "tiny_inline";
    definition.effect = "as tiny, with 4 KiB: small copies travel inside the compute channel";
    definition.defaults.bytes = std::uint64_t{4} << 10;
    return definition;
}

}  // namespace overcast::cases
