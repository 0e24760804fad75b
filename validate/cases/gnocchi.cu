// Exercises: Gnocchi's resampling by a factor of seven, as carbs did it on one stream and on eight.
//
// `gnocchi_v3` is a unit of one long copy in, one full-grid kernel, one copy out a seventh as long:
// bound by the copies to the device, whatever the streams. `gnocchi_v4` cuts the same work into
// eight and issues copy and kernel of every stream before the first copy out (order `recorded`), so
// that no copy out stands in the way of another unit's kernel. Its published kernel is one block
// that walks over 128 chunks; as many blocks as chunks do the same in a fraction of the time.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/harness/pattern.hpp"

#include <algorithm>
#include <limits>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kFactor = 7;
constexpr std::uint32_t kChunkIn = kBlock * kFactor;  // floats that a block stages at a time
constexpr std::size_t kSharedBytes = kChunkIn * sizeof(float);

/// Each block sums seven neighbours at a time, chunk after chunk.
__global__ void __launch_bounds__(kBlock)
    sum_neighbours(const float* __restrict__ input, float* __restrict__ output,
                   std::uint32_t chunks_per_block) {
    extern __shared__ float staged[];
    for (std::uint32_t i = 0; i < chunks_per_block; ++i) {
        const std::size_t chunk = std::size_t{blockIdx.x} * chunks_per_block + i;
        const float* const source = input + chunk * kChunkIn;
        for (std::uint32_t k = 0; k < kFactor; ++k) {
            staged[k * kBlock + threadIdx.x] = source[k * kBlock + threadIdx.x];
        }
        __syncthreads();
        float sum = 0.0F;
        for (std::uint32_t k = 0; k < kFactor; ++k) {
            sum += staged[threadIdx.x * kFactor + k];
        }
        output[chunk * kBlock + threadIdx.x] = sum;
        __syncthreads();  // before the next chunk overwrites what another thread still reads
    }
}

struct Sizes {
    std::uint32_t units = 0;
    std::uint32_t blocks = 0;
    std::uint32_t chunks_per_block = 0;
    std::uint32_t phase_of_copy_out = 0;

    [[nodiscard]] std::size_t chunks() const { return std::size_t{blocks} * chunks_per_block; }
};

class SumWork : public Work {
public:
    SumWork(const Sizes& sizes, HostMemory memory) : sizes_{sizes} {
        const Pattern pattern;
        const std::size_t inputs = sizes.chunks() * kChunkIn;
        const std::size_t outputs = sizes.chunks() * kBlock;
        for (std::uint32_t number = 0; number < sizes.units; ++number) {
            Unit unit{{memory, inputs},
                      DeviceArray<float>{inputs},
                      {memory, outputs},
                      DeviceArray<float>{outputs}};
            pattern.fill_whole_numbers(unit.host_input, std::size_t{977} * number);
            std::fill_n(unit.host_output.data(), outputs, std::numeric_limits<float>::quiet_NaN());
            units_.push_back(std::move(unit));
        }
    }

    [[nodiscard]] std::uint32_t units() const override { return sizes_.units; }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        if (sizes_.blocks % part.of != 0) {
            throw OptionError(std::to_string(sizes_.blocks) + " blocks cannot be cut into " +
                              std::to_string(part.of) + " equal parts");
        }
        const Unit& unit = units_[number];
        const Stretch in = stretch_of(unit.host_input.size(), part);
        const Stretch out = stretch_of(unit.host_output.size(), part);
        return {
            copy_in(unit.device_input, unit.host_input, in),
            kernel([input = unit.device_input.data() + in.begin,
                    output = unit.device_output.data() + out.begin, grid = sizes_.blocks / part.of,
                    chunks = sizes_.chunks_per_block](cudaStream_t stream) {
                sum_neighbours<<<grid, kBlock, kSharedBytes, stream>>>(input, output, chunks);
            }),
            copy_out(unit.host_output, unit.device_output, out, sizes_.phase_of_copy_out)};
    }

    [[nodiscard]] std::uint64_t verify(std::uint32_t number) const override {
        constexpr std::size_t kMostChecked = 4096;
        const Unit& unit = units_[number];
        const std::size_t outputs = unit.host_output.size();
        const std::size_t checked = std::min(outputs, kMostChecked);
        Comparison comparison{number};
        for (std::size_t sample = 0; sample < checked; ++sample) {
            const std::size_t element = (sample + 1) * outputs / checked - 1;
            float expected = 0.0F;
            for (std::size_t k = 0; k < kFactor; ++k) {
                expected += unit.host_input[element * kFactor + k];
            }
            comparison.expect("sums", element, expected, unit.host_output[element]);
        }
        return comparison.checksum();
    }

private:
    struct Unit {
        HostArray<float> host_input;
        DeviceArray<float> device_input;
        HostArray<float> host_output;
        DeviceArray<float> device_output;
    };

    Sizes sizes_;
    std::vector<Unit> units_;
};

std::unique_ptr<Work> make_v3(const Values& values, HostMemory memory) {
    return std::make_unique<SumWork>(Sizes{values.count("units"), values.count("blocks"), 1, 0},
                                     memory);
}

std::unique_ptr<Work> make_v4(const Values& values, HostMemory memory) {
    const std::uint64_t chunks = std::uint64_t{values.count("chunks")} * values.count("scale");
    const std::uint32_t blocks = values.count("blocks");
    if (chunks % blocks != 0) {
        throw OptionError("--blocks must divide the " + std::to_string(chunks) +
                          " chunks of a unit (--chunks times --scale), not be " +
                          std::to_string(blocks));
    }
    const std::uint64_t chunks_per_block = chunks / blocks;
    if (chunks_per_block > std::numeric_limits<std::uint32_t>::max()) {
        throw OptionError("--chunks times --scale is too large");
    }
    return std::make_unique<SumWork>(
        Sizes{values.count("units"), blocks, static_cast<std::uint32_t>(chunks_per_block), 1},
        memory);
}

}  // namespace

CaseDefinition gnocchi_v3_case() {
    CaseDefinition definition;
    definition.name = "gnocchi_v3";
    definition.effect = "28 MiB in, a kernel that sums sevens, 4 MiB out: bound by the copies in";
    definition.parameters = {
        {"units", "units of work", 1, 16, 2},
        {"blocks", "blocks of the kernel; each takes 28 KiB in and 4 KiB out", 1024, 1024, 4},
    };
    definition.make = make_v3;
    definition.can_be_split = true;
    return definition;
}

CaseDefinition gnocchi_v4_case() {
    CaseDefinition definition;
    definition.name = "gnocchi_v4";
    definition.effect = "copies in and kernels of all streams, then all copies out";
    definition.parameters = {
        {"units", "units of work; as published, one per stream of eight", 8, 8, 3},
        {"chunks", "of 28 KiB in and 4 KiB out, in a unit", 128, 128, 8},
        {"blocks", "blocks of the kernel (1, 16, 128), which share the chunks", 1, 128, 4},
        {"scale", "multiplies the chunks", 1, 1, 1},
    };
    definition.make = make_v4;
    definition.can_be_split = true;
    return definition;
}

}  // namespace overcast::cases
