#include "tracer/code/instruction.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace overcast {
namespace {

constexpr std::uint32_t kBranch = 0x147;
constexpr std::uint32_t kExit = 0x14d;
constexpr std::uint64_t kAlways = 7;  // predicate

struct Row {
    std::uint32_t operation;
    Work work;
};

/// All others are the ALU's.
constexpr std::array kRows{
    Row{0x020, Work::fma},           // FMUL
    Row{0x021, Work::fma},           // FADD
    Row{0x023, Work::fma},           // FFMA
    Row{0x030, Work::fma},           // HADD2
    Row{0x031, Work::fma},           // HFMA2
    Row{0x032, Work::fma},           // HMUL2
    Row{0x035, Work::fma},           // HFMA2, as a move
    Row{0x024, Work::integer_fma},   // IMAD
    Row{0x025, Work::integer_fma},   // IMAD.WIDE
    Row{0x027, Work::integer_fma},   // IMAD.HI
    Row{0x036, Work::integer_fma},   // VIADD; Observed: counted there, unlike IADD3
    Row{0x028, Work::fp64},          // DMUL
    Row{0x029, Work::fp64},          // DADD
    Row{0x02a, Work::fp64},          // DSETP
    Row{0x02b, Work::fp64},          // DFMA
    Row{0x100, Work::xu},            // FLO
    Row{0x101, Work::xu},            // BREV
    Row{0x104, Work::xu},            // F2F
    Row{0x105, Work::xu},            // F2I
    Row{0x106, Work::xu},            // I2F
    Row{0x108, Work::xu},            // MUFU
    Row{0x109, Work::xu},            // POPC
    Row{0x037, Work::tensor},        // IMMA
    Row{0x03c, Work::tensor},        // HMMA
    Row{0x03f, Work::tensor},        // DMMA
    Row{0x1f0, Work::tensor},        // HGMMA
    Row{0x1f1, Work::tensor},        // IGMMA
    Row{0x1f3, Work::tensor},        // QGMMA
    Row{0x03b, Work::shared},        // LDSM
    Row{0x184, Work::shared},        // LDS
    Row{0x188, Work::shared},        // STS
    Row{0x189, Work::shared},        // SHFL
    Row{0x18c, Work::shared},        // ATOMS
    Row{0x180, Work::global_load},   // LD
    Row{0x181, Work::global_load},   // LDG
    Row{0x1a8, Work::global_load},   // ATOMG
    Row{0x1ae, Work::global_load},   // LDGSTS
    Row{0x185, Work::global_store},  // ST
    Row{0x186, Work::global_store},  // STG
    Row{0x18e, Work::global_store},  // RED
    Row{0x183, Work::local},         // LDL
    Row{0x187, Work::local},         // STL
    // Observed of CS2R: beside warps that fill the ALU it does not wait.
    Row{0x005, Work::issue_only},                                  // CS2R
    Row{kBranch, Work::issue_only}, Row{0x082, Work::issue_only},  // UMOV
    Row{0x090, Work::issue_only},                                  // UIADD3
    Row{0x092, Work::issue_only},                                  // ULOP3
    Row{0x099, Work::issue_only},                                  // USHF
    Row{0x0a4, Work::issue_only},                                  // UIMAD
    Row{0x0b9, Work::issue_only},                                  // ULDC
    Row{0x118, Work::issue_only},                                  // NOP
    Row{0x119, Work::issue_only},                                  // S2R
    Row{0x11a, Work::issue_only},                                  // DEPBAR
    Row{0x11d, Work::barrier},                                     // BAR
    Row{0x141, Work::issue_only},                                  // BSYNC
    Row{0x145, Work::issue_only},                                  // BSSY
    Row{0x148, Work::issue_only},                                  // WARPSYNC
    Row{kExit, Work::issue_only}, Row{0x182, Work::issue_only},    // LDC
    Row{0x1c2, Work::issue_only},                                  // R2UR
    Row{0x1c3, Work::issue_only},                                  // S2UR
};

constexpr std::size_t kOperations = 512;

constexpr std::array<Work, kOperations> work_by_operation() {
    std::array<Work, kOperations> table{};
    table.fill(Work::alu);
    for (const auto& row : kRows) {
        table[row.operation] = row.work;
    }
    return table;
}

constexpr auto kWork = work_by_operation();

constexpr std::uint64_t bits(std::uint64_t word, unsigned first, unsigned count) {
    return (word >> first) & ((std::uint64_t{1} << count) - 1);
}

std::optional<std::uint32_t> scoreboard(std::uint64_t field) {
    return field < kScoreboards ? std::optional{static_cast<std::uint32_t>(field)} : std::nullopt;
}

std::uint32_t width_of(std::uint64_t field) {
    constexpr std::array<std::uint32_t, 8> kBytes{1, 1, 2, 2, 4, 8, 16, 16};
    return kBytes[field];
}

std::int64_t branch_of(std::uint64_t low, std::uint64_t high) {
    constexpr unsigned kBits = 56;  // of the distance: 8, 30 of the low half, 18 of the high one
    const auto raw = bits(low, 16, 8) | bits(low, 34, 30) << 8U | bits(high, 0, 18) << 38U;
    const auto words = static_cast<std::int64_t>(raw << (64 - kBits)) >> (64 - kBits);
    return words / static_cast<std::int64_t>(kInstructionBytes / 4);
}

std::uint32_t operation_of(std::uint64_t low) {
    return static_cast<std::uint32_t>(bits(low, 0, 9));
}

}  // namespace

Instruction decode_instruction(std::uint64_t low, std::uint64_t high) {
    Instruction result;
    result.operation = operation_of(low);
    result.work = kWork[result.operation];
    result.width = width_of(bits(high, 9, 3));
    result.stall = std::max(1U, static_cast<std::uint32_t>(bits(high, 41, 4)));
    result.result_scoreboard = scoreboard(bits(high, 46, 3));
    result.operand_scoreboard = scoreboard(bits(high, 49, 3));
    result.waits_for = static_cast<std::uint32_t>(bits(high, 52, 6));
    result.conditional = bits(low, 12, 4) != kAlways;
    result.is_exit = result.operation == kExit;
    if (result.operation == kBranch) {
        result.branch = branch_of(low, high);
    }
    return result;
}

std::uint64_t MachineCode::half(std::size_t number) const {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + number * sizeof word, sizeof word);
    return word;
}

Instruction MachineCode::operator[](std::size_t index) const {
    return decode_instruction(half(2 * index), half(2 * index + 1));
}

Work MachineCode::work_at(std::size_t index) const { return kWork[operation_of(half(2 * index))]; }

std::optional<std::int64_t> MachineCode::branch_at(std::size_t index) const {
    const auto low = half(2 * index);
    return operation_of(low) == kBranch ? std::optional{branch_of(low, half(2 * index + 1))}
                                        : std::nullopt;
}

}  // namespace overcast
