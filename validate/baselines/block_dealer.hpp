// Blocks on SMs as trans_kernel_model places them.
#pragma once

#include "core/device.hpp"
#include "model/kernel_model.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

/// Remembers what runs where. Kernels are given in the order of their starts. Times in nanoseconds.
class BlockDealer {
public:
    /// Absent where a limit of the device is not known.
    static std::optional<BlockDealer> of(const DeviceProperties& device);

    /// Places the blocks of a kernel that takes `duration` alone, each of which needs `needs`;
    /// returns when the last one ends.
    double run(double start, double duration, const SmResources& needs, std::uint64_t blocks);

private:
    struct Batch {
        double end = 0;
        std::uint32_t blocks = 0;
        SmResources per_block;
    };
    struct Sm {
        double latest_start = 0;
        SmResources free;
        std::vector<Batch> active;
    };

    BlockDealer(const SmResources& limits, std::uint32_t sms) : limits_{limits}, sms_(sms) {
        for (auto& sm : sms_) {
            sm.free = limits;
        }
    }
    [[nodiscard]] std::size_t first_sm(double start) const;
    [[nodiscard]] SmResources within_limits(const SmResources& per_block) const;
    static void retire(Sm& sm, double time);
    static double place(Sm& sm, double start, double block_time, const SmResources& per_block,
                        std::uint64_t blocks);

    SmResources limits_;
    std::vector<Sm> sms_;
};

}  // namespace overcast
