// Exercises: a program bound by the host.
//
// A unit is a copy in of 64 KiB, a kernel that does next to nothing, a copy out. On one stream each
// unit pays the latency of the whole chain; on several the host's launch rate is the limit.
// `tiny_inline` has copies of 4 KiB: below some limit a copy to the device travels inside the
// compute channel and needs no copy engine.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/elementwise_kinds.hpp"

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

void launch(const ElementwiseArguments& arguments, cudaStream_t stream) {
    scale<<<arguments.grid(), kBlock, 0, stream>>>(arguments.inputs[0], arguments.output,
                                                   arguments.elements, arguments.iterations);
}

float reference(const ElementwiseArguments& arguments, std::uint32_t element) {
    float value = arguments.inputs[0][element];
    for (std::uint32_t i = 0; i < arguments.iterations; ++i) {
        value = std::fmaf(value, kScale, kShift);
    }
    return value;
}

CaseDefinition definition_of(std::string_view name, std::string_view effect, std::uint64_t bytes) {
    CaseDefinition definition;
    definition.name = name;
    definition.effect = effect;
    definition.parameters = {
        {"units", "units of work", 200, 200, 5},
        {"bytes", "bytes of every copy", bytes, bytes, 4096},
        {"iterations", "length of the kernel's inner loop", 1, 1, 1, 0},
    };
    definition.make = make_elementwise<tiny_kind>;
    definition.can_be_split = true;
    return definition;
}

}  // namespace

Elementwise tiny_kind(const Values& values) {
    Elementwise kind;
    kind.units = values.count("units");
    kind.elements = floats_in(values["bytes"]);
    kind.elements_per_block = kBlock;
    kind.iterations = values.count("iterations");
    kind.launch = launch;
    kind.reference = reference;
    return kind;
}

CaseDefinition tiny_case() {
    return definition_of("tiny",
                         "64 KiB in, an all but empty kernel, 64 KiB out: bound by the host",
                         std::uint64_t{64} << 10);
}

CaseDefinition tiny_inline_case() {
    return definition_of("tiny_inline",
                         "as tiny, with 4 KiB: small copies travel inside the compute channel",
                         std::uint64_t{4} << 10);
}

}  // namespace overcast::cases
