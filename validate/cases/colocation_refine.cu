// Exercises: a pipeline bound by its copies out.
//
// A unit is one pattern that survived the filter: the events that its instances are joined with
// (`index`) and the row of the table at which each instance's extensions begin (`slots`) are copied
// in, 4 bytes per instance each; a kernel of ceil(instances / 1024) blocks of 1024 threads, one
// thread per instance, writes the table; a table of 4 to 64 MB is copied out. The threads write
// different numbers of rows. The seed once replaced pinned host memory by pageable memory here.
#include "validate/cases/colocation_refine.hpp"

#include "validate/cases/all_cases.hpp"
#include "validate/cases/harness/comparison.hpp"
#include "validate/cases/harness/memory.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <limits>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kBlock = 1024;

/// Instances `first` to `first + count`; their rows end at `end`.
__global__ void write_instance_table(const std::uint32_t* __restrict__ index,
                                     const std::uint32_t* __restrict__ slots,
                                     InstanceRow* __restrict__ table, std::uint32_t first,
                                     std::uint32_t count, std::uint32_t end) {
    const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) {
        return;
    }
    const std::uint32_t instance = first + number;
    const std::uint32_t begin = slots[instance];
    const std::uint32_t next = number + 1 < count ? slots[instance + 1] : end;
    // The events of a cell stand one after the other.
    std::uint32_t event = index[instance];
    for (std::uint32_t row = begin; row < next; ++row, ++event) {
        table[row] = {instance, event};
    }
}

struct Unit {
    HostArray<std::uint32_t> host_index;
    HostArray<std::uint32_t> host_slots;
    DeviceArray<std::uint32_t> index;
    DeviceArray<std::uint32_t> slots;
    DeviceArray<InstanceRow> table;
    HostArray<InstanceRow> host_table;
};

class Refinements : public Work {
public:
    Refinements(const Values& values, HostMemory memory) {
        const std::uint64_t instances = values["instances"];
        const std::uint64_t rows = values["table-bytes"] / sizeof(InstanceRow);
        if (instances == 0 || rows < instances ||
            rows > std::numeric_limits<std::uint32_t>::max()) {
            throw OptionError(
                "a table must have 8 bytes or more per instance and at most 2^32 rows");
        }
        instances_ = static_cast<std::uint32_t>(instances);
        rows_ = static_cast<std::uint32_t>(rows);
        const std::uint32_t count = values.count("units");
        units_.reserve(count);
        for (std::uint32_t number = 0; number < count; ++number) {
            units_.push_back(
                {HostArray<std::uint32_t>{memory, instances_},
                 HostArray<std::uint32_t>{memory, instances_},
                 DeviceArray<std::uint32_t>{instances_}, DeviceArray<std::uint32_t>{instances_},
                 DeviceArray<InstanceRow>{rows_}, HostArray<InstanceRow>{memory, rows_}});
            const Unit& unit = units_.back();
            for (std::uint32_t i = 0; i < instances_; ++i) {
                unit.host_index[i] = mix(seed_of(number, 0) + i);
                unit.host_slots[i] = first_row_of(i, instances_, rows_, number);
            }
            std::fill_n(unit.host_table.data(), rows_, InstanceRow{});
        }
    }

    std::uint32_t units() const override { return static_cast<std::uint32_t>(units_.size()); }

    std::vector<Step> steps(std::uint32_t number, Part part) override {
        const Unit& unit = units_.at(number);
        const Stretch instances = stretch_of(instances_, part);
        const auto first = static_cast<std::uint32_t>(instances.begin);
        const auto count = static_cast<std::uint32_t>(instances.size);
        const std::uint32_t begin = unit.host_slots[first];
        const std::uint32_t end =
            first + count < instances_ ? unit.host_slots[first + count] : rows_;
        return {copy_in(unit.index, unit.host_index, instances),
                copy_in(unit.slots, unit.host_slots, instances),
                kernel([=, index = unit.index.data(), slots = unit.slots.data(),
                        table = unit.table.data()](cudaStream_t stream) {
                    write_instance_table<<<(count + kBlock - 1) / kBlock, kBlock, 0, stream>>>(
                        index, slots, table, first, count, end);
                }),
                copy_out(unit.host_table, unit.table, {begin, end - begin})};
    }

    std::uint64_t verify(std::uint32_t number) const override {
        const Unit& unit = units_.at(number);
        Comparison comparison{number};
        std::uint32_t row = 0;
        for (std::uint32_t instance = 0; instance < instances_; ++instance) {
            const std::uint32_t end =
                instance + 1 < instances_ ? unit.host_slots[instance + 1] : rows_;
            for (std::uint32_t event = unit.host_index[instance]; row < end; ++row, ++event) {
                comparison.expect("instance", row, instance, unit.host_table[row].instance);
                comparison.expect("event", row, event, unit.host_table[row].event);
            }
        }
        return comparison.checksum();
    }

private:
    std::uint32_t instances_ = 0;
    std::uint32_t rows_ = 0;
    std::vector<Unit> units_;
};

}  // namespace

std::uint32_t first_row_of(std::uint32_t instance, std::uint32_t instances, std::uint32_t rows,
                           std::uint32_t unit) {
    if (instance == 0) {
        return 0;
    }
    const auto even = static_cast<std::uint32_t>(std::uint64_t{instance} * rows / instances);
    return even + mix(seed_of(unit, 1) + instance) % (rows / instances);
}

CaseDefinition colocation_refine_case() {
    CaseDefinition result;
    result.name = "colocation_refine";
    result.effect = "small copies in, an uneven kernel, a table out: bound by the copies out";
    result.parameters = {
        {"units", "patterns", 16, 16, 3},
        {"instances", "instances of a pattern, two copies in of 4 bytes each", 35'000, 32'768,
         1'536},
        {"table-bytes", "size of the table that is copied out", 67'108'864, 16'777'216, 65'536},
    };
    result.make = [](const Values& values, HostMemory memory) -> std::unique_ptr<Work> {
        return std::make_unique<Refinements>(values, memory);
    };
    result.can_be_split = true;
    return result;
}

}  // namespace overcast::cases
