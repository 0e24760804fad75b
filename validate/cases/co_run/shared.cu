// Kernels that read shared memory, words or groups of four, without bank conflicts.
#include "validate/cases/co_run/sampled.hpp"
#include "validate/cases/harness/mix.hpp"

#include <utility>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kMostThreads = 1024;

__device__ std::uint32_t thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

__host__ __device__ constexpr std::uint32_t add_to_sum(std::uint32_t sum, std::uint32_t word) {
    return sum * 3 + word;
}

template <int words>
constexpr std::uint32_t kTableWords = words == 1 ? 4'096 : 8'192;
template <int words>
constexpr std::uint32_t kReads = words == 1 ? 8 : 4;  // per iteration

/// Neighbouring threads read neighbouring words. The first half of the table has the place of the
/// first read, from which the others lie at fixed distances: they cost one instruction each.
template <int words>
__host__ __device__ constexpr std::uint32_t table_place(std::uint32_t thread_of_block,
                                                        std::uint32_t iteration,
                                                        std::uint32_t read) {
    constexpr std::uint32_t kPlaces = kTableWords<words> / words / 2;
    constexpr std::uint32_t kStride = 32 * 7;
    return ((thread_of_block + iteration * kStride) % kPlaces + read * (kPlaces / kReads<words>)) *
           words;
}

template <int words>
__global__ void __launch_bounds__(kMostThreads)
    read_shared(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) {
    __shared__ alignas(16) std::uint32_t table[kTableWords<words>];
    for (std::uint32_t i = threadIdx.x; i < kTableWords<words>; i += blockDim.x) {
        table[i] = mix(seed + i);
    }
    __syncthreads();
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < iterations; ++i) {
#pragma unroll
        for (std::uint32_t read = 0; read < kReads<words>; ++read) {
            const std::uint32_t place = table_place<words>(threadIdx.x, i, read);
            if constexpr (words == 1) {
                sum = add_to_sum(sum, table[place]);
            } else {
                const uint4 found = *reinterpret_cast<const uint4*>(table + place);
                sum = add_to_sum(sum, found.x ^ found.y ^ found.z ^ found.w);
            }
        }
    }
    results[thread_of_grid()] = sum;
}

/// `thread` is counted within the block: all blocks do the same.
template <int words>
std::uint32_t shared_result(std::uint32_t seed, std::uint32_t thread, std::uint32_t iterations) {
    std::uint32_t sum = 0;
    for (std::uint32_t read = 0; read < iterations * kReads<words>; ++read) {
        const std::uint32_t place =
            table_place<words>(thread, read / kReads<words>, read % kReads<words>);
        std::uint32_t found = 0;
        for (std::uint32_t word = 0; word < words; ++word) {
            found ^= mix(seed + place + word);
        }
        sum = add_to_sum(sum, found);
    }
    return sum;
}

template <int words>
ClassVariant shared_variant(std::vector<std::uint32_t> blocks, const IterationCost& cost) {
    return {
        std::move(blocks),
        {},
        cost,
        reinterpret_cast<const void*>(read_shared<words>),
        [](const LaunchPlan& plan) -> std::unique_ptr<CoRunKernel> {
            return std::make_unique<ThreadKernel>(
                ThreadProgram{read_shared<words>, shared_result<words>, Compare::place_in_block},
                plan);
        }};
}

}  // namespace

// Costs follow from 128 bytes per SM and cycle.
std::array<ClassVariant, 2> shared_variants() {
    return {shared_variant<1>({64, 256, 1024}, {75, 8.5, 0}),
            shared_variant<4>({128, 512, 768}, {80, 17, 0})};
}

}  // namespace overcast::cases
