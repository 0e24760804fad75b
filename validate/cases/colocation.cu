// Exercises: programs bound by latency and by the host's calls, and what batching them gains.
//
// A candidate is a set of features; the unit finds an upper bound of its participation index over a
// map of events per cell that stays on the device. `colocation_chatty` treats one candidate per
// unit: a copy in of 8 bytes, a kernel of 160 small blocks that counts, a kernel of one warp that
// divides, a copy out of 4 bytes; as the seed did before its optimisation, 78 candidates of two
// features (286 of three). `colocation_batched` treats all candidates of a degree at once: the same
// four steps, and a unit for each degree.
//
// The map is read by all units and written by none. The second kernel sets the counters back to
// zero, so that a unit needs no memset.
#include "validate/cases/colocation.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"

#include <algorithm>
#include <string>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kCountingBlock = 64;
constexpr std::uint32_t kWarp = 32;
constexpr std::size_t kCellsComparedPerUnit = 4'000'000;  // about 10 ms on the host

struct DeviceMap {
    const std::uint32_t* counts;
    const std::uint32_t* totals;
    std::uint32_t width;
    std::uint32_t height;
};

__device__ bool occurs_near(const std::uint32_t* counts, const DeviceMap& map, std::uint32_t row,
                            std::uint32_t column) {
    const std::uint32_t last_row = min(row + 1, map.height - 1);
    const std::uint32_t last_column = min(column + 1, map.width - 1);
    for (std::uint32_t y = row - min(row, 1U); y <= last_row; ++y) {
        for (std::uint32_t x = column - min(column, 1U); x <= last_column; ++x) {
            if (counts[y * map.width + x] > 0) {
                return true;
            }
        }
    }
    return false;
}

/// Candidate blockIdx.y: adds the events of each of its features that have all of its features in
/// or around their cell to `participants`. One thread per cell, as far as the grid reaches.
__global__ void count_participants(DeviceMap map, const std::uint32_t* __restrict__ candidates,
                                   std::uint32_t degree, std::uint32_t* participants) {
    __shared__ std::uint32_t candidate[kFeatures];
    __shared__ std::uint32_t sums[kFeatures];
    if (threadIdx.x < degree) {
        candidate[threadIdx.x] = candidates[blockIdx.y * degree + threadIdx.x];
        sums[threadIdx.x] = 0;
    }
    __syncthreads();
    const std::uint32_t cells = map.width * map.height;
    for (std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x; cell < cells;
         cell += gridDim.x * blockDim.x) {
        bool all = true;
        for (std::uint32_t i = 0; i < degree && all; ++i) {
            all = occurs_near(map.counts + std::size_t{candidate[i]} * cells, map, cell / map.width,
                              cell % map.width);
        }
        if (!all) {
            continue;
        }
        for (std::uint32_t i = 0; i < degree; ++i) {
            const std::uint32_t count = map.counts[std::size_t{candidate[i]} * cells + cell];
            if (count > 0) {
                atomicAdd(&sums[i], count);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x < degree && sums[threadIdx.x] > 0) {
        atomicAdd(&participants[blockIdx.y * degree + threadIdx.x], sums[threadIdx.x]);
    }
}

/// Candidate blockIdx.x: the least share of participants. Leaves the counters at zero.
__global__ void bound_participation(DeviceMap map, const std::uint32_t* __restrict__ candidates,
                                    std::uint32_t degree, std::uint32_t* participants,
                                    float* bounds) {
    float share = 1.0F;
    if (threadIdx.x < degree) {
        const std::uint32_t place = blockIdx.x * degree + threadIdx.x;
        share = static_cast<float>(participants[place]) /
                static_cast<float>(map.totals[candidates[place]]);
        participants[place] = 0;
    }
    for (std::uint32_t distance = kWarp / 2; distance > 0; distance /= 2) {
        share = fminf(share, __shfl_xor_sync(0xFFFFFFFFU, share, distance));
    }
    if (threadIdx.x == 0) {
        bounds[blockIdx.x] = share;
    }
}

/// The candidates of one unit, all of one degree, one after the other.
struct Batch {
    std::uint32_t degree;
    std::vector<std::uint32_t> features;

    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(features.size()) / degree;
    }
};

struct Unit {
    Batch batch;
    HostArray<std::uint32_t> host_candidates;
    DeviceArray<std::uint32_t> candidates;
    DeviceArray<std::uint32_t> participants;
    DeviceArray<float> bounds;
    HostArray<float> host_bounds;
};

DeviceArray<std::uint32_t> upload(const std::vector<std::uint32_t>& values) {
    DeviceArray<std::uint32_t> result{values.size()};
    check(cudaMemcpy(result.data(), values.data(), result.bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    return result;
}

std::uint32_t degree_from(std::uint64_t degree) {
    if (degree < 2 || degree > kFeatures) {
        throw OptionError("a candidate must have 2 to " + std::to_string(kFeatures) + " features");
    }
    return static_cast<std::uint32_t>(degree);
}

std::vector<Batch> one_candidate_per_unit(const Values& values) {
    const std::uint32_t degree = degree_from(values["degree"]);
    const std::vector<std::uint32_t> all = candidates_of(degree);
    std::vector<Batch> batches(values.count("units"));
    for (std::size_t unit = 0; unit < batches.size(); ++unit) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(unit * degree % all.size());
        batches[unit] = {degree, {first, first + degree}};
    }
    return batches;
}

std::vector<Batch> one_degree_per_unit(const Values& values) {
    std::vector<Batch> batches(values.count("units"));
    for (std::size_t unit = 0; unit < batches.size(); ++unit) {
        const std::uint32_t degree = degree_from(unit + 2);
        batches[unit] = {degree, candidates_of(degree)};
    }
    return batches;
}

CountMap map_from(const Values& values) {
    const std::uint64_t width = values["width"];
    const std::uint64_t height = values["height"];
    constexpr std::uint64_t kMostCells = 1U << 27;  // 13 counts of 4 bytes each: 6.5 GiB
    if (width == 0 || height == 0 || width > kMostCells || height > kMostCells / width) {
        throw OptionError("the grid must have 1 to 2^27 cells");
    }
    return make_count_map(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
}

class Candidates : public Work {
public:
    Candidates(const Values& values, HostMemory memory, std::vector<Batch> batches)
        : map_{map_from(values)},
          near_{features_near(map_)},
          counts_{upload(map_.counts)},
          totals_{upload(map_.totals)},
          blocks_{values.count("blocks")} {
        units_.reserve(batches.size());
        for (Batch& batch : batches) {
            const std::uint32_t size = batch.size();
            const std::size_t features = batch.features.size();
            units_.push_back({std::move(batch), HostArray<std::uint32_t>{memory, features},
                              DeviceArray<std::uint32_t>{features},
                              DeviceArray<std::uint32_t>{features}, DeviceArray<float>{size},
                              HostArray<float>{memory, size}});
            const Unit& unit = units_.back();
            std::copy(unit.batch.features.begin(), unit.batch.features.end(),
                      unit.host_candidates.data());
            std::fill_n(unit.host_bounds.data(), size, -1.0F);
            check(cudaMemset(unit.participants.data(), 0, unit.participants.bytes()), "cudaMemset");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        if (part.of != 1) {
            throw OptionError("the candidates of a unit cannot be cut into parts");
        }
        const Unit& unit = units_.at(number);
        const DeviceMap map{counts_.data(), totals_.data(), map_.width, map_.height};
        const std::uint32_t size = unit.batch.size();
        return {copy_in(unit.candidates, unit.host_candidates, {0, unit.candidates.size()}),
                kernel([=, grid = dim3{blocks_, size}, degree = unit.batch.degree,
                        candidates = unit.candidates.data(),
                        participants = unit.participants.data()](cudaStream_t stream) {
                    count_participants<<<grid, kCountingBlock, 0, stream>>>(map, candidates, degree,
                                                                            participants);
                }),
                kernel([=, degree = unit.batch.degree, candidates = unit.candidates.data(),
                        participants = unit.participants.data(),
                        bounds = unit.bounds.data()](cudaStream_t stream) {
                    bound_participation<<<size, kWarp, 0, stream>>>(map, candidates, degree,
                                                                    participants, bounds);
                }),
                copy_out(unit.host_bounds, unit.bounds, {0, size})};
    }

    std::uint64_t verify(std::uint32_t number) const override {
        const Unit& unit = units_.at(number);
        const std::size_t size = unit.batch.size();
        const std::size_t samples =
            std::clamp<std::size_t>(kCellsComparedPerUnit / map_.cells(), 1, size);
        Comparison comparison{number};
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::size_t candidate = spread_sample(sample, samples, size);
            const std::span<const std::uint32_t> features{unit.batch.features};
            const float expected = participation_bound(
                map_, near_, features.subspan(candidate * unit.batch.degree, unit.batch.degree));
            comparison.expect("bound", candidate, expected, unit.host_bounds[candidate]);
        }
        return comparison.checksum();
    }

private:
    CountMap map_;
    std::vector<std::uint32_t> near_;
    DeviceArray<std::uint32_t> counts_;
    DeviceArray<std::uint32_t> totals_;
    std::uint32_t blocks_;
    std::vector<Unit> units_;
};

// The seed's grid has 1,602 × 2,492 cells; 62,378 blocks of 64 threads hold one thread for each.
constexpr Parameter kWidth{"width", "cells of the grid in one row", 1'602, 160, 16};
constexpr Parameter kHeight{"height", "rows of the grid", 2'492, 250, 10};

}  // namespace

CaseDefinition colocation_chatty_case() {
    CaseDefinition result;
    result.name = "colocation_chatty";
    result.effect = "8 bytes in, two small kernels, 4 bytes out per candidate: latency and calls";
    result.parameters = {
        {"units", "candidates", 78, 78, 4},
        {"degree", "features of a candidate: 2 has 78 different candidates, 3 has 286", 2, 2, 2},
        {"blocks", "blocks of 64 threads that count", 62'378, 160, 2},
        kWidth,
        kHeight,
    };
    result.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<Candidates>(values, memory, one_candidate_per_unit(values));
    };
    return result;
}

CaseDefinition colocation_batched_case() {
    CaseDefinition result;
    result.name = "colocation_batched";
    result.effect = "all candidates of a degree at once: one copy each way, kernels of many blocks";
    result.parameters = {
        {"units", "degrees, from 2 on (at most 12)", 6, 8, 2},
        {"blocks", "blocks of 64 threads that count, per candidate", 62'378, 160, 2},
        kWidth,
        kHeight,
    };
    result.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<Candidates>(values, memory, one_degree_per_unit(values));
    };
    return result;
}

}  // namespace overcast::cases
