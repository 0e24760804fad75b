// What `--help` prints, taken apart: the one source of completions and man pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overcast {

struct HelpOption {
    std::string name;         ///< without the dashes
    char letter = 0;          ///< 0: no short form
    std::string value;        ///< "FILE"; empty: takes none
    std::string description;  ///< in one line
    /// What may be given, where the description is a plain list: "table, json or csv [table]".
    std::vector<std::string> choices;

    /// The value is the name of a file or folder.
    [[nodiscard]] bool takes_file() const;
};

/// One heading with what stands below it.
struct HelpSection {
    std::string title;  ///< without the colon; empty: prose
    std::vector<HelpOption> options;
    std::vector<std::string> lines;       ///< indented lines that are no options: examples
    std::vector<std::string> paragraphs;  ///< prose, each in one line
};

struct HelpText {
    std::string name;                ///< "overcast predict"
    std::string purpose;             ///< what stands behind it, without the full stop
    std::vector<std::string> usage;  ///< one line each, without "Usage:"
    std::vector<HelpSection> sections;

    [[nodiscard]] std::vector<HelpOption> options() const;
};

HelpText parse_help(std::string_view help);

}  // namespace overcast
