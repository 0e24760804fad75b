#include "cli/completion.hpp"

#include "cli/help_text.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

std::string subcommand_names(std::span<const Subcommand> subcommands) {
    std::string names;
    for (const auto& subcommand : subcommands) {
        names += fmt::format("{} ", subcommand.name);
    }
    return names + "help";
}

std::string spelt(const HelpOption& option, std::string_view separator) {
    const auto letter = option.letter == 0 ? "" : fmt::format("-{}{}", option.letter, separator);
    return letter + "--" + option.name;
}

constexpr std::string_view kBashBegin =
    R"(# bash completion for overcast; written by 'overcast --completion bash'

_overcast() {
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}
    local subcommand=${COMP_WORDS[1]} options='' choices='' i
    COMPREPLY=()
    # --option=value comes in three words.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $option == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$subcommands --help --version --completion --man" -- "$current")
        return
    fi
    # What stands behind a lone -- is another program's.
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            compopt -o default 2>/dev/null
            return
        fi
    done
    case $subcommand in
)";

constexpr std::string_view kBashEnd = R"(    help | --man) choices=$subcommands ;;
    --completion) choices='bash zsh' ;;
    esac
    if [[ -n $choices ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        compopt -o default 2>/dev/null
    fi
}

complete -F _overcast overcast
)";

std::string bash_case(const Subcommand& subcommand) {
    const auto options = parse_help(subcommand.help).options();
    std::string names;
    std::string values;
    for (const auto& option : options) {
        names += fmt::format("{}{}", names.empty() ? "" : " ", spelt(option, " "));
        if (!option.choices.empty()) {
            values += fmt::format("        {}) choices='{}' ;;\n", spelt(option, " | "),
                                  fmt::join(option.choices, " "));
        } else if (!option.value.empty() && !option.takes_file()) {
            // Numbers and names that nobody can foresee.
            values += fmt::format("        {}) return ;;\n", spelt(option, " | "));
        }
    }
    auto result = fmt::format("    {})\n        options='{}'\n", subcommand.name, names);
    if (!values.empty()) {
        result += "        case $option in\n" + values + "        esac\n";
    }
    return result + "        ;;\n";
}

std::string bash_script(std::span<const Subcommand> subcommands) {
    std::string result{kBashBegin};
    const std::string_view mark = "    COMPREPLY=()\n";
    result.insert(result.find(mark),
                  fmt::format("    local subcommands='{}'\n", subcommand_names(subcommands)));
    for (const auto& subcommand : subcommands) {
        result += bash_case(subcommand);
    }
    return result + std::string{kBashEnd};
}

/// Between single quotes and brackets of a zsh specification.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '\'') {
            result += "'\\''";
        } else {
            if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
            result += letter;
        }
    }
    return result;
}

std::string zsh_value(const HelpOption& option) {
    if (option.value.empty()) return "";
    if (!option.choices.empty()) {
        std::string choices;
        for (const auto& choice : option.choices) {
            choices += fmt::format("{}{}", choices.empty() ? "" : " ", zsh_text(choice));
        }
        return fmt::format(":{}:({})", option.value, choices);
    }
    return fmt::format(":{}:{}", zsh_text(option.value), option.takes_file() ? "_files" : " ");
}

std::string zsh_case(const Subcommand& subcommand) {
    auto result = fmt::format("            {})\n                _arguments -s -S", subcommand.name);
    const auto help = parse_help(subcommand.help);
    for (const auto& option : help.options()) {
        const auto rest = fmt::format("[{}]{}'", zsh_text(option.description), zsh_value(option));
        if (option.letter != 0) {
            result += fmt::format(" \\\n                    '*-{}{}{}", option.letter,
                                  option.value.empty() ? "" : "+", rest);
        }
        result += fmt::format(" \\\n                    '*--{}{}{}", option.name,
                              option.value.empty() ? "" : "=", rest);
    }
    return result + " \\\n                    '*:file:_files' ;;\n";
}

std::string zsh_script(std::span<const Subcommand> subcommands) {
    std::string result =
        "#compdef overcast\n"
        "# zsh completion for overcast; written by 'overcast --completion zsh'\n\n"
        "_overcast() {\n"
        "    local context state state_descr line\n"
        "    typeset -A opt_args\n"
        "    local -a subcommands=(\n";
    for (const auto& subcommand : subcommands) {
        result += fmt::format("        '{}:{}'\n", subcommand.name, zsh_text(subcommand.summary));
    }
    result +=
        "        'help:the help of a subcommand'\n"
        "    )\n"
        "    _arguments -C '(-)--version[the version]' '(-)--help[the subcommands]' \\\n"
        "        '(-)--completion[a script for a shell]:shell:(bash zsh)' \\\n"
        "        '(-)--man[a man page]' \\\n"
        "        '1:subcommand:->subcommand' '*::argument:->argument'\n"
        "    case $state in\n"
        "    subcommand) _describe subcommand subcommands ;;\n"
        "    argument)\n"
        "        case $line[1] in\n";
    for (const auto& subcommand : subcommands) {
        result += zsh_case(subcommand);
    }
    return result +
           "            help) _describe subcommand subcommands ;;\n"
           "        esac\n"
           "        ;;\n"
           "    esac\n"
           "}\n\n"
           "_overcast \"$@\"\n";
}

}  // namespace

std::string completion_script(std::string_view shell, std::span<const Subcommand> subcommands) {
    if (shell == "bash") return bash_script(subcommands);
    if (shell == "zsh") return zsh_script(subcommands);
    throw UsageError(fmt::format("--completion '{}': expected bash or zsh", shell));
}

}  // namespace overcast
