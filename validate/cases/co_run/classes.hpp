// The classes of kernels that co-run. To add one: its row in classes.cu, its name in KernelClass.
#pragma once

#include "validate/cases/co_run/group.hpp"
#include "validate/cases/harness/comparison.hpp"

#include <cuda_runtime.h>

#include <array>
#include <memory>

namespace overcast::cases {

/// What an iteration of one warp costs on an H200, in cycles: from launch to launch of it where
/// nothing else runs, of an SM's throughput, of the whole device's.
struct IterationCost {
    double latency = 0;
    double of_sm = 0;
    double of_device = 0;
};

/// A launch; where a library decides, only target, waves and seed count.
struct LaunchPlan {
    std::uint32_t blocks = 0;
    std::uint32_t block = 0;
    std::uint32_t iterations = 0;
    std::uint32_t tenths_of_wave = 0;
    std::uint32_t sms = 0;
    double target_us = 0;
    std::size_t bytes = 0;  ///< of its buffer
    std::uint32_t seed = 0;
};

/// One kernel with its buffers.
class CoRunKernel {
public:
    CoRunKernel() = default;
    CoRunKernel(const CoRunKernel&) = delete;
    CoRunKernel& operator=(const CoRunKernel&) = delete;
    virtual ~CoRunKernel() = default;

    virtual void launch(cudaStream_t stream) = 0;
    /// Throws std::runtime_error where a sampled result is not the host's.
    virtual void verify(Comparison& comparison) const = 0;
};

struct ClassVariant {
    std::vector<std::uint32_t> blocks;     ///< threads of a block that are drawn; none: a library
    std::vector<std::uint32_t> megabytes;  ///< of a buffer, that are drawn
    IterationCost cost;
    const void* kernel = nullptr;  ///< null where a library decides
    std::unique_ptr<CoRunKernel> (*make)(const LaunchPlan& plan) = nullptr;
};

struct ClassRow {
    KernelClass kind = KernelClass::issue;
    std::string_view name;
    std::array<ClassVariant, 2> variants;

    [[nodiscard]] const ClassVariant& variant(Variant which) const {
        return variants[static_cast<std::size_t>(which)];
    }
};

const ClassRow& class_row(KernelClass kind);

/// Blocks of so many tenths of a wave, one at least.
std::uint32_t blocks_of(std::uint32_t tenths_of_wave, std::uint32_t resident_per_sm,
                        std::uint32_t sms);

/// So many that the launch takes about its target on an H200, one at least. From constants, not
/// from a measurement: the recorded, the counted and the timed process must do the same.
std::uint32_t iterations_for(const IterationCost& cost, const LaunchPlan& plan,
                             std::uint32_t resident_per_sm);

// The variants, by the file that holds the kernels.
std::array<ClassVariant, 2> issue_variants();
std::array<ClassVariant, 2> fma_variants();
std::array<ClassVariant, 2> special_variants();
std::array<ClassVariant, 2> integer_variants();
std::array<ClassVariant, 2> shared_variants();
std::array<ClassVariant, 2> l2_variants();
std::array<ClassVariant, 2> dram_variants();
std::array<ClassVariant, 2> chase_variants();
std::array<ClassVariant, 2> tensor_variants();

}  // namespace overcast::cases
