#include "validate/cases/harness/result.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace overcast::cases {
namespace {

std::string quoted(std::string_view text) {
    std::string result{'"'};
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            result += '\\';
        }
        result += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return result + '"';
}

std::string with_decimals(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string in_hexadecimal(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

std::string configuration(const Options& options, std::uint32_t units) {
    std::ostringstream text;
    text << options.definition->name << (options.range.empty() ? "" : ", ") << options.range << ": "
         << units << " units on " << options.streams << " streams, " << to_string(options.order)
         << " order";
    if (options.transform != Transform::distribute) {
        text << ", " << to_string(options.transform);
    }
    if (options.transform == Transform::split) {
        text << " into " << options.parts << " parts";
    }
    return text.str();
}

std::string parameters_json(const CaseDefinition& definition) {
    std::ostringstream text;
    const char* separator = "";
    for (const auto& parameter : definition.parameters) {
        text << separator << quoted(parameter.name) << ": {\"seed\": " << parameter.seed
             << ", \"h200\": " << parameter.h200 << ", \"small\": " << parameter.small
             << ", \"meaning\": " << quoted(parameter.meaning) << '}';
        separator = ", ";
    }
    return text.str();
}

}  // namespace

std::string result_json(const Options& options, const RunResult& result) {
    std::ostringstream text;
    text << "{\"case\": " << quoted(options.definition->name)
         << (options.range.empty() ? "" : ", \"range\": " + quoted(options.range))
         << ", \"preset\": " << quoted(to_string(options.preset))
         << ", \"device\": " << quoted(result.device)
         << ", \"transform\": " << quoted(to_string(options.transform))
         << ", \"order\": " << quoted(to_string(options.order))
         << ", \"streams\": " << options.streams << ", \"units\": " << result.units
         << ", \"parts\": " << options.parts
         << ", \"memory\": " << quoted(to_string(options.memory)) << ", \"max_connections\": "
         << (result.max_connections ? std::to_string(*result.max_connections) : "null")
         << ", \"walls_us\": [";
    const char* separator = "";
    for (const double wall : result.walls_us) {
        text << separator << with_decimals(wall, 3);
        separator = ", ";
    }
    text << "], \"disturbed\": " << result.disturbed
         << ", \"checksum\": " << quoted(in_hexadecimal(result.checksum)) << '}';
    return text.str();
}

std::string result_line(const Options& options, const RunResult& result) {
    const auto [least, most] = std::minmax_element(result.walls_us.begin(), result.walls_us.end());
    return configuration(options, result.units) + ": median " +
           with_decimals(median(result.walls_us), 1) + " us (" + with_decimals(*least, 1) + " to " +
           with_decimals(*most, 1) + "), " + std::to_string(result.walls_us.size()) + " passes";
}

std::string checked_line(const Options& options, std::uint32_t units, std::uint64_t checksum) {
    return configuration(options, units) + ": results are right, checksum " +
           in_hexadecimal(checksum);
}

std::string list_json(std::span<const CaseDefinition> cases) {
    std::ostringstream text;
    text << '[';
    const char* separator = "\n";
    for (const auto& definition : cases) {
        text << separator << "{\"name\": " << quoted(definition.name)
             << ", \"effect\": " << quoted(definition.effect) << ", \"lanes\": " << definition.lanes
             << ", \"can_be_split\": " << (definition.can_be_split ? "true" : "false")
             << ", \"parameters\": {" << parameters_json(definition) << "}}";
        separator = ",\n";
    }
    text << "\n]";
    return text.str();
}

std::optional<std::uint32_t> max_connections_of_environment() {
    const char* const text = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    if (text == nullptr) {
        return std::nullopt;
    }
    const std::string_view word{text};
    std::uint32_t value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool is_number = status == std::errc{} && end == word.data() + word.size();
    return is_number && value > 0 ? std::optional{value} : std::nullopt;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace overcast::cases
