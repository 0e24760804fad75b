#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace overcast {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view left, std::string_view right) {
    std::vector<std::vector<std::size_t>> cost(left.size() + 1,
                                               std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t k = 0; k <= right.size(); ++k) {
            if (i == 0 || k == 0) {
                cost[i][k] = i + k;
                continue;
            }
            const std::size_t replaced = left[i - 1] == right[k - 1] ? 0 : 1;
            cost[i][k] =
                std::min({cost[i - 1][k] + 1, cost[i][k - 1] + 1, cost[i - 1][k - 1] + replaced});
            if (i > 1 && k > 1 && left[i - 1] == right[k - 2] && left[i - 2] == right[k - 1]) {
                cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
            }
        }
    }
    return cost[left.size()][right.size()];
}

}  // namespace

std::string general_help(std::span<const Subcommand> subcommands) {
    std::string text =
        "overcast predicts what a one-stream CUDA program will do on N streams.\n"
        "\n"
        "It records one run on a GPU, and plays that work on 1 to 16 streams on any\n"
        "machine, without a GPU.\n"
        "\n"
        "Usage: overcast SUBCOMMAND [ARGUMENTS]\n"
        "       overcast help SUBCOMMAND\n"
        "       overcast --version\n"
        "       overcast --completion bash|zsh      a script for the shell\n"
        "       overcast --man [SUBCOMMAND]         a man page\n"
        "\n"
        "Subcommands:\n";
    for (const auto& subcommand : subcommands) {
        text += fmt::format("  {:<11}{}\n", subcommand.name, subcommand.summary);
    }
    text +=
        "\n"
        "Examples:\n"
        "  overcast trace -o run.json.gz -- ./app      on the machine with the GPU\n"
        "  overcast predict run.json.gz                on any machine\n"
        "\n"
        "Exit status: 0 success, 1 failure, 2 wrong usage, 3 validation outside its\n"
        "tolerance. 'overcast trace' passes the status of the traced program through.\n";
    return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    // A third of the letters may be wrong: enough for slips, too few for another word.
    std::size_t nearest = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::optional<std::string> found;
    for (const auto& candidate : candidates) {
        if (const auto distance = edit_distance(word, candidate); distance < nearest) {
            nearest = distance;
            found = candidate;
        }
    }
    return found ? fmt::format("; did you mean '{}'?", *found) : "";
}

}  // namespace overcast
