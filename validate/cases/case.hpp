// What one case is: a unit of k copies to the device, one kernel, one copy back, and how to check
// it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace overcast::cases {

constexpr std::uint32_t kMaximumInputs = 2;

/// One unit's buffers as the kernel sees them. `inputs[1]` is null where a case has one input.
struct KernelArguments {
    const float* inputs[kMaximumInputs] = {nullptr, nullptr};
    float* output = nullptr;
    std::uint32_t elements = 0;
    std::uint32_t iterations = 0;
};

/// What the command line may change.
struct Sizes {
    std::uint32_t units = 0;
    std::uint64_t bytes = 0;       ///< of every copy
    std::uint32_t iterations = 0;  ///< of the kernel's inner loop; decides its duration
};

struct CaseDefinition {
    std::string_view name;
    std::string_view effect;  ///< what it exercises, one line
    std::uint32_t inputs = 1;
    Sizes defaults;  ///< chosen for an H200
    /// The kernel duration that `calibrate` looks for; 0: the kernel has no length to tune.
    double kernel_us = 0;
    void (*launch)(const KernelArguments& arguments, cudaStream_t stream) = nullptr;
    /// One element of the result, computed by the host. `arguments` holds host inputs.
    float (*reference)(const KernelArguments& arguments, std::uint32_t element) = nullptr;
    /// How many elements of each unit are checked: few where one costs the host long.
    std::uint32_t checked_elements = 64;
};

CaseDefinition pipeline_case();
CaseDefinition balanced_case();
CaseDefinition small_grid_case();
CaseDefinition tiny_case();
CaseDefinition tiny_inline_case();

/// All of them, in the order in which they are listed.
std::span<const CaseDefinition> all_cases();

/// Null if there is none of this name.
const CaseDefinition* find_case(std::string_view name);

}  // namespace overcast::cases
