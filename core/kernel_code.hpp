// What the machine code of a kernel says of it, without any permission and before it has run.
#pragma once

#include "core/ids.hpp"
#include "core/kernel_pass.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace overcast {

/// A unit that instructions hold for a number of cycles: one per quarter of an SM, or a quarter of
/// what the SM has one of.
enum class CodeUnit : std::uint8_t {
    fma_pipe,        ///< both halves of it
    fma_heavy_pipe,  ///< the half that also multiplies integers
    alu_pipe,
    xu_pipe,
    fp64_pipe,
    tensor_pipe,  ///< instructions, of which nobody tells the cycles
    lsu_pipe,
    l1,  ///< data path of L1 and shared memory
};

inline constexpr std::size_t kCodeUnits = static_cast<std::size_t>(CodeUnit::l1) + 1;

/// "alu_pipe": as the counter of that unit.
std::string_view to_string(CodeUnit unit);

/// One pass of a warp through the loop in which the kernel spends its time, or through all of a
/// kernel that has none.
struct KernelCode {
    NameId name{};
    double instructions = 0;
    double cycles = 0;        ///< alone on its scheduler, loads taking no time
    double memory_waits = 0;  ///< for how many loads one after the other it waits
    double global_bytes = 0;  ///< read or written, the threads' data side by side
    double barriers = 0;      ///< at which it waits for the warps of its block
    std::array<double, kCodeUnits> cycles_of{};  ///< for which it holds each unit
    KernelPass pass;                             ///< empty: not known
    KernelPass start;  ///< of a warp, before its first pass; empty: not known, or nothing
    KernelPass end;    ///< likewise, behind its last one

    [[nodiscard]] double operator[](CodeUnit unit) const {
        return cycles_of[static_cast<std::size_t>(unit)];
    }
    double& operator[](CodeUnit unit) { return cycles_of[static_cast<std::size_t>(unit)]; }
    bool operator==(const KernelCode&) const = default;
};

}  // namespace overcast
