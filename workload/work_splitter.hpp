// Cuts one copy, memset or kernel into parts.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

/// The size of part `part` of `parts` of `total`: equal shares, remainder to the first parts.
constexpr std::uint64_t share_of(std::uint64_t total, std::uint32_t parts, std::uint32_t part) {
    return total / parts + (part < total % parts ? 1 : 0);
}

class WorkSplitter {
public:
    /// New kernels are added to `result`, which must start with the recorded ones.
    WorkSplitter(Workload& result, std::uint32_t parts, SplitKernels kernels)
        : result_{&result}, parts_{parts}, kernels_{kernels} {}

    /// Makes `action` part `part` of what it was; false where nothing is left for that part.
    bool cut(Action& action, std::uint32_t part);

    /// Kernels (of different shape) that have fewer blocks than there are parts.
    [[nodiscard]] std::uint64_t too_small() const { return too_small_; }

private:
    /// A kernel cut by grid: the first `larger` parts run one shape, the others another.
    struct Cut {
        KernelIndex large{};
        KernelIndex small{};
        std::uint64_t larger = 0;
    };

    void cut_kernel(KernelLaunch& launch, std::uint32_t part);
    Cut cut_of(KernelIndex kernel);
    Cut cut_grid(KernelIndex kernel);
    KernelIndex with_grid(KernelIndex kernel, Extent grid);

    Workload* result_;
    std::uint32_t parts_;
    SplitKernels kernels_;
    std::vector<std::optional<Cut>> cuts_;  ///< by recorded kernel
    std::uint64_t too_small_ = 0;
};

}  // namespace overcast
