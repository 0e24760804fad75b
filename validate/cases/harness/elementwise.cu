#include "validate/cases/harness/elementwise.hpp"

#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/pattern.hpp"

#include <algorithm>
#include <limits>

namespace overcast::cases {

Stretch stretch_of(const Elementwise& kind, Part part) {
    if (part.of > 1 && kind.elements % (std::uint64_t{kind.elements_per_block} * part.of) != 0) {
        throw OptionError(std::to_string(kind.elements) + " elements in blocks of " +
                          std::to_string(kind.elements_per_block) + " cannot be cut into " +
                          std::to_string(part.of) + " equal parts");
    }
    return stretch_of(std::size_t{kind.elements}, part);
}

std::uint32_t floats_in(std::uint64_t bytes) {
    if (bytes == 0 || bytes % sizeof(float) != 0) {
        throw OptionError("--bytes must be a multiple of 4, not " + std::to_string(bytes));
    }
    if (bytes / sizeof(float) > 0x7FFFFFFFU) {
        throw OptionError("--bytes must be less than 8 GiB");
    }
    return static_cast<std::uint32_t>(bytes / sizeof(float));
}

ElementwiseWork::ElementwiseWork(const Elementwise& kind, HostMemory memory) : kind_{kind} {
    const Pattern pattern;
    units_.reserve(kind.units);
    for (std::uint32_t number = 0; number < kind.units; ++number) {
        Unit unit{{}, {}, {memory, kind.elements}, DeviceArray<float>{kind.elements}};
        for (std::uint32_t input = 0; input < kind.inputs; ++input) {
            unit.host_inputs.emplace_back(memory, kind.elements);
            unit.device_inputs.emplace_back(kind.elements);
            pattern.fill(unit.host_inputs.back(),
                         std::size_t{977} * (number * kind.inputs + input));
        }
        std::fill_n(unit.host_output.data(), kind.elements,
                    std::numeric_limits<float>::quiet_NaN());
        units_.push_back(std::move(unit));
    }
}

std::vector<Step> ElementwiseWork::steps(std::uint32_t unit, Part part) {
    const Unit& buffers = units_[unit];
    const Stretch stretch = stretch_of(kind_, part);
    ElementwiseArguments arguments;
    arguments.output = buffers.device_output.data() + stretch.begin;
    arguments.elements = static_cast<std::uint32_t>(stretch.size);
    arguments.elements_per_block = kind_.elements_per_block;
    arguments.iterations = kind_.iterations;
    std::vector<Step> steps;
    for (std::uint32_t input = 0; input < kind_.inputs; ++input) {
        arguments.inputs[input] = buffers.device_inputs[input].data() + stretch.begin;
        steps.push_back(copy_in(buffers.device_inputs[input], buffers.host_inputs[input], stretch));
    }
    steps.push_back(kernel(
        [arguments, launch = kind_.launch](cudaStream_t stream) { launch(arguments, stream); }));
    steps.push_back(copy_out(buffers.host_output, buffers.device_output, stretch));
    return steps;
}

std::uint64_t ElementwiseWork::verify(std::uint32_t unit) const {
    const Unit& buffers = units_[unit];
    ElementwiseArguments arguments;
    for (std::uint32_t input = 0; input < kind_.inputs; ++input) {
        arguments.inputs[input] = buffers.host_inputs[input].data();
    }
    arguments.elements = kind_.elements;
    arguments.elements_per_block = kind_.elements_per_block;
    arguments.iterations = kind_.iterations;
    Comparison comparison{unit};
    const std::uint32_t checked = std::min(kind_.checked_elements, kind_.elements);
    for (std::uint32_t sample = 0; sample < checked; ++sample) {
        // The last element is among them; the others are spread over the buffer.
        const auto element =
            static_cast<std::uint32_t>(std::uint64_t{sample + 1} * kind_.elements / checked - 1);
        comparison.expect("output", element, kind_.reference(arguments, element),
                          buffers.host_output[element]);
    }
    return comparison.checksum();
}

}  // namespace overcast::cases
