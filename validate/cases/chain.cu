// Exercises: chains of many operations in one stream, the same in every unit.
//
// `chain`: a copy in, six kernels in a row whose grids, blocks and scarce units differ (a full grid
// of arithmetic, a reversal through shared memory, neighbours' means, few fat blocks, many small
// blocks, a streaming pass), a copy out. `chain_memsets`: memset, copy in, kernel, copy within the
// device, kernel, memset, kernel, copy within, copy out: memsets and copies within the device are
// work for the SMs and stand in a compute channel, not in a copy engine.
//
// At 1 Mi elements the copies take about 77 us each and the kernels of `chain` about 32, 6, 6, 25,
// 10 and 6 us on an H200.
#include "validate/cases/chain.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/quadratic_map.hpp"

#include <algorithm>
#include <limits>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kTile = 1024;  // elements that a block reverses
constexpr std::size_t kSamples = 32;

struct LaunchShape {
    std::uint32_t grid;
    std::uint32_t block;
};
constexpr LaunchShape kFewFatBlocks{66, 1024};
constexpr LaunchShape kManySmallBlocks{2112, 64};
constexpr std::uint32_t kUsualBlock = 256;

__global__ void iterate_elements(const float* input, float* output, std::uint32_t elements,
                                 std::uint32_t iterations) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < elements;
         i += gridDim.x * blockDim.x) {
        output[i] = iterate_map(input[i], iterations);
    }
}

/// One block of kTile threads per tile; the elements are whole tiles.
__global__ void reverse_tiles(const float* __restrict__ input, float* __restrict__ output) {
    __shared__ float tile[kTile];
    const std::uint32_t begin = blockIdx.x * kTile;
    tile[threadIdx.x] = input[begin + threadIdx.x];
    __syncthreads();
    output[begin + threadIdx.x] = tile[kTile - 1 - threadIdx.x];
}

__global__ void average_with_next(const float* __restrict__ input, float* __restrict__ output,
                                  std::uint32_t elements) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        output[i] = mean_of(input[i], input[i + 1 < elements ? i + 1 : 0]);
    }
}

__global__ void negate(const float* __restrict__ input, float* __restrict__ output,
                       std::uint32_t elements) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        output[i] = -input[i];
    }
}

/// Adds to what a memset has cleared.
__global__ void add_iterated(const float* __restrict__ input, float* __restrict__ sum,
                             std::uint32_t elements, std::uint32_t iterations) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        sum[i] += iterate_map(input[i], iterations);
    }
}

/// Adds to what a memset has cleared.
__global__ void add_mean(const float* __restrict__ first, const float* __restrict__ second,
                         float* __restrict__ sum, std::uint32_t elements) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        sum[i] += mean_of(first[i], second[i]);
    }
}

std::uint32_t usual_grid(std::uint32_t elements) {
    return (elements + kUsualBlock - 1) / kUsualBlock;
}

struct Unit {
    HostArray<float> host_input;
    DeviceArray<float> input;
    DeviceArray<float> front;
    DeviceArray<float> back;
    HostArray<float> host_result;
};

using ElementOf = float (*)(const ChainInput& input, std::uint32_t element);

/// `expected` computes an element of the result on the host.
template <ElementOf expected>
class Chains : public Work {
public:
    Chains(const Values& values, HostMemory memory) : iterations_{values.count("iterations")} {
        const std::uint64_t bytes = values["bytes"];
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
        if (bytes == 0 || bytes % (kTile * sizeof(float)) != 0 || bytes > kMostBytes) {
            throw OptionError("bytes must be a multiple of 4096, up to 2^30");
        }
        elements_ = static_cast<std::uint32_t>(bytes / sizeof(float));
        const std::uint32_t count = values.count("units");
        units_.reserve(count);
        for (std::uint32_t number = 0; number < count; ++number) {
            units_.push_back({HostArray<float>{memory, elements_}, DeviceArray<float>{elements_},
                              DeviceArray<float>{elements_}, DeviceArray<float>{elements_},
                              HostArray<float>{memory, elements_}});
            const Unit& unit = units_.back();
            for (std::uint32_t i = 0; i < elements_; ++i) {
                unit.host_input[i] = map_input(seed_of(number, 0), i);
            }
            std::fill_n(unit.host_result.data(), elements_,
                        std::numeric_limits<float>::quiet_NaN());
        }
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::uint64_t verify(std::uint32_t number) const override {
        Comparison comparison{number};
        const std::size_t samples = std::min<std::size_t>(kSamples, elements_);
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::size_t element = spread_sample(sample, samples, elements_);
            comparison.expect(
                "result", element,
                expected({number, elements_, iterations_}, static_cast<std::uint32_t>(element)),
                units_.at(number).host_result[element]);
        }
        return comparison.checksum();
    }

protected:
    [[nodiscard]] const Unit& unit(std::uint32_t number) const { return units_.at(number); }
    [[nodiscard]] std::uint32_t elements() const { return elements_; }
    [[nodiscard]] std::uint32_t iterations() const { return iterations_; }

private:
    std::uint32_t iterations_;
    std::uint32_t elements_ = 0;
    std::vector<Unit> units_;
};

class SixKernels : public Chains<chain_element> {
public:
    using Chains::Chains;

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        if (part.of != 1) {
            throw OptionError("a chain in which elements depend on others cannot be cut");
        }
        const Unit& own = unit(number);
        float* const input = own.input.data();
        float* const front = own.front.data();
        float* const back = own.back.data();
        const std::uint32_t size = elements();
        const std::uint32_t grid = usual_grid(size);
        return {copy_in(own.input, own.host_input, {0, size}),
                kernel([=, all = iterations()](cudaStream_t stream) {
                    iterate_elements<<<grid, kUsualBlock, 0, stream>>>(input, front, size, all);
                }),
                kernel([=](cudaStream_t stream) {
                    reverse_tiles<<<size / kTile, kTile, 0, stream>>>(front, back);
                }),
                kernel([=](cudaStream_t stream) {
                    average_with_next<<<grid, kUsualBlock, 0, stream>>>(back, front, size);
                }),
                kernel([=, half = iterations() / 2](cudaStream_t stream) {
                    iterate_elements<<<kFewFatBlocks.grid, kFewFatBlocks.block, 0, stream>>>(
                        front, front, size, half);
                }),
                kernel([=, quarter = iterations() / 4](cudaStream_t stream) {
                    iterate_elements<<<kManySmallBlocks.grid, kManySmallBlocks.block, 0, stream>>>(
                        front, front, size, quarter);
                }),
                kernel([=](cudaStream_t stream) {
                    negate<<<grid, kUsualBlock, 0, stream>>>(front, back, size);
                }),
                copy_out(own.host_result, own.back, {0, size})};
    }
};

class MemsetsBetween : public Chains<chain_memsets_element> {
public:
    using Chains::Chains;

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        const Unit& own = unit(number);
        const Stretch stretch = stretch_of(elements(), part);
        float* const input = own.input.data() + stretch.begin;
        float* const sum = own.front.data() + stretch.begin;
        float* const kept = own.back.data() + stretch.begin;
        const auto size = static_cast<std::uint32_t>(stretch.size);
        const std::uint32_t grid = usual_grid(size);
        return {clear(own.front, stretch),
                copy_in(own.input, own.host_input, stretch),
                kernel([=, all = iterations()](cudaStream_t stream) {
                    add_iterated<<<grid, kUsualBlock, 0, stream>>>(input, sum, size, all);
                }),
                copy_within(own.back, own.front, stretch),
                kernel([=, half = iterations() / 2](cudaStream_t stream) {
                    iterate_elements<<<grid, kUsualBlock, 0, stream>>>(kept, input, size, half);
                }),
                clear(own.front, stretch),
                kernel([=](cudaStream_t stream) {
                    add_mean<<<grid, kUsualBlock, 0, stream>>>(input, kept, sum, size);
                }),
                copy_within(own.back, own.front, stretch),
                copy_out(own.host_result, own.back, stretch)};
    }
};

template <typename WorkType>
std::unique_ptr<Work> make(const Values& values, HostMemory memory) {
    return std::make_unique<WorkType>(values, memory);
}

}  // namespace

float chain_element(const ChainInput& input, std::uint32_t element) {
    const auto reversed = [&](std::uint32_t i) {
        const std::uint32_t source = i / kTile * kTile + (kTile - 1 - i % kTile);
        return iterate_map(map_input(seed_of(input.unit, 0), source), input.iterations);
    };
    const std::uint32_t next = element + 1 < input.elements ? element + 1 : 0;
    const float mean = mean_of(reversed(element), reversed(next));
    return -iterate_map(iterate_map(mean, input.iterations / 2), input.iterations / 4);
}

float chain_memsets_element(const ChainInput& input, std::uint32_t element) {
    const float kept = iterate_map(map_input(seed_of(input.unit, 0), element), input.iterations);
    return mean_of(iterate_map(kept, input.iterations / 2), kept);
}

CaseDefinition chain_case() {
    CaseDefinition result;
    result.name = "chain";
    result.effect = "a copy in, six kernels of different shape in a row, a copy out";
    result.parameters = {
        {"units", "chains", 16, 16, 3},
        {"bytes", "of each copy (a multiple of 4096)", 4'194'304, 4'194'304, 8'192},
        {"iterations", "of the first kernel's inner loop", 800, 800, 16},
    };
    result.make = make<SixKernels>;
    return result;
}

CaseDefinition chain_memsets_case() {
    CaseDefinition result;
    result.name = "chain_memsets";
    result.effect = "memsets and copies within the device between copies and kernels";
    result.parameters = {
        {"units", "chains", 16, 16, 3},
        {"bytes", "of each copy and memset (a multiple of 4096)", 4'194'304, 4'194'304, 8'192},
        {"iterations", "of the first kernel's inner loop", 800, 800, 16},
    };
    result.make = make<MemsetsBetween>;
    result.can_be_split = true;
    return result;
}

}  // namespace overcast::cases
