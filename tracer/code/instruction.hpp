// One machine instruction of compute capability 9.0, as far as its cost goes.
#pragma once

#include "core/kernel_pass.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace overcast {

inline constexpr std::size_t kInstructionBytes = 16;

/// What an instruction keeps busy.
enum class Work : std::uint8_t {
    issue_only,   ///< branches, barriers, the uniform datapath
    fma,          ///< either half of the FMA pipe
    integer_fma,  ///< the heavy half, for two cycles
    alu,
    xu,
    fp64,
    tensor,
    shared,        ///< loads from and stores to shared memory, shuffles
    global_load,   ///< and atomics
    global_store,  ///< nobody waits for it
    local,         ///< registers that did not fit
    barrier,       ///< for all warps of the block
};

/// NVIDIA does not document the encoding. Observed: of code that ptxas (CUDA 13.0) made from known
/// sources (tracer/code/instruction_test.cpp).
///   bits 0..8     operation, less the form of its operands (9..11)
///   bits 12..14, 15   predicate, and whether its opposite: 7 always holds
///   bits 73..75   width of a load or store: 0, 1 one byte, 2, 3 two, 4 four, 5 eight, 6 sixteen
///   bits 16..23, 34..81   distance of a branch in words of four bytes, from the next instruction
///   bits 105..108 cycles until the warp's next instruction
///   bits 110..112, 113..115   scoreboard that it holds until its result is there, or until it has
///                 read its operands; 7: none
///   bits 116..121 scoreboards that it waits for
struct Instruction {
    std::uint32_t operation = 0;
    Work work{};
    std::uint32_t width = 4;  ///< bytes per thread, of a load or store
    std::uint32_t stall = 1;
    std::optional<std::uint32_t> result_scoreboard;
    std::optional<std::uint32_t> operand_scoreboard;
    std::uint32_t waits_for = 0;  ///< bit per scoreboard
    /// Of a branch: instructions from the next one to its target.
    std::optional<std::int64_t> branch;
    bool conditional = false;  ///< some threads, or none, may do nothing
    bool is_exit = false;      ///< the end of a thread
};

/// `low` and `high` are the two halves as they stand in memory.
Instruction decode_instruction(std::uint64_t low, std::uint64_t high);

/// Machine code, of which only what is asked for is decoded: a module may hold millions of
/// instructions. What is left over of the bytes is no instruction.
class MachineCode {
public:
    explicit MachineCode(std::span<const std::byte> bytes) : bytes_{bytes} {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / kInstructionBytes; }
    [[nodiscard]] Instruction operator[](std::size_t index) const;
    [[nodiscard]] Work work_at(std::size_t index) const;
    /// Of a branch: instructions from the next one to its target.
    [[nodiscard]] std::optional<std::int64_t> branch_at(std::size_t index) const;

private:
    [[nodiscard]] std::uint64_t half(std::size_t number) const;

    std::span<const std::byte> bytes_;
};

}  // namespace overcast
