// The arithmetic of the mixed cases: a map whose last bit depends on every iteration, on the device
// and on the host alike.
#pragma once

#include "validate/cases/harness/mix.hpp"

#include <cmath>
#include <cstdint>

namespace overcast::cases {

// In this range the map is chaotic and stays within ±1.967: a result that lacks one iteration, or
// that was rounded otherwise in one, is plainly different.
constexpr float kMapConstant = -1.9F;

__host__ __device__ inline float iterate_map(float value, std::uint32_t iterations) {
#ifdef __CUDA_ARCH__
#pragma unroll 8
#endif
    for (std::uint32_t i = 0; i < iterations; ++i) {
        value = fmaf(value, value, kMapConstant);
    }
    return value;
}

/// An input in [-1, 1).
__host__ __device__ constexpr float map_input(std::uint32_t seed, std::uint32_t element) {
    return static_cast<float>(mix(seed + element) >> 8) / static_cast<float>(1U << 23) - 1.0F;
}

/// Both halves of the mean are exact and their sum is rounded once: no compiler may fuse it.
__host__ __device__ constexpr float mean_of(float first, float second) {
    return 0.5F * first + 0.5F * second;
}

}  // namespace overcast::cases
