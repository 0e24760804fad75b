// Kernels that need memory: the L2, the device's memory, and one load at a time.
//
// Loads that are meant for the L2 go past the L1. A chase through a large buffer touches only a
// part of it, so that in later passes more of it is found in the L2 the smaller the grid is: as it
// is in the recording, which is made after a pass, too.
#include "validate/cases/co_run/sampled.hpp"
#include "validate/cases/harness/mix.hpp"

#include <utility>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kFactor = 1'664'525;         // = 1 mod 4, and with an odd increment:
constexpr std::uint32_t kIncrement = 1'013'904'223;  // one cycle through all of 2^k

__device__ std::uint32_t thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

__host__ __device__ constexpr std::uint32_t add_to_sum(std::uint32_t sum, std::uint32_t word) {
    return sum * 3 + word;
}

/// A grid walks through a buffer, round and round.
struct Walk {
    std::uint32_t place, stride, size;

    __host__ __device__ Walk(std::uint32_t thread, std::uint32_t threads, std::uint32_t elements)
        : place{thread % elements}, stride{threads % elements}, size{elements} {}
    __host__ __device__ std::uint32_t next() {
        const std::uint32_t result = place;
        place = place + stride < size ? place + stride : place + stride - size;
        return result;
    }
};

enum class Level : std::uint8_t { l2, dram };
constexpr int kAtOnce = 4;  // loads in flight per thread

template <Level level>
__global__ void __launch_bounds__(kMostThreads)
    sweep(const uint4* __restrict__ buffer, std::uint32_t* results, std::uint32_t size,
          std::uint32_t iterations) {
    Walk walk{thread_of_grid(), gridDim.x * blockDim.x, size};
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < iterations; ++i) {
        uint4 found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            each = __ldcg(buffer + walk.next());
        }
#pragma unroll
        for (const auto& each : found) {
            sum = add_to_sum(sum, each.x ^ each.y ^ each.z ^ each.w);
        }
    }
    results[thread_of_grid()] = sum;
}

__host__ __device__ constexpr std::uint32_t next_random(std::uint32_t state) {
    return state * kFactor + kIncrement;
}

/// Words from all over the buffer: a sector of the L2 for each. `size` is a power of two.
__global__ void __launch_bounds__(kMostThreads)
    gather(const std::uint32_t* __restrict__ buffer, std::uint32_t* results, std::uint32_t seed,
           std::uint32_t size, std::uint32_t iterations) {
    std::uint32_t state = mix(seed ^ thread_of_grid());
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < iterations; ++i) {
        std::uint32_t found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            state = next_random(state);
            each = __ldcg(buffer + ((state >> 4) & (size - 1)));
        }
#pragma unroll
        for (const auto each : found) {
            sum = add_to_sum(sum, each);
        }
    }
    results[thread_of_grid()] = sum;
}

/// Reads one half of the buffer and writes the other.
__global__ void __launch_bounds__(kMostThreads)
    rewrite(const uint4* __restrict__ from, uint4* __restrict__ to, std::uint32_t size,
            std::uint32_t iterations) {
    Walk walk{thread_of_grid(), gridDim.x * blockDim.x, size};
    for (std::uint32_t i = 0; i < iterations; ++i) {
        std::uint32_t places[2]{walk.next(), walk.next()};
        const uint4 found[2]{from[places[0]], from[places[1]]};
#pragma unroll
        for (int each = 0; each < 2; ++each) {
            const uint4 word = found[each];
            to[places[each]] =
                uint4{word.x * 3 + 1, word.y * 3 + 1, word.z * 3 + 1, word.w * 3 + 1};
        }
    }
}

__global__ void fill_words(std::uint32_t* words, std::uint32_t size, std::uint32_t seed) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += gridDim.x * blockDim.x) {
        words[i] = mix(seed + i);
    }
}

/// Each word holds the place of the next, all on one cycle. `width`: words of a link.
template <int width>
__global__ void fill_links(std::uint32_t* words, std::uint32_t links) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < links;
         i += gridDim.x * blockDim.x) {
        for (int word = 0; word < width; ++word) {
            words[i * width + static_cast<unsigned>(word)] = next_random(i) % links;
        }
    }
}

__host__ __device__ constexpr std::uint32_t chase_start(std::uint32_t seed, std::uint32_t chaser,
                                                        std::uint32_t links) {
    return mix(seed ^ chaser) % links;
}

/// `lanes` threads of each warp follow links of `width` words, one load after the other.
template <int lanes, int width>
__global__ void __launch_bounds__(kMostThreads)
    chase(const std::uint32_t* __restrict__ words, std::uint32_t* results, std::uint32_t seed,
          std::uint32_t links, std::uint32_t iterations) {
    if (threadIdx.x % 32 >= lanes) {
        return;
    }
    const std::uint32_t chaser = thread_of_grid() / 32 * lanes + threadIdx.x % 32;
    std::uint32_t place = chase_start(seed, chaser, links);
#pragma unroll 1
    for (std::uint32_t i = 0; i < iterations; ++i) {
        if constexpr (width == 1) {
            place = __ldcg(words + place);
        } else {
            const uint2 link = __ldcg(reinterpret_cast<const uint2*>(words) + place);
            place = (link.x + link.y) / 2;
        }
    }
    results[chaser] = place;
}

/// The results of a kernel with a buffer; `expected` is what makes the kinds differ.
class BufferKernel : public CoRunKernel {
public:
    explicit BufferKernel(const LaunchPlan& plan)
        : plan_{plan},
          buffer_{plan.bytes / sizeof(std::uint32_t)},
          results_{std::size_t{plan.blocks} * plan.block} {}

    void verify(Comparison& comparison) const override {
        for (std::size_t sample = 0; sample < kCoRunSamples; ++sample) {
            const auto number =
                static_cast<std::uint32_t>(spread_sample(sample, kCoRunSamples, result_count()));
            comparison.expect("result", number, expected(number), found(number));
        }
    }

protected:
    [[nodiscard]] virtual std::size_t result_count() const { return results_.size(); }
    [[nodiscard]] virtual std::uint32_t expected(std::uint32_t number) const = 0;
    [[nodiscard]] virtual std::uint32_t found(std::uint32_t number) const {
        return read_element(results_.data(), number);
    }

    [[nodiscard]] std::uint32_t threads() const { return plan_.blocks * plan_.block; }
    [[nodiscard]] std::uint32_t words() const { return static_cast<std::uint32_t>(buffer_.size()); }
    [[nodiscard]] std::uint32_t vectors() const { return words() / 4; }
    [[nodiscard]] const LaunchPlan& plan() const { return plan_; }
    [[nodiscard]] std::uint32_t* buffer() const { return buffer_.data(); }
    [[nodiscard]] const uint4* vector_buffer() const {
        return reinterpret_cast<const uint4*>(buffer());
    }
    [[nodiscard]] std::uint32_t* results() const { return results_.data(); }
    [[nodiscard]] std::uint32_t word(std::size_t place) const {
        return mix(plan_.seed + static_cast<std::uint32_t>(place));
    }
    void fill() const {
        fill_words<<<1024, 256>>>(buffer(), words(), plan_.seed);
        check(cudaPeekAtLastError(), "kernel launch");
    }

private:
    LaunchPlan plan_;
    DeviceArray<std::uint32_t> buffer_;
    DeviceArray<std::uint32_t> results_;
};

template <Level level>
class Sweep : public BufferKernel {
public:
    explicit Sweep(const LaunchPlan& plan) : BufferKernel{plan} { fill(); }

    void launch(cudaStream_t stream) override {
        sweep<level><<<plan().blocks, plan().block, 0, stream>>>(vector_buffer(), results(),
                                                                 vectors(), plan().iterations);
        check(cudaPeekAtLastError(), "kernel launch");
    }

private:
    [[nodiscard]] std::uint32_t expected(std::uint32_t thread) const override {
        Walk walk{thread, threads(), vectors()};
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < plan().iterations * kAtOnce; ++i) {
            const std::size_t first = std::size_t{walk.next()} * 4;
            sum =
                add_to_sum(sum, word(first) ^ word(first + 1) ^ word(first + 2) ^ word(first + 3));
        }
        return sum;
    }
};

class Gather : public BufferKernel {
public:
    explicit Gather(const LaunchPlan& plan) : BufferKernel{plan} { fill(); }

    void launch(cudaStream_t stream) override {
        gather<<<plan().blocks, plan().block, 0, stream>>>(buffer(), results(), plan().seed,
                                                           words(), plan().iterations);
        check(cudaPeekAtLastError(), "kernel launch");
    }

private:
    [[nodiscard]] std::uint32_t expected(std::uint32_t thread) const override {
        std::uint32_t state = mix(plan().seed ^ thread);
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < plan().iterations * kAtOnce; ++i) {
            state = next_random(state);
            sum = add_to_sum(sum, word((state >> 4) % words()));
        }
        return sum;
    }
};

class Rewrite : public BufferKernel {
public:
    explicit Rewrite(const LaunchPlan& plan) : BufferKernel{plan} { fill(); }

    void launch(cudaStream_t stream) override {
        rewrite<<<plan().blocks, plan().block, 0, stream>>>(
            vector_buffer(), reinterpret_cast<uint4*>(buffer()) + vectors() / 2, vectors() / 2,
            plan().iterations);
        check(cudaPeekAtLastError(), "kernel launch");
    }

private:
    /// The vector that a thread writes last.
    [[nodiscard]] std::size_t last_place(std::uint32_t thread) const {
        Walk walk{thread, threads(), vectors() / 2};
        for (std::uint32_t i = 1; i < plan().iterations * 2; ++i) {
            walk.next();
        }
        return walk.next();
    }
    [[nodiscard]] std::uint32_t expected(std::uint32_t thread) const override {
        return word(last_place(thread) * 4) * 3 + 1;
    }
    [[nodiscard]] std::uint32_t found(std::uint32_t thread) const override {
        return read_element(buffer(), (vectors() / 2 + last_place(thread)) * 4);
    }
};

template <int lanes, int width>
class Chase : public BufferKernel {
public:
    explicit Chase(const LaunchPlan& plan) : BufferKernel{plan} {
        fill_links<width><<<1024, 256>>>(buffer(), links());
        check(cudaPeekAtLastError(), "kernel launch");
    }

    void launch(cudaStream_t stream) override {
        chase<lanes, width><<<plan().blocks, plan().block, 0, stream>>>(
            buffer(), results(), plan().seed, links(), plan().iterations);
        check(cudaPeekAtLastError(), "kernel launch");
    }

private:
    [[nodiscard]] std::uint32_t links() const { return words() / width; }
    [[nodiscard]] std::size_t result_count() const override { return threads() / 32 * lanes; }
    [[nodiscard]] std::uint32_t expected(std::uint32_t chaser) const override {
        std::uint32_t place = chase_start(plan().seed, chaser, links());
        for (std::uint32_t i = 0; i < plan().iterations; ++i) {
            place = next_random(place) % links();
        }
        return place;
    }
};

template <typename Owner, typename Kernel>
ClassVariant buffer_variant(Kernel* kernel, std::vector<std::uint32_t> blocks,
                            std::vector<std::uint32_t> megabytes, const IterationCost& cost) {
    return {std::move(blocks), std::move(megabytes), cost, reinterpret_cast<const void*>(kernel),
            [](const LaunchPlan& plan) -> std::unique_ptr<CoRunKernel> {
                return std::make_unique<Owner>(plan);
            }};
}

}  // namespace

// Costs follow from 64 bytes of the L2 per SM and cycle, and of all SMs together 2,780 of the L2
// and 2,020 of the device's memory.
std::array<ClassVariant, 2> l2_variants() {
    return {buffer_variant<Sweep<Level::l2>>(sweep<Level::l2>, {64, 256, 1024}, {4, 8, 12, 16},
                                             {380, 32, 0.74}),
            buffer_variant<Gather>(gather, {128, 512, 768}, {4, 8, 16}, {450, 64, 1.64})};
}

std::array<ClassVariant, 2> dram_variants() {
    return {buffer_variant<Sweep<Level::dram>>(sweep<Level::dram>, {64, 256, 1024},
                                               {96, 128, 192, 256}, {900, 41, 1.01}),
            buffer_variant<Rewrite>(rewrite, {128, 512, 768}, {128, 192, 256}, {900, 45, 1.12})};
}

std::array<ClassVariant, 2> chase_variants() {
    return {buffer_variant<Chase<1, 1>>(chase<1, 1>, {64, 256, 1024}, {128, 256}, {750, 0, 0.03}),
            buffer_variant<Chase<8, 2>>(chase<8, 2>, {128, 512, 768}, {8, 16}, {300, 0, 0.1})};
}

}  // namespace overcast::cases
