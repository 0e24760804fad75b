#include "tracer/code/control_flow.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace overcast {
namespace {

bool is_jump(const Instruction& instruction) { return instruction.branch || instruction.is_exit; }

/// Where an instruction may go beside the next one. Absent: nowhere, or out of the code.
std::optional<std::size_t> target_of(std::span<const Instruction> code, std::size_t from) {
    if (!code[from].branch) {
        return std::nullopt;
    }
    const auto target = static_cast<std::int64_t>(from) + 1 + *code[from].branch;
    const bool inside = target >= 0 && target < static_cast<std::int64_t>(code.size());
    return inside ? std::optional{static_cast<std::size_t>(target)} : std::nullopt;
}

/// From which instructions the end of a pass is reached.
class Staying {
public:
    Staying(std::span<const Instruction> code, bool is_loop)
        : code_{code}, is_loop_{is_loop}, by_instruction_(code.size(), true) {
        for (auto i = code.size() - 1; i-- > 0;) {
            const auto& instruction = code[i];
            const bool goes_on = !is_jump(instruction) || instruction.conditional;
            by_instruction_[i] = (goes_on && next(i)) || (is_jump(instruction) && jump(i));
        }
    }

    [[nodiscard]] bool next(std::size_t from) const {
        return from + 1 >= code_.size() || by_instruction_[from + 1];
    }
    [[nodiscard]] bool jump(std::size_t from) const {
        if (code_[from].is_exit) {
            return !is_loop_;
        }
        const auto target = target_of(code_, from);
        return target && (*target <= from || by_instruction_[*target]);
    }

private:
    std::span<const Instruction> code_;
    bool is_loop_;
    std::vector<bool> by_instruction_;
};

}  // namespace

std::vector<double> shares_of(std::span<const Instruction> code, const FlowAssumptions& flow) {
    std::vector<double> shares(code.size(), 0.0);
    if (code.empty()) {
        return shares;
    }
    const Staying stays{code, flow.is_loop};
    shares.front() = 1;
    for (std::size_t i = 0; i < code.size(); ++i) {
        double gone = 0;
        if (is_jump(code[i]) && !code[i].conditional) {
            gone = shares[i];
        } else if (code[i].branch && stays.jump(i)) {
            gone = stays.next(i) ? flow.taken * shares[i] : shares[i];
        }
        if (const auto target = target_of(code, i); target && *target > i) {
            shares[*target] += gone;
        }
        if (i + 1 < code.size()) {
            shares[i + 1] += shares[i] - gone;
        }
    }
    return shares;
}

}  // namespace overcast
