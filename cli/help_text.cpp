#include "cli/help_text.hpp"

#include <algorithm>
#include <array>

namespace overcast {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const auto end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) return parts;
        begin = end + separator.size();
    }
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The first word, which is taken off `text`.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

std::string without(std::string_view text, char open, char close) {
    std::string result;
    int depth = 0;
    for (const char letter : text) {
        depth += letter == open ? 1 : 0;
        if (depth == 0) result += letter;
        depth -= letter == close && depth > 0 ? 1 : 0;
    }
    return result;
}

/// "auto", "as-recorded", and of "nvtx:NAME" what is to be typed: "nvtx:".
std::string choice_of(std::string_view word) {
    const auto colon = word.find(':');
    const bool open = colon != std::string_view::npos;
    const auto typed = open ? word.substr(0, colon + 1) : word;
    const bool plain =
        !typed.empty() && typed.front() >= 'a' && std::ranges::all_of(typed, [](char letter) {
            return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                   letter == '-' || letter == ':';
        });
    const bool placeholder = !open || std::ranges::all_of(word.substr(colon + 1), [](char letter) {
        return letter >= 'A' && letter <= 'Z';
    });
    return plain && placeholder ? std::string{typed} : "";
}

/// "table, json or csv"; nothing where it is anything else.
std::vector<std::string> choices_in(std::string_view list) {
    std::vector<std::string> choices;
    for (const auto part : split(list, ", ")) {
        const auto words = part.starts_with("or ") ? part.substr(3) : part;
        for (const auto word : split(words, " or ")) {
            auto choice = choice_of(trimmed(word));
            if (choice.empty()) return {};
            choices.push_back(std::move(choice));
        }
    }
    return choices.size() < 2 ? std::vector<std::string>{} : choices;
}

/// The list stands alone, before its explanation ("full, or minimal: …") or behind what it is about
/// ("issue order: depth, breadth").
std::vector<std::string> choices_of(const std::string& description) {
    const auto plain = without(without(description, '(', ')'), '[', ']');
    const std::string_view text = std::string_view{plain}.substr(0, plain.find(';'));
    const auto colon = text.find(": ");
    auto choices = choices_in(text.substr(0, colon));
    if (choices.empty() && colon != std::string_view::npos) {
        choices = choices_in(text.substr(colon + 2));
    }
    return choices;
}

bool is_option_line(std::string_view line) { return line.starts_with("  -"); }

HelpOption option_of(std::string_view line) {
    HelpOption option;
    auto word = take_word(line);
    if (word.size() == 3 && word[2] == ',') {
        option.letter = word[1];
        word = take_word(line);
    }
    option.name = word.substr(std::min<std::size_t>(2, word.size()));
    if (line.size() > 1 && line[1] != ' ') {
        option.value = take_word(line);
    }
    option.description = trimmed(line);
    return option;
}

class Parser {
public:
    HelpText parse(std::string_view help) {
        for (const auto line : split(help, "\n")) {
            read(line);
        }
        for (auto& section : text_.sections) {
            for (auto& option : section.options) {
                option.choices = choices_of(option.description);
            }
        }
        split_opening();
        return std::move(text_);
    }

private:
    void read(std::string_view line) {
        if (trimmed(line).empty()) {
            in_option_ = in_paragraph_ = in_usage_ = false;
            in_opening_ = in_opening_ && opening_.empty();
        } else if (in_opening_) {
            append(opening_, line);
        } else if (line.starts_with("Usage: ") || in_usage_) {
            in_usage_ = true;
            text_.usage.emplace_back(trimmed(line.starts_with("Usage: ") ? line.substr(7) : line));
        } else if (is_option_line(line)) {
            section().options.push_back(option_of(line));
            in_option_ = true;
        } else if (line.starts_with("    ") && in_option_) {
            append(section().options.back().description, line);
        } else if (line.starts_with("  ")) {
            section().lines.emplace_back(line.substr(2));
        } else if (line.ends_with(':') && !in_paragraph_) {
            text_.sections.push_back({std::string{line.substr(0, line.size() - 1)}, {}, {}, {}});
            in_option_ = false;
        } else {
            read_prose(line);
        }
    }

    void read_prose(std::string_view line) {
        if (!in_paragraph_) {
            if (!section().title.empty()) text_.sections.emplace_back();
            section().paragraphs.emplace_back();
            in_paragraph_ = true;
        }
        append(section().paragraphs.back(), line);
    }

    HelpSection& section() {
        if (text_.sections.empty()) text_.sections.emplace_back();
        return text_.sections.back();
    }

    static void append(std::string& to, std::string_view line) {
        to += to.empty() ? "" : " ";
        to += trimmed(line);
    }

    /// "overcast show: what a trace holds." or "overcast predicts …".
    void split_opening() {
        std::string_view rest = opening_;
        const auto colon = rest.find(": ");
        text_.name = rest.substr(0, colon == std::string_view::npos ? rest.find(' ') : colon);
        rest.remove_prefix(std::min(rest.size(), text_.name.size() + 1));
        rest = trimmed(rest);
        if (rest.ends_with('.')) rest.remove_suffix(1);
        text_.purpose = rest;
    }

    HelpText text_;
    std::string opening_;
    bool in_opening_ = true;
    bool in_usage_ = false;
    bool in_option_ = false;
    bool in_paragraph_ = false;
};

}  // namespace

bool HelpOption::takes_file() const {
    constexpr std::array<std::string_view, 4> kFiles{"FILE", "DIR", "TRACE", "MODEL"};
    return std::ranges::find(kFiles, value) != kFiles.end();
}

std::vector<HelpOption> HelpText::options() const {
    std::vector<HelpOption> all;
    for (const auto& section : sections) {
        all.insert(all.end(), section.options.begin(), section.options.end());
    }
    return all;
}

HelpText parse_help(std::string_view help) { return Parser{}.parse(help); }

}  // namespace overcast
