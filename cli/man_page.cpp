#include "cli/man_page.hpp"

#include "cli/help_text.hpp"
#include "core/version.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// Text that roff prints as it is.
std::string roff(std::string_view text) {
    std::string result;
    if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
    for (const char letter : text) {
        if (letter == '\\') {
            result += "\\e";
        } else {
            result += letter == '-' ? "\\-" : std::string(1, letter);
        }
    }
    return result;
}

std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    });
    return text;
}

std::string file_name(std::string name) {
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string option_entry(const HelpOption& option) {
    std::string head;
    if (option.letter != 0) head = fmt::format("\\fB\\-{}\\fR, ", option.letter);
    head += fmt::format("\\fB\\-\\-{}\\fR", roff(option.name));
    if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", roff(option.value));
    return fmt::format(".TP\n{}\n{}\n", head, roff(option.description));
}

std::string literal_lines(const std::vector<std::string>& lines) {
    std::string result = ".nf\n";
    for (const auto& line : lines) {
        result += roff(line) + '\n';
    }
    return result + ".fi\n";
}

std::string section_text(const HelpSection& section) {
    std::string result;
    for (const auto& option : section.options) {
        result += option_entry(option);
    }
    if (!section.lines.empty()) {
        result += literal_lines(section.lines);
    }
    for (const auto& paragraph : section.paragraphs) {
        result += ".PP\n" + roff(paragraph) + '\n';
    }
    return result;
}

}  // namespace

std::string man_page(std::string_view help, std::string_view see_also) {
    const auto text = parse_help(help);
    const auto name = file_name(text.name);
    // No date: the same source gives the same page.
    auto result = fmt::format(".TH {} 1 \"\" \"overcast {}\" \"User commands\"\n", upper_case(name),
                              kVersion);
    result += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(name), roff(text.purpose));
    result += literal_lines(text.usage);
    bool described = false;
    for (const auto& section : text.sections) {
        if (!section.title.empty()) {
            result += fmt::format(".SH {}\n", roff(upper_case(section.title)));
        } else {
            result += described ? ".SH NOTES\n" : ".SH DESCRIPTION\n";
            described = true;
        }
        result += section_text(section);
    }
    return result + fmt::format(".SH SEE ALSO\n{}\n", roff(see_also));
}

}  // namespace overcast
