#include "cli/report_page.hpp"

#include "core/version.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::string quoted(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=:+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
        return word;
    }
    std::string result = "'";
    for (const char letter : word) {
        result += letter == '\'' ? std::string{"'\\''"} : std::string{letter};
    }
    return result + "'";
}

}  // namespace

std::string command_in_words(std::string_view subcommand,
                             const std::vector<std::string>& arguments) {
    auto result = fmt::format("overcast {}", subcommand);
    for (const auto& argument : arguments) {
        result += ' ';
        result += quoted(argument);
    }
    return result;
}

std::vector<ProvenanceRow> provenance_of(const Trace& trace) {
    std::vector<ProvenanceRow> rows{{"trace", trace.source},
                                    {"program", trace.program},
                                    {"recorded", trace.date},
                                    {"recorded by", trace.producer}};
    if (trace.driver_version) {
        rows.push_back({"driver", *trace.driver_version});
    }
    if (trace.cuda_version) {
        rows.push_back({"CUDA", *trace.cuda_version});
    }
    return rows;
}

void add_own_provenance(std::vector<ProvenanceRow>& rows, std::string_view subcommand,
                        const std::vector<std::string>& arguments) {
    rows.push_back({"made by", fmt::format("overcast {}", kVersion)});
    rows.push_back({"command", command_in_words(subcommand, arguments)});
}

}  // namespace overcast
