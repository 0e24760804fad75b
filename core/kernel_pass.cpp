#include "core/kernel_pass.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <system_error>

namespace overcast {
namespace {

constexpr std::string_view kLetters = "nfhaxdsg";  // in the order of PassUnit
static_assert(kLetters.size() == kPassUnits);

constexpr std::uint8_t kLongestStall = 15;
constexpr std::uint8_t kMostWords = 4;
constexpr std::uint8_t kAllScoreboards = (1U << kScoreboards) - 1;
constexpr std::ptrdiff_t kMostDigits = 2;

/// A number that may be there, behind its mark.
struct Field {
    char mark;
    std::uint8_t highest;
    int base = 10;
};

constexpr Field kWords{'*', kMostWords};
constexpr Field kResult{'>', kScoreboards - 1};
constexpr Field kOperands{'<', kScoreboards - 1};
constexpr Field kWaitsFor{'&', kAllScoreboards, 16};

bool moves_words(PassUnit unit) { return unit == PassUnit::shared || unit == PassUnit::global; }

void append_number(std::string& text, std::uint8_t value, int base = 10) {
    std::array<char, kMostDigits> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    text.append(digits.data(), end);
}

void append_field(std::string& text, const Field& field, std::uint8_t value) {
    text += field.mark;
    append_number(text, value, field.base);
}

void append_instruction(std::string& text, const PassInstruction& instruction) {
    text += kLetters[static_cast<std::size_t>(instruction.unit)];
    append_number(text, instruction.stall);
    if (moves_words(instruction.unit) && instruction.words != 1) {
        append_field(text, kWords, instruction.words);
    }
    if (instruction.result != kNoScoreboard) {
        append_field(text, kResult, instruction.result);
    }
    if (instruction.operands != kNoScoreboard) {
        append_field(text, kOperands, instruction.operands);
    }
    if (instruction.waits_for != 0) {
        append_field(text, kWaitsFor, instruction.waits_for);
    }
}

/// Takes a number from the front of `text`. False where there is none, or too high a one.
bool take_number(std::string_view& text, std::uint8_t& value, std::uint8_t highest, int base) {
    const auto* const first = text.data();
    const auto length = std::min(kMostDigits, std::ssize(text));
    const auto [end, error] = std::from_chars(first, first + length, value, base);
    if (error != std::errc{} || value > highest) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(end - first));
    return true;
}

/// Likewise a field, if it is there; `value` stays as it is where it is not.
bool take_field(std::string_view& text, std::uint8_t& value, const Field& field) {
    if (!text.starts_with(field.mark)) {
        return true;
    }
    text.remove_prefix(1);
    return take_number(text, value, field.highest, field.base);
}

std::optional<PassInstruction> parse_instruction(std::string_view word) {
    const auto letter = word.empty() ? std::string_view::npos : kLetters.find(word.front());
    if (letter == std::string_view::npos) {
        return std::nullopt;
    }
    word.remove_prefix(1);
    PassInstruction read;
    read.unit = static_cast<PassUnit>(letter);
    const bool is_known = take_number(word, read.stall, kLongestStall, 10) && read.stall > 0 &&
                          (!moves_words(read.unit) || take_field(word, read.words, kWords)) &&
                          std::has_single_bit(read.words) &&
                          take_field(word, read.result, kResult) &&
                          take_field(word, read.operands, kOperands) &&
                          take_field(word, read.waits_for, kWaitsFor) && word.empty();
    return is_known ? std::optional{read} : std::nullopt;
}

}  // namespace

std::string to_text(const KernelPass& pass) {
    std::string text;
    for (const auto& instruction : pass) {
        if (!text.empty()) {
            text += ' ';
        }
        append_instruction(text, instruction);
    }
    return text;
}

std::optional<KernelPass> parse_pass(std::string_view text) {
    KernelPass pass;
    while (true) {
        const auto space = text.find(' ');
        const auto instruction = parse_instruction(text.substr(0, space));
        if (!instruction) {
            return std::nullopt;
        }
        pass.push_back(*instruction);
        if (space == std::string_view::npos) {
            return pass;
        }
        text.remove_prefix(space + 1);
    }
}

}  // namespace overcast
