#include "report/terminal_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

bool starts_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

/// The byte at which character `count` begins.
std::size_t byte_offset(std::string_view text, std::size_t count) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (starts_a_character(text[i]) && seen++ == count) {
            return i;
        }
    }
    return text.size();
}

std::string padding(std::string_view text, std::size_t width) {
    const auto used = display_width(text);
    return std::string(used < width ? width - used : 0, ' ');
}

std::string_view escape_code(Emphasis emphasis) {
    switch (emphasis) {
        case Emphasis::none: return "";
        case Emphasis::strong: return "\x1b[1m";
        case Emphasis::faint: return "\x1b[2m";
        case Emphasis::good: return "\x1b[1;32m";
        case Emphasis::alarming: return "\x1b[1;33m";
        case Emphasis::red: return "\x1b[31m";
        case Emphasis::blue: return "\x1b[34m";
        case Emphasis::magenta: return "\x1b[35m";
        case Emphasis::cyan: return "\x1b[36m";
    }
    return "";
}

std::vector<std::size_t> column_widths(const std::vector<Column>& columns,
                                       const std::vector<std::vector<std::string>>& rows) {
    constexpr std::size_t kNarrowest = 6;
    std::vector<std::size_t> widths;
    std::size_t total = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        auto width = display_width(columns[i].title);
        for (const auto& row : rows) {
            width = std::max(width, display_width(row[i]));
        }
        widths.push_back(width);
        total += width + (i == 0 ? 0 : 2);
    }
    for (std::size_t i = 0; i < columns.size() && total > kReportWidth; ++i) {
        if (columns[i].shrinks && widths[i] > kNarrowest) {
            const auto less = std::min(total - kReportWidth, widths[i] - kNarrowest);
            widths[i] -= less;
            total -= less;
        }
    }
    return widths;
}

std::string joined_row(const std::vector<Column>& columns, const std::vector<std::string>& cells,
                       const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        line += i == 0 ? "" : "  ";
        const auto cell = shortened(cells[i], widths[i]);
        line += columns[i].align == Align::left ? left_aligned(cell, widths[i])
                                                : right_aligned(cell, widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_a_character));
}

std::string left_aligned(std::string_view text, std::size_t width) {
    return std::string{text} + padding(text, width);
}

std::string right_aligned(std::string_view text, std::size_t width) {
    return padding(text, width) + std::string{text};
}

std::string printable(std::string_view text) {
    std::string result{text};
    std::ranges::replace_if(
        result, [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7f; }, '?');
    return result;
}

std::string shortened(std::string_view text, std::size_t width) {
    const auto length = display_width(text);
    if (length <= width) {
        return std::string{text};
    }
    if (width <= 2) {
        return std::string(width, '.');
    }
    const auto tail = (width - 2) / 2;
    const auto head = width - 2 - tail;
    return std::string{text.substr(0, byte_offset(text, head))} + ".." +
           std::string{text.substr(byte_offset(text, length - tail))};
}

std::string wrapped(std::string_view text, std::string_view first, std::size_t width) {
    const std::string indent(display_width(first), ' ');
    std::string result{first};
    std::size_t column = indent.size();
    bool line_is_empty = true;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = std::min(text.find(' ', start), text.size());
        const auto word = text.substr(start, end - start);
        start = end + 1;
        if (word.empty()) {
            continue;
        }
        if (!line_is_empty && column + 1 + display_width(word) > width) {
            result += '\n' + indent;
            column = indent.size();
            line_is_empty = true;
        }
        if (!line_is_empty) {
            result += ' ';
            ++column;
        }
        result += word;
        column += display_width(word);
        line_is_empty = false;
    }
    return result + '\n';
}

std::string emphasised(std::string_view text, Emphasis emphasis, const TerminalStyle& style) {
    if (!style.colour || emphasis == Emphasis::none || text.empty()) {
        return std::string{text};
    }
    return std::string{escape_code(emphasis)} + std::string{text} + "\x1b[0m";
}

std::string labelled(std::string_view label, std::string_view text, const TerminalStyle& style) {
    const auto paragraph = wrapped(text, left_aligned(label, kLabelWidth));
    return emphasised(label, Emphasis::faint, style) + paragraph.substr(label.size());
}

std::string bar(double share, std::size_t width, const TerminalStyle& style) {
    share = std::clamp(share, 0.0, 1.0);
    if (!style.unicode) {
        const auto full = std::lround(share * static_cast<double>(width));
        return std::string(static_cast<std::size_t>(full), '#');
    }
    constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths =
        static_cast<std::size_t>(std::lround(share * static_cast<double>(8 * width)));
    std::string result;
    for (std::size_t i = 0; i < eighths / 8; ++i) {
        result += "█";
    }
    return result + kEighths[eighths % 8];
}

std::string warning_paragraphs(const Warnings& warnings, const TerminalStyle& style) {
    constexpr std::string_view kLabel = "warning: ";
    std::string result;
    for (const auto& warning : warnings) {
        const auto paragraph = wrapped(warning.text, kLabel);
        result +=
            emphasised("warning:", Emphasis::alarming, style) + paragraph.substr(kLabel.size() - 1);
    }
    return result;
}

std::string text_table(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows,
                       const TerminalStyle& style) {
    const auto widths = column_widths(columns, rows);
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        titles.push_back(columns[i].title);
        std::string rule;
        for (std::size_t k = 0; k < widths[i]; ++k) {
            rule += style.unicode ? "─" : "-";
        }
        rules.push_back(rule);
    }
    std::string result =
        emphasised(joined_row(columns, titles, widths), Emphasis::strong, style) + '\n' +
        emphasised(joined_row(columns, rules, widths), Emphasis::faint, style) + '\n';
    for (const auto& row : rows) {
        result += joined_row(columns, row, widths) + '\n';
    }
    return result;
}

}  // namespace overcast
