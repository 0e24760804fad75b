// Kernels of different resource needs, placed side by side on purpose.
#pragma once

#include <cstdint>

namespace overcast::cases {

/// What a kernel needs most of.
enum class Need : std::uint8_t { arithmetic, shared_memory, device_memory };

/// One unit: what its kernel needs and how many blocks it has.
struct KernelShape {
    Need need = Need::arithmetic;
    std::uint32_t blocks = 0;

    friend bool operator==(const KernelShape&, const KernelShape&) = default;
};

KernelShape kernel_of_few_blocks(std::uint32_t unit);
/// Every need with a grid of 0.25, 0.5, 0.94 and 1.9 waves of so many SMs of an H200.
KernelShape kernel_of_waves(std::uint32_t unit, std::uint32_t sms);

/// What the thread `thread` (counted over the whole grid) of a unit's kernel computes.
float arithmetic_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t iterations);
std::uint32_t shared_memory_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t steps);
std::uint32_t device_memory_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t threads,
                                   std::uint32_t words, std::uint32_t sweeps);

}  // namespace overcast::cases
