#include "workload/granules.hpp"

#include "core/statistics.hpp"
#include "workload/correlation_index.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>
#include <variant>

namespace overcast {
namespace {

constexpr std::uint64_t kAlignment = 512;  // of what cudaMalloc returns

std::uint64_t rounded(Bytes bytes) {
    return (bytes.count() + kAlignment - 1) / kAlignment * kAlignment;
}

bool shares_a_granule(Bytes bytes) { return rounded(bytes) < kGranule; }

/// Whether the record is of this program's small blocks of device memory.
bool is_small_block(const MemoryOperation& operation, const TracePart& part) {
    return operation.kind == MemoryKind::device && !operation.asynchronous &&
           shares_a_granule(operation.bytes) &&
           (!part.process || operation.process == *part.process);
}

/// The driver's books, as far as they can be told from outside: a block goes to the first granule,
/// by address, that has room for it.
class Granules {
public:
    struct Place {
        std::uint64_t granule = 0;
        std::uint64_t offset = 0;
    };

    void put(const MemoryBlock& block) {
        const auto address = number(block.address);
        granules_[address / kGranule][address % kGranule] = rounded(block.bytes);
    }

    /// True where a granule is mapped for it.
    std::pair<Place, bool> allocate(Bytes bytes) {
        const auto size = rounded(bytes);
        for (auto& [granule, blocks] : granules_) {
            std::uint64_t free_from = 0;
            for (const auto& [offset, taken] : blocks) {
                if (offset >= free_from + size) {
                    break;
                }
                free_from = offset + taken;
            }
            if (free_from + size <= kGranule) {
                blocks[free_from] = size;
                return {{granule, free_from}, false};
            }
        }
        const auto next = granules_.empty() ? 0 : granules_.rbegin()->first + 1;
        granules_[next][0] = size;
        return {{next, 0}, true};
    }

    /// True where its granule is unmapped.
    bool release(Place place) {
        const auto granule = granules_.find(place.granule);
        granule->second.erase(place.offset);
        if (!granule->second.empty()) {
            return false;
        }
        granules_.erase(granule);
        return true;
    }

private:
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> granules_;  ///< offset → size
};

/// Plays the calls for memory in their order.
class BlockPlayer {
public:
    explicit BlockPlayer(const std::vector<MemoryBlock>& blocks)
        : blocks_{blocks}, places_(blocks.size()) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].resident) {
                granules_.put(blocks[i]);
                const auto address = number(blocks[i].address);
                places_[i].push_back({address / kGranule, address % kGranule});
            }
        }
    }

    /// Whether the call maps or unmaps a granule; absent for a block that is not there. A replica
    /// of the program has blocks of its own, of the same index: first in, first out.
    std::optional<bool> play(const BlockUse& use) {
        auto& places = places_[index(use.block)];
        if (!use.release) {
            const auto [place, maps] = granules_.allocate(blocks_[index(use.block)].bytes);
            places.push_back(place);
            return maps;
        }
        if (places.empty()) {
            return std::nullopt;
        }
        const auto place = places.front();
        places.pop_front();
        return granules_.release(place);
    }

private:
    const std::vector<MemoryBlock>& blocks_;
    std::vector<std::deque<Granules::Place>> places_;
    Granules granules_;
};

bool dealt_as_played(const std::vector<MemoryBlock>& blocks, const Workload& workload) {
    BlockPlayer player{blocks};
    return std::ranges::all_of(workload.operations, [&](const Operation& operation) {
        return !operation.memory || player.play(*operation.memory) == operation.memory->maps;
    });
}

bool waits_for_copies(const Operation& operation) {
    const auto* call = std::get_if<HostCall>(&operation.action);
    return call != nullptr && call->after_copies_to_device;
}

std::optional<Duration> median_where(const Workload& workload, Duration Operation::*time,
                                     bool (*test)(const Operation&)) {
    std::vector<Duration> times;
    for (const auto& operation : workload.operations) {
        if (operation.memory && test(operation)) {
            times.push_back(operation.*time);
        }
    }
    return times.empty() ? std::nullopt : std::optional{median_of(times)};
}

MappingTimes mapping_times(const Workload& workload) {
    return {
        .map = median_where(workload, &Operation::call_cost,
                            [](const Operation& o) {
                                return !o.memory->release && o.memory->maps && !waits_for_copies(o);
                            }),
        .map_after_copies = median_where(workload, &Operation::after_wait, waits_for_copies),
        .allocate =
            median_where(workload, &Operation::call_cost,
                         [](const Operation& o) { return !o.memory->release && !o.memory->maps; }),
        .unmap =
            median_where(workload, &Operation::after_wait,
                         [](const Operation& o) { return o.memory->release && o.memory->maps; }),
        .release = median_where(workload, &Operation::after_wait, [](const Operation& o) {
            return o.memory->release && !o.memory->maps;
        })};
}

/// The driver prepares the mapping at once, and has it written behind the copies to the device.
void wait_for_copies(Duration whole, Duration after_copies, Operation& operation) {
    operation.action = HostCall{.after_copies_to_device = true};
    operation.after_wait = std::min(after_copies, whole);
    operation.call_cost = whole - operation.after_wait;
}

void set_cost(const MappingTimes& times, Operation& operation) {
    const auto& use = *operation.memory;
    if (use.release) {
        const auto& cost = use.maps ? times.unmap : times.release;
        operation.after_wait = cost.value_or(operation.after_wait);
    } else if (!use.maps) {
        if (times.allocate) {
            operation.action = HostCall{};
            operation.call_cost = *times.allocate;
            operation.after_wait = Duration{};
        }
    } else if (times.map_after_copies) {
        wait_for_copies(times.map.value_or(operation.call_cost + *times.map_after_copies),
                        *times.map_after_copies, operation);
    } else {
        operation.call_cost = times.map.value_or(operation.call_cost);
    }
}

}  // namespace

std::vector<RecordedBlock> find_blocks(const Trace& trace, const TracePart& part,
                                       std::vector<IssuedCall>& calls) {
    std::vector<RecordedBlock> blocks;
    std::vector<std::optional<BlockUse>> uses(trace.memory_operations.size());
    std::unordered_map<Address, BlockIndex> live;
    std::unordered_map<std::uint64_t, std::uint32_t> in_granule;  // how many blocks
    for (std::size_t i = 0; i < trace.memory_operations.size(); ++i) {
        const auto& operation = trace.memory_operations[i];
        if (!is_small_block(operation, part)) {
            continue;
        }
        auto& held = in_granule[number(operation.address) / kGranule];
        if (!operation.release) {
            const BlockIndex block{static_cast<std::uint32_t>(blocks.size())};
            blocks.push_back({{operation.address, operation.bytes}, operation.time, std::nullopt});
            live[operation.address] = block;
            uses[i] = BlockUse{.block = block, .maps = held++ == 0};
        } else if (const auto found = live.find(operation.address); found != live.end()) {
            uses[i] = BlockUse{.block = found->second, .release = true, .maps = --held == 0};
            blocks[index(found->second)].released = operation.time;
            live.erase(found);
        }
    }
    const CorrelationIndex records{trace.memory_operations};
    for (auto& call : calls) {
        const auto found = records.find(call.correlation);
        if (handles_memory(call.meaning) && !found.empty()) {
            call.memory = uses[found.front()];
        }
    }
    return blocks;
}

void learn_mapping(const std::vector<RecordedBlock>& recorded, TraceTime region_start,
                   Workload& workload) {
    std::vector<MemoryBlock> blocks;
    for (const auto& [block, allocated, released] : recorded) {
        blocks.push_back(block);
        blocks.back().resident =
            allocated <= region_start && (!released || *released > region_start);
    }
    if (!dealt_as_played(blocks, workload)) {
        return;
    }
    const auto times = mapping_times(workload);
    for (auto& operation : workload.operations) {
        if (operation.memory && !operation.memory->release && operation.memory->maps &&
            !waits_for_copies(operation) && times.map_after_copies) {
            wait_for_copies(operation.call_cost, *times.map_after_copies, operation);
        } else if (waits_for_copies(operation) && operation.memory && times.map) {
            operation.call_cost = std::max(*times.map - *times.map_after_copies, Duration{});
        }
    }
    workload.granules = SharedGranules{std::move(blocks), times};
}

void map_anew(Workload& workload) {
    if (!workload.granules) {
        return;
    }
    BlockPlayer player{workload.granules->blocks};
    for (auto& operation : workload.operations) {
        if (!operation.memory) {
            continue;
        }
        const auto maps = player.play(*operation.memory);
        if (maps && *maps != operation.memory->maps) {
            operation.memory->maps = *maps;
            if (operation.memory->costs) {
                set_cost(workload.granules->times, operation);
            }
        }
    }
}

}  // namespace overcast
