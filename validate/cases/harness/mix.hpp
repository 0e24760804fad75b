// Inputs that host and device can compute from where they stand, so that no copy of them is kept.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace overcast::cases {

/// Scatters the bits of `value` (a multiply-and-shift hash; neighbours have nothing in common).
__host__ __device__ constexpr std::uint32_t mix(std::uint32_t value) {
    value = (value ^ (value >> 16)) * 0x7feb352dU;
    value = (value ^ (value >> 15)) * 0x846ca68bU;
    return value ^ (value >> 16);
}

/// A seed for the inputs of one buffer of one unit.
constexpr std::uint32_t seed_of(std::uint32_t unit, std::uint32_t buffer) {
    return mix(unit * 16 + buffer + 1);
}

}  // namespace overcast::cases
