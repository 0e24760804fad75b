// Exercises: one program with units of different kind, size or phase.
//
// `mixed_kinds`: by turns two copies in, a kernel, a copy out; a memset, two kernels, a copy out; a
// copy in, a kernel, a copy within the device, a copy out. `mixed_sizes`: the same three steps,
// copy in, kernel, copy out, with 1, 2, 4, 8 times the bytes. `mixed_phases`: every fourth unit
// copies in and computes, every fourth computes and copies out what it made itself, the others do
// all three. A model that takes one unit for all, or a mean of them, is wrong on each of these.
//
// At 2 Mi elements, a copy takes about 152 us and an iterating kernel about 150 on an H200.
#include "validate/cases/mixed.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/quadratic_map.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::size_t kSamples = 32;

__device__ std::uint32_t element_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void iterate(const float* input, float* output, std::uint32_t elements,
                        std::uint32_t iterations) {
    const std::uint32_t i = element_of_thread();
    if (i < elements) {
        output[i] = iterate_map(input[i], iterations);
    }
}

__global__ void iterate_mean(const float* __restrict__ first, const float* __restrict__ second,
                             float* __restrict__ output, std::uint32_t elements,
                             std::uint32_t iterations) {
    const std::uint32_t i = element_of_thread();
    if (i < elements) {
        output[i] = iterate_map(mean_of(first[i], second[i]), iterations);
    }
}

/// `output` is the part of a unit's output that begins at element `begin`.
__global__ void add_inputs(float* output, std::uint32_t begin, std::uint32_t elements,
                           std::uint32_t seed) {
    const std::uint32_t i = element_of_thread();
    if (i < elements) {
        output[i] += map_input(seed, begin + i);
    }
}

__global__ void make_and_iterate(float* __restrict__ output, std::uint32_t begin,
                                 std::uint32_t elements, std::uint32_t seed,
                                 std::uint32_t iterations) {
    const std::uint32_t i = element_of_thread();
    if (i < elements) {
        output[i] = iterate_map(map_input(seed, begin + i), iterations);
    }
}

/// Absent: not used by units of this kind.
struct Unit {
    UnitShape shape;
    std::optional<HostArray<float>> host_first;
    std::optional<HostArray<float>> host_second;
    std::optional<DeviceArray<float>> first;
    std::optional<DeviceArray<float>> second;
    DeviceArray<float> result;
    std::optional<HostArray<float>> host_result;
};

bool copies_in(UnitKind kind) { return kind != UnitKind::from_zero && kind != UnitKind::download; }

Unit make_unit(std::uint32_t number, const UnitShape& shape, HostMemory memory) {
    Unit unit{shape, {}, {}, {}, {}, DeviceArray<float>{shape.elements}, {}};
    if (copies_in(shape.kind)) {
        unit.host_first.emplace(memory, shape.elements);
        unit.first.emplace(shape.elements);
        for (std::size_t i = 0; i < shape.elements; ++i) {
            (*unit.host_first)[i] = map_input(seed_of(number, 0), static_cast<std::uint32_t>(i));
        }
    }
    if (shape.kind == UnitKind::two_in) {
        unit.host_second.emplace(memory, shape.elements);
        for (std::size_t i = 0; i < shape.elements; ++i) {
            (*unit.host_second)[i] = map_input(seed_of(number, 1), static_cast<std::uint32_t>(i));
        }
    }
    if (shape.kind == UnitKind::two_in || shape.kind == UnitKind::copied_within) {
        unit.second.emplace(shape.elements);
    }
    if (shape.kind != UnitKind::upload) {
        unit.host_result.emplace(memory, shape.elements);
        std::fill_n(unit.host_result->data(), shape.elements,
                    std::numeric_limits<float>::quiet_NaN());
    }
    return unit;
}

float expected_element(std::uint32_t number, UnitKind kind, std::uint32_t element,
                       std::uint32_t iterations) {
    const float first = map_input(seed_of(number, 0), element);
    const float start =
        kind == UnitKind::two_in ? mean_of(first, map_input(seed_of(number, 1), element)) : first;
    return iterate_map(start, iterations);
}

class MixedUnits : public Work {
public:
    MixedUnits(const std::vector<UnitShape>& shapes, std::uint32_t iterations, HostMemory memory)
        : iterations_{iterations} {
        units_.reserve(shapes.size());
        for (std::uint32_t number = 0; number < shapes.size(); ++number) {
            units_.push_back(make_unit(number, shapes[number], memory));
        }
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        const Unit& unit = units_.at(number);
        const Stretch stretch = stretch_of(unit.shape.elements, part);
        std::vector<Step> steps;
        if (unit.host_first) {
            steps.push_back(copy_in(*unit.first, *unit.host_first, stretch));
        }
        if (unit.host_second) {
            steps.push_back(copy_in(*unit.second, *unit.host_second, stretch));
        }
        add_computation(steps, number, stretch);
        if (unit.host_result) {
            steps.push_back(copy_out(*unit.host_result, unit.result, stretch));
        }
        return steps;
    }

    std::uint64_t verify(std::uint32_t number) const override {
        const Unit& unit = units_.at(number);
        std::vector<float> fetched;
        if (!unit.host_result) {
            fetched.resize(unit.result.size());
            check(cudaMemcpy(fetched.data(), unit.result.data(), unit.result.bytes(),
                             cudaMemcpyDeviceToHost),
                  "cudaMemcpy to the host");
        }
        const float* const found = unit.host_result ? unit.host_result->data() : fetched.data();
        Comparison comparison{number};
        const std::size_t samples = std::min(kSamples, unit.shape.elements);
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::size_t element = spread_sample(sample, samples, unit.shape.elements);
            comparison.expect("result", element,
                              expected_element(number, unit.shape.kind,
                                               static_cast<std::uint32_t>(element), iterations_),
                              found[element]);
        }
        return comparison.checksum();
    }

private:
    void add_computation(std::vector<Step>& steps, std::uint32_t number, Stretch stretch) const;

    std::uint32_t iterations_;
    std::vector<Unit> units_;
};

void MixedUnits::add_computation(std::vector<Step>& steps, std::uint32_t number,
                                 Stretch stretch) const {
    const Unit& unit = units_.at(number);
    const auto begin = static_cast<std::uint32_t>(stretch.begin);
    const auto size = static_cast<std::uint32_t>(stretch.size);
    const std::uint32_t grid = (size + kBlock - 1) / kBlock;
    const std::uint32_t seed = seed_of(number, 0);
    const std::uint32_t iterations = iterations_;
    float* const result = unit.result.data() + begin;
    const float* const first = unit.first ? unit.first->data() + begin : nullptr;
    float* const second = unit.second ? unit.second->data() + begin : nullptr;
    switch (unit.shape.kind) {
        case UnitKind::two_in:
            steps.push_back(kernel([=](cudaStream_t stream) {
                iterate_mean<<<grid, kBlock, 0, stream>>>(first, second, result, size, iterations);
            }));
            break;
        case UnitKind::from_zero:
            steps.push_back(clear(unit.result, stretch));
            steps.push_back(kernel([=](cudaStream_t stream) {
                add_inputs<<<grid, kBlock, 0, stream>>>(result, begin, size, seed);
            }));
            steps.push_back(kernel([=](cudaStream_t stream) {
                iterate<<<grid, kBlock, 0, stream>>>(result, result, size, iterations);
            }));
            break;
        case UnitKind::copied_within:
            steps.push_back(kernel([=](cudaStream_t stream) {
                iterate<<<grid, kBlock, 0, stream>>>(first, second, size, iterations);
            }));
            steps.push_back(copy_within(unit.result, *unit.second, stretch));
            break;
        case UnitKind::plain:
        case UnitKind::upload:
            steps.push_back(kernel([=](cudaStream_t stream) {
                iterate<<<grid, kBlock, 0, stream>>>(first, result, size, iterations);
            }));
            break;
        case UnitKind::download:
            steps.push_back(kernel([=](cudaStream_t stream) {
                make_and_iterate<<<grid, kBlock, 0, stream>>>(result, begin, size, seed,
                                                              iterations);
            }));
            break;
    }
}

template <std::size_t Size>
std::vector<UnitShape> by_turns(std::uint32_t units, const std::array<UnitShape, Size>& turns) {
    std::vector<UnitShape> shapes;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        shapes.push_back(turns[unit % Size]);
    }
    return shapes;
}

using ShapesOf = std::vector<UnitShape> (*)(std::uint32_t units, std::size_t elements);

template <ShapesOf shapes_of>
std::unique_ptr<Work> make(const Values& values, HostMemory memory) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
    const std::uint64_t bytes = values["bytes"];
    if (bytes == 0 || bytes % sizeof(float) != 0 || bytes > kMostBytes) {
        throw OptionError("bytes must be a multiple of 4, up to 2^30");
    }
    return std::make_unique<MixedUnits>(shapes_of(values.count("units"), bytes / sizeof(float)),
                                        values.count("iterations"), memory);
}

}  // namespace

std::vector<UnitShape> units_of_kinds(std::uint32_t units, std::size_t elements) {
    return by_turns(units, std::array<UnitShape, 3>{{{UnitKind::two_in, elements},
                                                     {UnitKind::from_zero, elements},
                                                     {UnitKind::copied_within, elements}}});
}

std::vector<UnitShape> units_of_sizes(std::uint32_t units, std::size_t elements) {
    return by_turns(units, std::array<UnitShape, 4>{{{UnitKind::plain, elements},
                                                     {UnitKind::plain, 2 * elements},
                                                     {UnitKind::plain, 4 * elements},
                                                     {UnitKind::plain, 8 * elements}}});
}

std::vector<UnitShape> units_of_phases(std::uint32_t units, std::size_t elements) {
    return by_turns(units, std::array<UnitShape, 4>{{{UnitKind::upload, elements},
                                                     {UnitKind::plain, elements},
                                                     {UnitKind::download, elements},
                                                     {UnitKind::plain, elements}}});
}

CaseDefinition mixed_kinds_case() {
    CaseDefinition result;
    result.name = "mixed_kinds";
    result.effect = "units of three kinds: two copies in, memset and two kernels, copy within";
    result.parameters = {
        {"units", "units, of three kinds by turns", 12, 12, 3},
        {"bytes", "of every copy and memset", 8'388'608, 8'388'608, 4'100},
        {"iterations", "of the kernels' inner loop", 1'874, 1'874, 10},
    };
    result.make = make<units_of_kinds>;
    result.can_be_split = true;
    return result;
}

CaseDefinition mixed_sizes_case() {
    CaseDefinition result;
    result.name = "mixed_sizes";
    result.effect = "units of the same steps whose sizes are 1, 2, 4 and 8";
    result.parameters = {
        {"units", "units, of four sizes by turns", 16, 16, 4},
        {"bytes", "of every copy of the smallest unit", 2'097'152, 2'097'152, 1'028},
        {"iterations", "of the kernel's inner loop", 1'874, 1'874, 10},
    };
    result.make = make<units_of_sizes>;
    result.can_be_split = true;
    return result;
}

CaseDefinition mixed_phases_case() {
    CaseDefinition result;
    result.name = "mixed_phases";
    result.effect = "units that only upload, only download, or do both";
    result.parameters = {
        {"units", "units, of three kinds in a turn of four", 16, 16, 4},
        {"bytes", "of every copy", 8'388'608, 8'388'608, 4'100},
        {"iterations", "of the kernel's inner loop", 1'874, 1'874, 10},
    };
    result.make = make<units_of_phases>;
    result.can_be_split = true;
    return result;
}

}  // namespace overcast::cases
