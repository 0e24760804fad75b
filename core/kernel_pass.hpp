// The instructions of a warp's pass through the loop in which a kernel spends its time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// What an instruction is issued to.
enum class PassUnit : std::uint8_t {
    none,       ///< branches, the uniform datapath
    fma,        ///< either half of the FMA pipe
    fma_heavy,  ///< the half that also multiplies integers
    alu,
    xu,
    fp64,
    shared,  ///< the queue to shared memory and the L1
    global,  ///< likewise, of a load or store of global memory
};

inline constexpr std::size_t kPassUnits = static_cast<std::size_t>(PassUnit::global) + 1;
inline constexpr std::uint32_t kScoreboards = 6;
inline constexpr std::uint8_t kNoScoreboard = 7;
/// Cycles until a constant or a special register is there. Assumes
inline constexpr double kAskedCycles = 20;

/// One instruction, as its control bits have it.
struct PassInstruction {
    PassUnit unit{};
    std::uint8_t stall = 1;                 ///< cycles until the warp's next instruction, at least
    std::uint8_t words = 1;                 ///< of 4 bytes per thread, of a load or store
    std::uint8_t result = kNoScoreboard;    ///< held until its result is there
    std::uint8_t operands = kNoScoreboard;  ///< held until it has read its operands
    std::uint8_t waits_for = 0;             ///< a bit per scoreboard

    bool operator==(const PassInstruction&) const = default;
};

using KernelPass = std::vector<PassInstruction>;

/// "f4 g2*4>0 a1&3f": a word per instruction, in the grammar of docs/trace-format.md#code.
std::string to_text(const KernelPass& pass);

/// Absent for what that grammar does not know, such as a pass of no instructions.
std::optional<KernelPass> parse_pass(std::string_view text);

}  // namespace overcast
