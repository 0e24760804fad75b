#include "cli/command_line.hpp"

#include "cli/help.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include <algorithm>

namespace overcast {
namespace {

namespace po = boost::program_options;

po::options_description describe(std::span<const Option> options) {
    po::options_description description;
    for (const auto& option : options) {
        auto names = std::string{option.name};
        if (option.letter != 0) {
            names += fmt::format(",{}", option.letter);
        }
        auto* value = po::value<std::string>();
        description.add_options()(names.c_str(), option.takes_value ? value : value->zero_tokens(),
                                  "");
    }
    return description;
}

std::vector<std::string> names_of(std::span<const Option> options) {
    std::vector<std::string> names{"--help"};
    for (const auto& option : options) {
        names.push_back("--" + std::string{option.name});
    }
    return names;
}

/// As the user wrote it, without its value: "--strems", "-x".
std::string dashed(const std::string& name) {
    const auto bare = name.substr(0, name.find('='));
    if (bare.starts_with('-')) {
        return bare;
    }
    return (bare.size() == 1 ? "-" : "--") + bare;
}

po::parsed_options parse(const po::options_description& description,
                         std::span<const Option> options,
                         const std::vector<std::string>& arguments) {
    // No guessing: an option that is added later must not change what a script means.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    try {
        return po::command_line_parser(arguments).options(description).style(style).run();
    } catch (const po::unknown_option& error) {
        // Boost 1.83 gives the value, too: "--strems=4".
        const auto given = dashed(error.get_option_name());
        const auto name = given.substr(0, given.find('='));
        throw UsageError(
            fmt::format("unknown option '{}'{}", name, suggestion(name, names_of(options))));
    } catch (const po::invalid_command_line_syntax& error) {
        const auto name = dashed(error.get_option_name());
        if (error.kind() == po::invalid_syntax::extra_parameter) {
            throw UsageError(fmt::format("option '{}' takes no value", name));
        }
        throw UsageError(fmt::format("option '{}' needs a value", name));
    } catch (const po::error& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

CommandLine::CommandLine(std::span<const Option> options,
                         const std::vector<std::string>& arguments) {
    asks_for_help_ = std::ranges::any_of(
        arguments, [](const auto& argument) { return argument == "--help" || argument == "-h"; });
    if (asks_for_help_) {
        return;
    }
    const auto description = describe(options);
    for (const auto& parsed : parse(description, options, arguments).options) {
        if (parsed.position_key >= 0) {
            words_.insert(words_.end(), parsed.value.begin(), parsed.value.end());
            continue;
        }
        auto& values = values_[parsed.string_key];
        const auto option = std::ranges::find(options, parsed.string_key, &Option::name);
        if (!values.empty() && !option->repeatable) {
            throw UsageError(fmt::format("option '--{}' is given twice", option->name));
        }
        values.push_back(parsed.value.empty() ? "" : parsed.value.front());
    }
}

std::optional<std::string> CommandLine::value(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::nullopt : std::optional{found->second.front()};
}

std::vector<std::string> CommandLine::values(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace overcast
