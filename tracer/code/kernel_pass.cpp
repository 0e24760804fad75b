#include "tracer/code/kernel_pass.hpp"

#include "tracer/code/control_flow.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

namespace overcast {
namespace {

/// Cycles. Observed: by counters of loops of known instructions on an H200 (docs/model.md).
constexpr double kSharedLatency = 30;  // a chain of loads: 28.6 and what the next one waits
constexpr double kXuLatency = 18;
constexpr double kLocalLatency = 40;
constexpr double kOperandsRead = 8;  // Assumes
constexpr double kLoopEnd = 10;      // until the first instruction after a taken branch

/// Long enough to stand out from what else a pass waits for; which load waits does not depend on
/// it.
constexpr double kLongLoad = 1000;
constexpr int kPasses = 4;  // until each begins as the one before
/// Of the warps that come to a branch forward. Assumes: as many as not, but four of five between
/// barriers, as in a reduction over the threads of a block, where 0.14 to 0.29 of 16 to 4 warps go
/// on by halves.
constexpr double kTaken = 0.5;
constexpr double kTakenBetweenBarriers = 0.8;

/// An instruction of a pass, and how often a pass comes by it.
struct Step {
    Instruction instruction;
    double share = 0;
};

struct Loop {
    std::size_t first = 0;
    std::size_t last = 0;  ///< its branch back

    [[nodiscard]] bool holds(const Loop& other) const {
        return first <= other.first && other.last <= last &&
               (first != other.first || last != other.last);
    }
    [[nodiscard]] std::size_t length() const { return last - first + 1; }
};

std::vector<Loop> find_loops(const MachineCode& code) {
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto branch = code.branch_at(i);
        if (!branch || *branch >= -1) {
            continue;  // a branch to itself ends the code
        }
        const auto target = static_cast<std::int64_t>(i) + 1 + *branch;
        if (target >= 0) {
            loops.push_back({static_cast<std::size_t>(target), i});
        }
    }
    return loops;
}

bool has_tensors(const MachineCode& code, const Loop& loop) {
    for (auto i = loop.first; i <= loop.last; ++i) {
        if (code.work_at(i) == Work::tensor) {
            return true;
        }
    }
    return false;
}

/// Of the loops without another one in them, the longest, but one for tensors before all others.
/// Loops are found by rising ends, so that what a loop holds comes right before it.
std::optional<Loop> main_loop(const MachineCode& code) {
    std::optional<Loop> best;
    std::optional<Loop> before;
    bool for_tensors = false;
    for (const auto& loop : find_loops(code)) {
        if (!before || !loop.holds(*before)) {
            const bool tensors = has_tensors(code, loop);
            const bool longer = !best || loop.length() > best->length();
            if (tensors == for_tensors ? longer : tensors) {
                best = loop;
                for_tensors = tensors;
            }
        }
        before = loop;
    }
    return best;
}

/// The instructions of `part`. What tensor instructions need is not read from their code: no share
/// of them is lost.
std::vector<Step> pass_through(const MachineCode& code, const Loop& part, bool is_loop) {
    std::vector<Instruction> instructions;
    for (auto i = part.first; i <= part.last; ++i) {
        instructions.push_back(code[i]);
    }
    const auto has = [&](Work work) {
        return std::ranges::find(instructions, work, &Instruction::work) != instructions.end();
    };
    const auto taken = has(Work::barrier) ? kTakenBetweenBarriers : kTaken;
    const auto shares = has(Work::tensor) ? std::vector<double>(instructions.size(), 1.0)
                                          : shares_of(instructions, {is_loop, taken});
    std::vector<Step> pass;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        pass.push_back({instructions[i], shares[i]});
    }
    return pass;
}

double latency(Work work, double of_memory) {
    switch (work) {
        case Work::global_load: return of_memory;
        case Work::shared: return kSharedLatency;
        case Work::xu: return kXuLatency;
        case Work::local: return kLocalLatency;
        default: return kAskedCycles;
    }
}

/// When a result is there, and how often a pass asks for it.
struct Scoreboard {
    double free = 0;
    double share = 0;

    void hold(double until, double share_of_passes) {
        free = std::max(free, until);
        share = share_of_passes;
    }
};

/// Cycles of a pass of which the one before is over, in the mean of all passes.
double time_of_pass(std::span<const Step> pass, double of_memory) {
    std::array<Scoreboard, kScoreboards> boards{};
    double now = 0;
    double start = 0;
    for (int round = 0; round < kPasses; ++round) {
        start = now;
        for (const auto& [instruction, share] : pass) {
            if (share <= 0) {
                continue;
            }
            double wait = 0;
            for (auto waits = instruction.waits_for; waits != 0; waits &= waits - 1) {
                const auto& board = boards[static_cast<std::size_t>(std::countr_zero(waits))];
                wait = std::max(wait, std::min(share, board.share) * (board.free - now));
            }
            now += wait;
            if (const auto board = instruction.result_scoreboard) {
                boards[*board].hold(now + latency(instruction.work, of_memory), share);
            }
            if (const auto board = instruction.operand_scoreboard) {
                boards[*board].hold(now + kOperandsRead, share);
            }
            now += share * instruction.stall;
        }
    }
    return now - start;
}

/// At a barrier a block waits for its last warp: who comes by everything.
void let_all_come_by(std::vector<Step>& pass) {
    for (auto& step : pass) {
        step.share = step.share > 0 ? 1 : 0;
    }
}

void add_work(const Step& step, KernelCode& code) {
    constexpr double kThreads = 32;
    constexpr double kWord = 4;  // bytes per thread that the L1 moves in a cycle
    const auto& [instruction, share] = step;
    const auto use = [&, share = share](CodeUnit unit, double cycles) {
        code[unit] += share * cycles;
    };
    code.instructions += share;
    switch (instruction.work) {
        case Work::issue_only: break;
        case Work::barrier: code.barriers += share; break;
        case Work::fma: use(CodeUnit::fma_pipe, 1); break;
        case Work::integer_fma:
            use(CodeUnit::fma_pipe, 1);
            use(CodeUnit::fma_heavy_pipe, 2);
            break;
        case Work::alu: use(CodeUnit::alu_pipe, 2); break;
        case Work::xu: use(CodeUnit::xu_pipe, 8); break;
        case Work::fp64: use(CodeUnit::fp64_pipe, 2); break;
        case Work::tensor: use(CodeUnit::tensor_pipe, 1); break;
        case Work::global_load:
        case Work::global_store:
            code.global_bytes += share * kThreads * instruction.width;
            [[fallthrough]];
        case Work::shared:
        case Work::local:  // one unit for all four quarters
            use(CodeUnit::lsu_pipe, 4);
            use(CodeUnit::l1, 4 * std::max(1.0, instruction.width / kWord));
            break;
    }
}

/// Absent where control bits do not tell when it is issued and done.
std::optional<PassUnit> unit_of(Work work) {
    switch (work) {
        case Work::issue_only: return PassUnit::none;
        case Work::fma: return PassUnit::fma;
        case Work::integer_fma: return PassUnit::fma_heavy;
        case Work::alu: return PassUnit::alu;
        case Work::xu: return PassUnit::xu;
        case Work::fp64: return PassUnit::fp64;
        case Work::shared: return PassUnit::shared;
        case Work::global_load:
        case Work::global_store: return PassUnit::global;
        case Work::tensor:
        case Work::local:
        case Work::barrier: break;
    }
    return std::nullopt;
}

PassInstruction pass_instruction(const Instruction& instruction, PassUnit unit) {
    constexpr std::uint32_t kWord = 4;  // bytes
    const bool moves_words = unit == PassUnit::shared || unit == PassUnit::global;
    const auto words = moves_words ? std::max(1U, instruction.width / kWord) : 1U;
    const auto number = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
    return {.unit = unit,
            .stall = number(instruction.stall),
            .words = number(words),
            .result = number(instruction.result_scoreboard.value_or(kNoScoreboard)),
            .operands = number(instruction.operand_scoreboard.value_or(kNoScoreboard)),
            .waits_for = number(instruction.waits_for)};
}

/// Of a part of the code that is executed once, what all execute who come to its last instruction.
/// What waits for more than its control bits say counts by these. Empty if it is too long.
KernelPass executed_once(const MachineCode& code, const Loop& part) {
    KernelPass result;
    if (part.length() > kLongestPass) {
        return result;
    }
    const auto steps = pass_through(code, part, false);
    for (const auto& [instruction, share] : steps) {
        if (share > 0 && share >= steps.back().share) {
            const auto unit = unit_of(instruction.work);
            result.push_back(pass_instruction(instruction, unit.value_or(PassUnit::none)));
        }
    }
    return result;
}

KernelPass start_before(const MachineCode& code, const Loop& loop) {
    return loop.first > 0 ? executed_once(code, {0, loop.first - 1}) : KernelPass{};
}

/// Up to the first exit that nobody passes by.
KernelPass end_behind(const MachineCode& code, const Loop& loop) {
    const auto is_end = [&code](std::size_t at) {
        const auto instruction = code[at];
        return instruction.is_exit && !instruction.conditional;
    };
    auto last = loop.last + 1;
    while (last < code.size() && last <= loop.last + kLongestPass && !is_end(last)) {
        ++last;
    }
    return last < code.size() ? executed_once(code, {loop.last + 1, last}) : KernelPass{};
}

/// Empty where the pass is too long, or something in it is not issued by its control bits alone in
/// every pass.
KernelPass instructions_of(std::span<const Step> pass) {
    KernelPass result;
    if (pass.size() > kLongestPass) {
        return result;
    }
    result.reserve(pass.size());
    for (const auto& [instruction, share] : pass) {
        const auto unit = unit_of(instruction.work);
        if (!unit || share != 1) {
            return {};
        }
        result.push_back(pass_instruction(instruction, *unit));
    }
    return result;
}

}  // namespace

std::optional<KernelCode> kernel_pass(const MachineCode& code) {
    if (code.size() == 0) {
        return std::nullopt;
    }
    const auto loop = main_loop(code);
    const auto part = loop.value_or(Loop{0, code.size() - 1});
    auto pass = pass_through(code, part, loop.has_value());
    KernelCode result;
    for (const auto& step : pass) {
        add_work(step, result);
    }
    if (loop) {
        result.pass = instructions_of(pass);
        result.start = start_before(code, *loop);
        result.end = end_behind(code, *loop);
    }
    if (result.barriers > 0) {
        let_all_come_by(pass);
    }
    const auto without = time_of_pass(pass, 0);
    result.cycles = without + (loop ? kLoopEnd : 0);
    result.memory_waits = (time_of_pass(pass, kLongLoad) - without) / kLongLoad;
    return result;
}

}  // namespace overcast
