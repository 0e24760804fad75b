// Kernels whose blocks fill the whole GPU.
#pragma once

#include "advise/recorded_program.hpp"

#include <cstdint>
#include <vector>

namespace overcast {

struct KernelFill {
    std::vector<std::uint32_t> launches;  ///< of at least as many blocks as the GPU holds
    Duration time{};                      ///< of these
    Duration all{};                       ///< of all kernels

    /// They are most of what the SMs do.
    [[nodiscard]] bool dominates() const { return all > Duration{} && 2 * time >= all; }
};

KernelFill kernel_fill(const RecordedProgram& program);

}  // namespace overcast
