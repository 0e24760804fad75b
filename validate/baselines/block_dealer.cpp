#include "validate/baselines/block_dealer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overcast {
namespace {

constexpr std::uint32_t kWarp = 32;

void take(SmResources& free, const SmResources& per_block, std::uint32_t blocks) {
    free.threads -= per_block.threads * blocks;
    free.blocks -= blocks;
    free.registers -= per_block.registers * blocks;
    free.shared_memory -= per_block.shared_memory * blocks;
}

void give_back(SmResources& free, const SmResources& per_block, std::uint32_t blocks) {
    free.threads += per_block.threads * blocks;
    free.blocks += blocks;
    free.registers += per_block.registers * blocks;
    free.shared_memory += per_block.shared_memory * blocks;
}

}  // namespace

std::optional<BlockDealer> BlockDealer::of(const DeviceProperties& device) {
    if (!device.multiprocessors || *device.multiprocessors == 0 ||
        !device.threads_per_multiprocessor || !device.registers_per_multiprocessor ||
        !device.shared_memory_per_multiprocessor) {
        return std::nullopt;
    }
    // The model knows no limit of blocks but that each has a warp.
    const auto threads = *device.threads_per_multiprocessor;
    return BlockDealer{{.threads = threads,
                        .blocks = std::max(threads / kWarp, 1U),
                        .registers = *device.registers_per_multiprocessor,
                        .shared_memory = static_cast<std::uint32_t>(
                            device.shared_memory_per_multiprocessor->count())},
                       *device.multiprocessors};
}

/// A block that no SM could hold ran all the same: it takes a whole one.
SmResources BlockDealer::within_limits(const SmResources& per_block) const {
    return {.threads = std::min(per_block.threads, limits_.threads),
            .blocks = 1,
            .registers = std::min(per_block.registers, limits_.registers),
            .shared_memory = std::min(per_block.shared_memory, limits_.shared_memory)};
}

std::size_t BlockDealer::first_sm(double start) const {
    std::size_t first = 0;
    double earliest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sms_.size(); ++i) {
        for (const auto& batch : sms_[i].active) {
            if (batch.end > start && batch.end < earliest) {
                earliest = batch.end;
                first = i;
            }
        }
    }
    return first;
}

void BlockDealer::retire(Sm& sm, double time) {
    std::erase_if(sm.active, [&](const Batch& batch) {
        if (batch.end > time) {
            return false;
        }
        give_back(sm.free, batch.per_block, batch.blocks);
        return true;
    });
}

double BlockDealer::place(Sm& sm, double start, double block_time, const SmResources& per_block,
                          std::uint64_t blocks) {
    auto time = std::max(start, sm.latest_start);
    double end = start;
    while (blocks > 0) {
        retire(sm, time);
        const auto placed = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(blocks_that_fit(per_block, sm.free), blocks));
        if (placed > 0) {
            take(sm.free, per_block, placed);
            end = time + block_time;
            sm.active.push_back({end, placed, per_block});
            sm.latest_start = time;
            blocks -= placed;
        }
        if (blocks > 0) {
            time = std::min_element(sm.active.begin(), sm.active.end(),
                                    [](const auto& a, const auto& b) { return a.end < b.end; })
                       ->end;
        }
    }
    return end;
}

double BlockDealer::run(double start, double duration, const SmResources& needs,
                        std::uint64_t blocks) {
    const auto per_block = within_limits(needs);
    const auto slots = std::uint64_t{blocks_that_fit(per_block, limits_)} * sms_.size();
    const auto waves = (blocks + slots - 1) / slots;
    const auto block_time = duration / static_cast<double>(waves);
    const auto first = first_sm(start);
    double end = start;
    for (std::size_t i = 0; i < sms_.size(); ++i) {
        const auto share = blocks / sms_.size() + (i < blocks % sms_.size() ? 1 : 0);
        if (share > 0) {
            auto& sm = sms_[(first + i) % sms_.size()];
            end = std::max(end, place(sm, start, block_time, per_block, share));
        }
    }
    return end;
}

}  // namespace overcast
