// Kernels each of whose threads leaves one word that the host can compute, too.
#pragma once

#include "validate/cases/co_run/classes.hpp"
#include "validate/cases/harness/memory.hpp"

#include <cmath>
#include <cstring>
#include <sstream>

namespace overcast::cases {

inline constexpr std::size_t kCoRunSamples = 3;

__host__ __device__ inline std::uint32_t bits_of(float value) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(value);
#else
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}

template <typename T>
T read_element(const T* array, std::size_t element) {
    T result{};
    check(cudaMemcpy(&result, array + element, sizeof(T), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    return result;
}

/// How a thread's word is compared with the host's.
enum class Compare : std::uint8_t {
    exactly,
    about,          ///< the words are floats, and the device's functions inexact
    place_in_block  ///< exactly; all blocks do the same: the thread is counted within its block
};

/// The kernel and what its thread `thread` (counted over the grid) computes.
struct ThreadProgram {
    void (*kernel)(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) = nullptr;
    std::uint32_t (*result)(std::uint32_t seed, std::uint32_t thread,
                            std::uint32_t iterations) = nullptr;
    Compare compare = Compare::exactly;
};

class ThreadKernel : public CoRunKernel {
public:
    ThreadKernel(const ThreadProgram& program, const LaunchPlan& plan)
        : program_{program}, plan_{plan}, results_{std::size_t{plan.blocks} * plan.block} {}

    void launch(cudaStream_t stream) override {
        program_.kernel<<<plan_.blocks, plan_.block, 0, stream>>>(results_.data(), plan_.seed,
                                                                  plan_.iterations);
        check(cudaPeekAtLastError(), "kernel launch");
    }

    void verify(Comparison& comparison) const override {
        for (std::size_t sample = 0; sample < kCoRunSamples; ++sample) {
            const std::size_t thread = spread_sample(sample, kCoRunSamples, results_.size());
            const auto found = read_element(results_.data(), thread);
            const std::size_t counted =
                program_.compare == Compare::place_in_block ? thread % plan_.block : thread;
            const auto expected =
                program_.result(plan_.seed, static_cast<std::uint32_t>(counted), plan_.iterations);
            if (program_.compare == Compare::about) {
                expect_about(thread, expected, found);
                comparison.expect("result", thread, found, found);  // into the checksum
            } else {
                comparison.expect("result", thread, expected, found);
            }
        }
    }

private:
    static void expect_about(std::size_t thread, std::uint32_t expected, std::uint32_t found) {
        constexpr float kTolerance = 2e-3F;
        float wanted = 0;
        float got = 0;
        std::memcpy(&wanted, &expected, sizeof wanted);
        std::memcpy(&got, &found, sizeof got);
        if (!(std::abs(got - wanted) <= kTolerance * std::abs(wanted))) {
            std::ostringstream text;
            text << "wrong result: element " << thread << ": expected about " << wanted
                 << ", found " << got;
            throw std::runtime_error(text.str());
        }
    }

    ThreadProgram program_;
    LaunchPlan plan_;
    DeviceArray<std::uint32_t> results_;
};

}  // namespace overcast::cases
