// Text in columns: width counts what the eye sees, not bytes.
#pragma once

#include "core/warning.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// Characters of a UTF-8 text.
std::size_t display_width(std::string_view text);

std::string left_aligned(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);

/// Text from a recording, fit for a terminal: control characters become '?'.
std::string printable(std::string_view text);

/// At most `width` characters; the middle gives way to "..", because both ends of a path, a command
/// line or a kernel name tell most.
std::string shortened(std::string_view text, std::size_t width);

/// Breaks at blanks; the first line starts with `first`, the others with as many blanks. Ends with
/// a newline. Words longer than a line stand alone on theirs.
std::string wrapped(std::string_view text, std::string_view first,
                    std::size_t width = kReportWidth);

enum class Emphasis { none, strong, faint, good, alarming, red, blue, magenta, cyan };

/// `text` between ANSI codes, or as it is where colours are off.
std::string emphasised(std::string_view text, Emphasis emphasis, const TerminalStyle& style);

/// The label column of the lines that begin a report.
constexpr std::size_t kLabelWidth = 11;

/// `text` as a paragraph behind its faint label.
std::string labelled(std::string_view label, std::string_view text, const TerminalStyle& style);

/// A bar of `share` (0 to 1) of `width` characters, in eighths of a character where Unicode allows.
/// Not padded.
std::string bar(double share, std::size_t width, const TerminalStyle& style);

/// "warning: …" paragraphs, one for each; nothing for none.
std::string warning_paragraphs(const Warnings& warnings, const TerminalStyle& style);

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
    bool shrinks = false;  ///< its cells are shortened where the table would be wider than a report
};

/// Columns as wide as their widest cell, two blanks apart, a rule under the titles, no blank at the
/// end of a line. Each row has one cell per column.
std::string text_table(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows,
                       const TerminalStyle& style);

}  // namespace overcast
