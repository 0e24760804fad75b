// The simple kind of case: a unit is a copy in for each input, one kernel, one copy out, all of the
// same number of floats.
#pragma once

#include "validate/cases/harness/memory.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace overcast::cases {

constexpr std::uint32_t kMaximumInputs = 2;

/// What a kernel works on: a whole unit or one part of it. `inputs[1]` is null where a case has one
/// input.
struct ElementwiseArguments {
    std::array<const float*, kMaximumInputs> inputs{};
    float* output = nullptr;
    std::uint32_t elements = 0;
    std::uint32_t elements_per_block = 0;
    std::uint32_t iterations = 0;  ///< of the kernel's inner loop

    /// Blocks that cover all elements.
    [[nodiscard]] std::uint32_t grid() const {
        return elements / elements_per_block + (elements % elements_per_block != 0 ? 1 : 0);
    }
};

/// What distinguishes one such case from another.
struct Elementwise {
    std::uint32_t units = 0;
    std::uint32_t inputs = 1;
    std::uint32_t elements = 0;            ///< of every copy
    std::uint32_t elements_per_block = 0;  ///< parts are cut between blocks only
    std::uint32_t iterations = 0;
    void (*launch)(const ElementwiseArguments& arguments, cudaStream_t stream) = nullptr;
    /// One element of a whole unit's result, computed by the host from host inputs. It must not
    /// depend on into how many parts the unit is cut.
    float (*reference)(const ElementwiseArguments& arguments, std::uint32_t element) = nullptr;
    /// How many elements of each unit are checked: few where one costs the host long.
    std::uint32_t checked_elements = 64;
};

/// Parts are cut between blocks. Throws OptionError where that does not come out even.
Stretch stretch_of(const Elementwise& kind, Part part);

/// `bytes` as a number of floats. Throws OptionError if it is none, or too large to be counted.
std::uint32_t floats_in(std::uint64_t bytes);

class ElementwiseWork : public Work {
public:
    ElementwiseWork(const Elementwise& kind, HostMemory memory);

    [[nodiscard]] std::uint32_t units() const override { return kind_.units; }
    std::vector<Step> steps(std::uint32_t unit, Part part) override;
    [[nodiscard]] std::uint64_t verify(std::uint32_t unit) const override;

private:
    struct Unit {
        std::vector<HostArray<float>> host_inputs;
        std::vector<DeviceArray<float>> device_inputs;
        HostArray<float> host_output;
        DeviceArray<float> device_output;
    };

    Elementwise kind_;
    std::vector<Unit> units_;
};

/// CaseDefinition::make for a case that is described by `kind`.
template <Elementwise (*kind)(const Values& values)>
std::unique_ptr<Work> make_elementwise(const Values& values, HostMemory memory) {
    return std::make_unique<ElementwiseWork>(kind(values), memory);
}

}  // namespace overcast::cases
