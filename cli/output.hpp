// Where results go: a file or standard output.
#pragma once

#include "report/terminal_style.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace overcast {

/// Colours where standard output is a terminal that has them and NO_COLOR is not set; Unicode where
/// the locale is UTF-8; as wide as the terminal, 80 columns where it is none. `to_file`: never
/// colours, 80 columns.
TerminalStyle output_style(bool to_file);

/// Writes `text` to the file, or to standard output where there is none (or it is "-").
/// Throws Error if it cannot be written. A reader that has gone away (`| head`) is no error.
void write_output(std::string_view text, const std::optional<std::string>& file);

/// One "error: …" line on standard error, whatever `message` holds.
void print_error(std::string_view message);

}  // namespace overcast
