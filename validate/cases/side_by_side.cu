// Exercises: kernels of different resource needs that run side by side; no copies.
//
// Units are single kernels, by turns bound by arithmetic (few blocks of 1024 threads: each takes
// all issue slots of its SM), heavy in shared memory (100 KB per block of 128 threads: two fit on
// an SM, and an SM's split between L1 and shared memory changes only while it is empty), and bound
// by device memory (few blocks that sweep 64 MiB of their own, more than the L2 holds). Which of
// them meet on an SM, and what they share there, decides. `side_by_side` has 33, 32 and 24 blocks;
// `side_by_side_waves` has grids of 0.25, 0.5, 0.94 and 1.9 waves of an H200's 132 SMs, a wave
// being as many blocks as are resident at once.
//
// Cache state: each sweep reads the buffer from the device's memory, in the recording as in every
// other pass.
#include "validate/cases/side_by_side.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/quadratic_map.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kArithmeticBlock = 1024;
constexpr std::uint32_t kSharedBlock = 128;
constexpr std::uint32_t kMemoryBlock = 512;
constexpr std::uint32_t kSharedWords = 25'600;  // 100 KB
constexpr std::uint32_t kSharedBytes = kSharedWords * sizeof(std::uint32_t);
constexpr std::uint32_t kWordsPerLoad = 4;  // a uint4
constexpr std::size_t kSamples = 6;

__host__ __device__ constexpr std::uint32_t walk_start(std::uint32_t seed, std::uint32_t thread) {
    return mix(seed ^ thread);
}

/// Scales all 32 bits to a place in the table; as cheap on the host as on the device.
__host__ __device__ constexpr std::uint32_t place_in_table(std::uint32_t state) {
    return static_cast<std::uint32_t>(std::uint64_t{state} * kSharedWords >> 32);
}

__host__ __device__ constexpr std::uint32_t next_state(std::uint32_t state, std::uint32_t found) {
    return state * 1'664'525U + found;
}

__host__ __device__ constexpr std::uint32_t add_to_sum(std::uint32_t sum, std::uint32_t word) {
    return sum * 3 + word;
}

__global__ void iterate_from_thread(float* __restrict__ results, std::uint32_t seed,
                                    std::uint32_t iterations) {
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    results[thread] = iterate_map(map_input(seed, thread), iterations);
}

/// Each thread walks through a table of random numbers, the next place depending on the last.
__global__ void walk_shared_table(std::uint32_t* __restrict__ results, std::uint32_t seed,
                                  std::uint32_t steps) {
    extern __shared__ std::uint32_t table[];
    for (std::uint32_t i = threadIdx.x; i < kSharedWords; i += blockDim.x) {
        table[i] = mix(seed + i);
    }
    __syncthreads();
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t state = walk_start(seed, thread);
#pragma unroll 4
    for (std::uint32_t i = 0; i < steps; ++i) {
        state = next_state(state, table[place_in_table(state)]);
    }
    results[thread] = state;
}

__global__ void fill_words(std::uint32_t* words, std::uint32_t size, std::uint32_t seed) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += gridDim.x * blockDim.x) {
        words[i] = mix(seed + i);
    }
}

__device__ std::uint32_t add_words(std::uint32_t sum, const uint4& words) {
    sum = add_to_sum(sum, words.x);
    sum = add_to_sum(sum, words.y);
    sum = add_to_sum(sum, words.z);
    return add_to_sum(sum, words.w);
}

/// Each thread sums its share of the loads, `sweeps` times, in an order that the result depends on.
__global__ void sweep_buffer(const uint4* __restrict__ buffer, std::uint32_t* __restrict__ results,
                             std::uint32_t loads, std::uint32_t sweeps) {
    constexpr std::uint32_t kAtOnce = 4;  // loads in flight per thread
    const std::uint32_t threads = gridDim.x * blockDim.x;
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t sum = 0;
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        std::uint32_t i = thread;
        for (; i + (kAtOnce - 1) * threads < loads; i += kAtOnce * threads) {
            uint4 words[kAtOnce];
#pragma unroll
            for (std::uint32_t load = 0; load < kAtOnce; ++load) {
                words[load] = buffer[i + load * threads];
            }
#pragma unroll
            for (std::uint32_t load = 0; load < kAtOnce; ++load) {
                sum = add_words(sum, words[load]);
            }
        }
        for (; i < loads; i += threads) {
            sum = add_words(sum, buffer[i]);
        }
    }
    results[thread] = sum;
}

struct Lengths {
    std::uint32_t iterations;  // of the arithmetic
    std::uint32_t steps;       // of the walk
    std::uint32_t sweeps;      // of the buffer
    std::uint32_t words;       // of the buffer
};

Lengths lengths_from(const Values& values) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
    const std::uint64_t bytes = values["bytes"];
    if (bytes == 0 || bytes % sizeof(uint4) != 0 || bytes > kMostBytes) {
        throw OptionError("bytes must be a multiple of 16, up to 2^32");
    }
    return {values.count("iterations"), values.count("steps"), values.count("sweeps"),
            static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t))};
}

std::uint32_t threads_of(const KernelShape& shape) {
    switch (shape.need) {
        case Need::arithmetic: return shape.blocks * kArithmeticBlock;
        case Need::shared_memory: return shape.blocks * kSharedBlock;
        case Need::device_memory: return shape.blocks * kMemoryBlock;
    }
    throw std::logic_error("a need that is none");
}

struct Unit {
    KernelShape shape;
    DeviceArray<std::uint32_t> results;  // the bits of floats, where the need is arithmetic
    DeviceArray<std::uint32_t> buffer;   // one word where the need is not device memory
};

class SingleKernels : public Work {
public:
    SingleKernels(const std::vector<KernelShape>& shapes, const Lengths& lengths)
        : lengths_{lengths} {
        check(cudaFuncSetAttribute(walk_shared_table, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   kSharedBytes),
              "cudaFuncSetAttribute");
        units_.reserve(shapes.size());
        for (std::uint32_t number = 0; number < shapes.size(); ++number) {
            const KernelShape& shape = shapes[number];
            const std::uint32_t words = shape.need == Need::device_memory ? lengths.words : 1;
            units_.push_back({shape, DeviceArray<std::uint32_t>{threads_of(shape)},
                              DeviceArray<std::uint32_t>{words}});
            fill_words<<<1024, 256>>>(units_.back().buffer.data(), words, seed_of(number, 0));
            check(cudaPeekAtLastError(), "kernel launch");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::vector<Step> steps(std::uint32_t number, Part part) override;
    std::uint64_t verify(std::uint32_t number) const override;

private:
    [[nodiscard]] std::uint32_t expected(std::uint32_t number, std::uint32_t thread) const;

    Lengths lengths_;
    std::vector<Unit> units_;
};

std::vector<Step> SingleKernels::steps(std::uint32_t number, Part part) {
    if (part.of != 1) {
        throw OptionError("a unit without copies cannot be cut into parts");
    }
    const Unit& unit = units_.at(number);
    const std::uint32_t blocks = unit.shape.blocks;
    const std::uint32_t seed = seed_of(number, 0);
    std::uint32_t* const results = unit.results.data();
    switch (unit.shape.need) {
        case Need::arithmetic:
            return {kernel([=, iterations = lengths_.iterations](cudaStream_t stream) {
                iterate_from_thread<<<blocks, kArithmeticBlock, 0, stream>>>(
                    reinterpret_cast<float*>(results), seed, iterations);
            })};
        case Need::shared_memory:
            return {kernel([=, walk = lengths_.steps](cudaStream_t stream) {
                walk_shared_table<<<blocks, kSharedBlock, kSharedBytes, stream>>>(results, seed,
                                                                                  walk);
            })};
        case Need::device_memory:
            return {kernel([=, loads = lengths_.words / kWordsPerLoad, sweeps = lengths_.sweeps,
                            buffer = unit.buffer.data()](cudaStream_t stream) {
                sweep_buffer<<<blocks, kMemoryBlock, 0, stream>>>(
                    reinterpret_cast<const uint4*>(buffer), results, loads, sweeps);
            })};
    }
    throw std::logic_error("a need that is none");
}

std::uint32_t SingleKernels::expected(std::uint32_t number, std::uint32_t thread) const {
    const KernelShape& shape = units_.at(number).shape;
    switch (shape.need) {
        case Need::arithmetic:
            return std::bit_cast<std::uint32_t>(
                arithmetic_result(number, thread, lengths_.iterations));
        case Need::shared_memory: return shared_memory_result(number, thread, lengths_.steps);
        case Need::device_memory:
            return device_memory_result(number, thread, threads_of(shape), lengths_.words,
                                        lengths_.sweeps);
    }
    throw std::logic_error("a need that is none");
}

std::uint64_t SingleKernels::verify(std::uint32_t number) const {
    const DeviceArray<std::uint32_t>& results = units_.at(number).results;
    std::vector<std::uint32_t> found(results.size());
    check(cudaMemcpy(found.data(), results.data(), results.bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    Comparison comparison{number};
    const std::size_t samples = std::min(kSamples, found.size());
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t thread = spread_sample(sample, samples, found.size());
        comparison.expect("result", thread, expected(number, static_cast<std::uint32_t>(thread)),
                          found[thread]);
    }
    return comparison.checksum();
}

constexpr Need need_of(std::uint32_t unit) { return static_cast<Need>(unit % 3); }

}  // namespace

KernelShape kernel_of_few_blocks(std::uint32_t unit) {
    constexpr std::array<std::uint32_t, 3> kBlocks{33, 32, 24};
    return {need_of(unit), kBlocks[unit % 3]};
}

KernelShape kernel_of_waves(std::uint32_t unit, std::uint32_t sms) {
    // 2,048 threads and 228 KB of shared memory per SM, of which a block takes 1 KB for itself.
    constexpr std::array<std::uint32_t, 3> kResidentPerSm{
        2048 / kArithmeticBlock, 228 / (kSharedBytes / 1024 + 1), 2048 / kMemoryBlock};
    constexpr std::array<std::uint32_t, 4> kPercentOfWave{25, 50, 94, 190};
    const std::uint32_t wave = sms * kResidentPerSm[unit % 3];
    return {need_of(unit), std::max(wave * kPercentOfWave[unit / 3 % 4] / 100, 1U)};
}

float arithmetic_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t iterations) {
    return iterate_map(map_input(seed_of(unit, 0), thread), iterations);
}

std::uint32_t shared_memory_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t steps) {
    const std::uint32_t seed = seed_of(unit, 0);
    std::uint32_t state = walk_start(seed, thread);
    for (std::uint32_t i = 0; i < steps; ++i) {
        state = next_state(state, mix(seed + place_in_table(state)));
    }
    return state;
}

std::uint32_t device_memory_result(std::uint32_t unit, std::uint32_t thread, std::uint32_t threads,
                                   std::uint32_t words, std::uint32_t sweeps) {
    const std::uint32_t seed = seed_of(unit, 0);
    std::uint32_t sum = 0;
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        for (std::uint32_t load = thread; load < words / kWordsPerLoad; load += threads) {
            for (std::uint32_t word = 0; word < kWordsPerLoad; ++word) {
                sum = add_to_sum(sum, mix(seed + load * kWordsPerLoad + word));
            }
        }
    }
    return sum;
}

CaseDefinition side_by_side_case() {
    CaseDefinition result;
    result.name = "side_by_side";
    result.effect = "kernels of few blocks that need arithmetic, shared memory, device memory";
    result.parameters = {
        {"units", "kernels, of three kinds by turns", 12, 12, 3},
        {"iterations", "of the kernel bound by arithmetic", 80'000, 80'000, 16},
        {"steps", "of the walk through shared memory", 16'000, 16'000, 16},
        {"sweeps", "over the buffer in device memory", 6, 6, 2},
        {"bytes", "of each buffer in device memory", 67'108'864, 67'108'864, 65'536},
    };
    result.make = [](const Values& values, HostMemory /*no copies*/) -> std::unique_ptr<Work> {
        std::vector<KernelShape> shapes;
        for (std::uint32_t unit = 0; unit < values.count("units"); ++unit) {
            shapes.push_back(kernel_of_few_blocks(unit));
        }
        return std::make_unique<SingleKernels>(shapes, lengths_from(values));
    };
    return result;
}

CaseDefinition side_by_side_waves_case() {
    CaseDefinition result;
    result.name = "side_by_side_waves";
    result.effect = "the same kernels with grids of 0.25, 0.5, 0.94 and 1.9 waves";
    result.parameters = {
        {"units", "kernels, of three kinds and four grids by turns", 12, 12, 12},
        {"sms", "SMs that a wave is counted in", 132, 132, 4},
        {"iterations", "of the kernel bound by arithmetic", 40'000, 40'000, 16},
        {"steps", "of the walk through shared memory", 12'000, 12'000, 16},
        {"sweeps", "over the buffer in device memory", 20, 20, 2},
        {"bytes", "of each buffer in device memory", 67'108'864, 67'108'864, 65'536},
    };
    result.make = [](const Values& values, HostMemory /*no copies*/) -> std::unique_ptr<Work> {
        std::vector<KernelShape> shapes;
        for (std::uint32_t unit = 0; unit < values.count("units"); ++unit) {
            shapes.push_back(kernel_of_waves(unit, values.count("sms")));
        }
        return std::make_unique<SingleKernels>(shapes, lengths_from(values));
    };
    return result;
}

}  // namespace overcast::cases
