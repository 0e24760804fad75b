// Kernels that touch no memory but their result: issue slots, multiply-adds, special functions,
// integers. Host and device run the same functions.
#include "validate/cases/co_run/sampled.hpp"
#include "validate/cases/quadratic_map.hpp"

namespace overcast::cases {
namespace {

constexpr std::uint32_t kMostThreads = 1024;

__device__ std::uint32_t thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// `floats` chains of multiply-adds beside `integers` of logic and addition, independent.
template <int floats, int integers>
__host__ __device__ std::uint32_t mixed_result(std::uint32_t seed, std::uint32_t thread,
                                               std::uint32_t iterations) {
    constexpr int kSteps = 4;
    float values[floats];
    std::uint32_t words[integers];
    for (int i = 0; i < floats; ++i) {
        values[i] = map_input(seed + static_cast<std::uint32_t>(i), thread);
    }
    for (int i = 0; i < integers; ++i) {
        words[i] = mix(seed + thread + static_cast<std::uint32_t>(i));
    }
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
        for (int step = 0; step < kSteps; ++step) {
            for (int i = 0; i < floats; ++i) {
                values[i] = fmaf(values[i], values[i], kMapConstant);
            }
            for (int i = 0; i < integers; ++i) {
                words[i] = (words[i] ^ 0x9E3779B9U) + iteration;
            }
        }
    }
    std::uint32_t result = 0;
    for (int i = 0; i < floats; ++i) {
        result = result * 31 + bits_of(values[i]);
    }
    for (int i = 0; i < integers; ++i) {
        result = result * 31 + words[i];
    }
    return result;
}

template <int floats, int integers>
__global__ void __launch_bounds__(kMostThreads)
    fill_issue_slots(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) {
    results[thread_of_grid()] = mixed_result<floats, integers>(seed, thread_of_grid(), iterations);
}

template <int chains, int steps>
__host__ __device__ std::uint32_t fma_result(std::uint32_t seed, std::uint32_t thread,
                                             std::uint32_t iterations) {
    float values[chains];
    for (int i = 0; i < chains; ++i) {
        values[i] = map_input(seed + static_cast<std::uint32_t>(i), thread);
    }
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
        for (int step = 0; step < steps; ++step) {
            for (int i = 0; i < chains; ++i) {
                values[i] = fmaf(values[i], values[i], kMapConstant);
            }
        }
    }
    std::uint32_t result = 0;
    for (int i = 0; i < chains; ++i) {
        result = result * 31 + bits_of(values[i]);
    }
    return result;
}

template <int chains, int steps>
__global__ void __launch_bounds__(kMostThreads)
    multiply_add(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) {
    results[thread_of_grid()] = fma_result<chains, steps>(seed, thread_of_grid(), iterations);
}

/// Maps that contract, so that the device's small errors stay small; the sum tells every step.
__host__ __device__ inline float next_sine(float value, float drive) {
#ifdef __CUDA_ARCH__
    return fmaf(0.75F, __sinf(value), drive);
#else
    return std::fma(0.75F, std::sin(value), drive);
#endif
}

__host__ __device__ inline float next_root(float value) {
#ifdef __CUDA_ARCH__
    float root = 0;
    float power = 0;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(value + 1.5F));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-root));
    return power;
#else
    return std::exp2(-1.0F / std::sqrt(value + 1.5F));
#endif
}

enum class Function : std::uint8_t { sine, root };

template <Function function>
__host__ __device__ std::uint32_t special_result(std::uint32_t seed, std::uint32_t thread,
                                                 std::uint32_t iterations) {
    const float drive = 0.5F + 0.25F * map_input(seed, thread);
    float first = drive;
    float second = drive + 0.5F;
    float sum = 0;
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
        for (int step = 0; step < (function == Function::sine ? 8 : 4); ++step) {
            if constexpr (function == Function::sine) {
                first = next_sine(first, drive);
                sum += first;
            } else {
                first = next_root(first);
                second = next_root(second);
                sum += first;
            }
        }
    }
    return bits_of(sum + second);
}

template <Function function>
__global__ void __launch_bounds__(kMostThreads)
    call_special(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) {
    results[thread_of_grid()] = special_result<function>(seed, thread_of_grid(), iterations);
}

__host__ __device__ inline std::uint32_t shifted_step(std::uint32_t word) {
    word ^= word << 13;
    word ^= word >> 17;
    return word ^ (word << 5);
}

__host__ __device__ inline std::uint32_t rotated_step(std::uint32_t word) {
    return ((word << 7) | (word >> 25)) ^ (word + 0x9E3779B9U);
}

template <int chains>
__host__ __device__ std::uint32_t integer_result(std::uint32_t seed, std::uint32_t thread,
                                                 std::uint32_t iterations) {
    constexpr int kSteps = chains == 1 ? 4 : 8;
    std::uint32_t words[chains];
    for (int i = 0; i < chains; ++i) {
        words[i] = mix(seed ^ (thread * 8 + static_cast<std::uint32_t>(i)));
    }
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
        for (int step = 0; step < kSteps; ++step) {
            for (int i = 0; i < chains; ++i) {
                words[i] = chains == 1 ? shifted_step(words[i]) : rotated_step(words[i]);
            }
        }
    }
    std::uint32_t result = 0;
    for (int i = 0; i < chains; ++i) {
        result = result * 31 + words[i];
    }
    return result;
}

template <int chains>
__global__ void __launch_bounds__(kMostThreads)
    shift_and_add(std::uint32_t* results, std::uint32_t seed, std::uint32_t iterations) {
    results[thread_of_grid()] = integer_result<chains>(seed, thread_of_grid(), iterations);
}

// What each variant is: the table's rows. Costs follow from the instructions of a loop and an SM's
// rates: 4 issued per cycle, 4 multiply-adds, 2 of integers, 0.5 special functions.
template <auto kernel, auto result, Compare compare = Compare::exactly>
ClassVariant thread_variant(std::vector<std::uint32_t> blocks, const IterationCost& cost) {
    ClassVariant row;
    row.blocks = std::move(blocks);
    row.cost = cost;
    row.kernel = reinterpret_cast<const void*>(kernel);
    row.make = [](const LaunchPlan& plan) -> std::unique_ptr<CoRunKernel> {
        return std::make_unique<ThreadKernel>(ThreadProgram{kernel, result, compare}, plan);
    };
    return row;
}

}  // namespace

std::array<ClassVariant, 2> issue_variants() {
    return {
        thread_variant<fill_issue_slots<4, 2>, mixed_result<4, 2>>({64, 256, 1024}, {52, 9, 0}),
        thread_variant<fill_issue_slots<6, 1>, mixed_result<6, 1>>({128, 512, 768}, {52, 9, 0})};
}

std::array<ClassVariant, 2> fma_variants() {
    return {thread_variant<multiply_add<1, 16>, fma_result<1, 16>>({64, 256, 1024}, {72, 4.75, 0}),
            thread_variant<multiply_add<4, 8>, fma_result<4, 8>>({128, 512, 768}, {42, 8.75, 0})};
}

std::array<ClassVariant, 2> special_variants() {
    return {thread_variant<call_special<Function::sine>, special_result<Function::sine>,
                           Compare::about>({64, 256, 1024}, {256, 17.5, 0}),
            thread_variant<call_special<Function::root>, special_result<Function::root>,
                           Compare::about>({128, 512, 768}, {208, 35, 0})};
}

std::array<ClassVariant, 2> integer_variants() {
    return {thread_variant<shift_and_add<1>, integer_result<1>>({64, 256, 1024}, {108, 9, 0}),
            thread_variant<shift_and_add<2>, integer_result<2>>({128, 512, 768}, {88, 24, 0})};
}

}  // namespace overcast::cases
