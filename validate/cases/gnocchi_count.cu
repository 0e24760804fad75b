// Exercises: two kernels of very different kind with a copy between them, on one stream and on two.
//
// A unit resamples one metric as carbs' last version did: timestamps in, round them down to the
// interval of the result, values in, count and sum the points of equal timestamps (each first point
// walks over its run: divergent, uncoalesced), counts out, sums out. Intervals are no multiple of
// the sampling period, and the series has gaps. `gnocchi_count_event` takes the values on a second
// stream beside the rounding, and an event holds the counting back until the timestamps are
// rounded.
#include "validate/cases/all_cases.hpp"
#include "validate/cases/gnocchi_reference.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/event.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/harness/pattern.hpp"

#include <algorithm>
#include <limits>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 1024;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

__global__ void __launch_bounds__(kBlock)
    round_timestamps(std::uint64_t* __restrict__ timestamps, std::uint32_t points,
                     std::uint64_t period) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < points) {
        timestamps[i] -= timestamps[i] % period;
    }
}

__global__ void __launch_bounds__(kBlock)
    count_uniqs(const std::uint64_t* __restrict__ timestamps, const float* __restrict__ values,
                std::uint32_t* __restrict__ counts, float* __restrict__ sums,
                std::uint32_t points) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) {
        return;
    }
    std::uint32_t count = 0;
    float sum = 0.0F;
    if (i == 0 || timestamps[i - 1] != timestamps[i]) {
        for (std::uint32_t j = i; j < points && timestamps[j] == timestamps[i]; ++j) {
            ++count;
            sum += values[j];
        }
    }
    counts[i] = count;
    sums[i] = sum;
}

struct Sizes {
    std::uint32_t units = 0;
    std::uint32_t points = 0;
    std::uint64_t sampling_s = 0;
    std::uint64_t resample_s = 0;
    std::uint64_t gap_every = 0;
};

Sizes sizes_of(const Values& values) {
    const Sizes sizes{values.count("units"), values.count("points"), values["sampling"],
                      values["resample"], values["gap-every"]};
    constexpr std::uint64_t kLongestInterval = 1'000'000;
    constexpr std::uint64_t kLongestSpan = 10'000'000'000;  // fits into 64 bits of nanoseconds
    if (sizes.sampling_s > kLongestInterval || sizes.resample_s > kLongestInterval) {
        throw OptionError("--sampling and --resample must be at most 1000000 seconds");
    }
    const std::uint64_t gaps = sizes.gap_every == 0 ? 0 : sizes.points / sizes.gap_every;
    if (sizes.points * sizes.sampling_s + gaps * kLongestGapSeconds > kLongestSpan) {
        throw OptionError(
            "the series would span more than 300 years: fewer --points, a shorter "
            "--sampling, or rarer gaps (--gap-every)");
    }
    if (sizes.resample_s / sizes.sampling_s > 15'000) {
        throw OptionError(
            "--resample must be at most 15000 times --sampling, so that floats hold "
            "the sums exactly");
    }
    return sizes;
}

class CountWork : public Work {
public:
    CountWork(const Sizes& sizes, bool two_lanes, HostMemory memory)
        : sizes_{sizes}, two_lanes_{two_lanes} {
        const Pattern pattern;
        const std::size_t points = sizes.points;
        for (std::uint32_t number = 0; number < sizes.units; ++number) {
            Unit unit{{memory, points},
                      {memory, points},
                      {memory, points},
                      {memory, points},
                      DeviceArray<std::uint64_t>{points},
                      DeviceArray<float>{points},
                      DeviceArray<std::uint32_t>{points},
                      DeviceArray<float>{points},
                      {}};
            const std::uint64_t start_s = 1'520'000'003 + std::uint64_t{number} * 977;
            fill_timestamps({start_s * kNanosecondsPerSecond,
                             sizes.sampling_s * kNanosecondsPerSecond, sizes.gap_every},
                            {unit.host_timestamps.data(), points});
            pattern.fill_whole_numbers(unit.host_values, std::size_t{977} * number);
            std::fill_n(unit.host_counts.data(), points, std::numeric_limits<std::uint32_t>::max());
            std::fill_n(unit.host_sums.data(), points, std::numeric_limits<float>::quiet_NaN());
            units_.push_back(std::move(unit));
        }
    }

    [[nodiscard]] std::uint32_t units() const override { return sizes_.units; }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        if (part.of != 1) {
            throw OptionError("runs of equal timestamps cannot be cut into parts");
        }
        const Unit& unit = units_[number];
        const Stretch all{0, sizes_.points};
        const std::uint32_t lane = two_lanes_ ? 1 : 0;  // of all that follows the rounding
        Step round = rounding(unit);
        Step values_in = copy_in(unit.values, unit.host_values, all, 0, lane);
        if (two_lanes_) {
            round = record_after(std::move(round), unit.rounded, 0);
            values_in = wait_after(std::move(values_in), unit.rounded, lane);
        }
        return {copy_in(unit.timestamps, unit.host_timestamps, all),
                std::move(round),
                std::move(values_in),
                counting(unit, lane),
                copy_out(unit.host_counts, unit.counts, all, 0, lane),
                copy_out(unit.host_sums, unit.sums, all, 0, lane)};
    }

    [[nodiscard]] std::uint64_t verify(std::uint32_t number) const override {
        const Unit& unit = units_[number];
        const std::size_t points = sizes_.points;
        const auto expected =
            resample({unit.host_timestamps.data(), points}, {unit.host_values.data(), points},
                     sizes_.resample_s * kNanosecondsPerSecond);
        Comparison comparison{number};
        for (std::size_t i = 0; i < points; ++i) {
            comparison.expect("counts", i, expected.counts[i], unit.host_counts[i]);
            comparison.expect("sums", i, expected.sums[i], unit.host_sums[i]);
        }
        return comparison.checksum();
    }

private:
    struct Unit {
        HostArray<std::uint64_t> host_timestamps;
        HostArray<float> host_values;
        HostArray<std::uint32_t> host_counts;
        HostArray<float> host_sums;
        DeviceArray<std::uint64_t> timestamps;
        DeviceArray<float> values;
        DeviceArray<std::uint32_t> counts;
        DeviceArray<float> sums;
        Event rounded;
    };

    [[nodiscard]] std::uint32_t grid() const {
        return sizes_.points / kBlock + (sizes_.points % kBlock != 0 ? 1 : 0);
    }

    [[nodiscard]] Step rounding(const Unit& unit) const {
        return kernel([timestamps = unit.timestamps.data(), points = sizes_.points, grid = grid(),
                       period = sizes_.resample_s * kNanosecondsPerSecond](cudaStream_t stream) {
            round_timestamps<<<grid, kBlock, 0, stream>>>(timestamps, points, period);
        });
    }

    [[nodiscard]] Step counting(const Unit& unit, std::uint32_t lane) const {
        return kernel(
            [timestamps = unit.timestamps.data(), values = unit.values.data(),
             counts = unit.counts.data(), sums = unit.sums.data(), points = sizes_.points,
             grid = grid()](cudaStream_t stream) {
                count_uniqs<<<grid, kBlock, 0, stream>>>(timestamps, values, counts, sums, points);
            },
            0, lane);
    }

    Sizes sizes_;
    bool two_lanes_;
    std::vector<Unit> units_;
};

std::vector<Parameter> parameters() {
    return {
        {"units", "units of work, one metric each", 1, 16, 3},
        {"points", "points of a metric: 8 bytes of time and 4 of value in, 8 out", 6'291'456,
         1'000'000, 3'000},
        {"sampling", "seconds from one point to the next", 7, 7, 7},
        {"resample", "seconds of an interval of the result (13, 55, 300)", 300, 55, 13},
        {"gap-every", "points from one time gap to the next; 0: no gaps", 1'000, 1'000, 100, 0},
    };
}

}  // namespace

CaseDefinition gnocchi_count_case() {
    CaseDefinition definition;
    definition.name = "gnocchi_count";
    definition.effect = "copies and two unlike kernels in turn, then two copies out";
    definition.parameters = parameters();
    definition.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<CountWork>(sizes_of(values), false, memory);
    };
    return definition;
}

CaseDefinition gnocchi_count_event_case() {
    CaseDefinition definition;
    definition.name = "gnocchi_count_event";
    definition.effect = "as gnocchi_count on two streams, held together by an event";
    definition.parameters = parameters();
    definition.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<CountWork>(sizes_of(values), true, memory);
    };
    definition.lanes = 2;
    return definition;
}

}  // namespace overcast::cases
