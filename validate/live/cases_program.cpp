#include "validate/live/cases_program.hpp"

#include "core/error.hpp"
#include "core/memory_word.hpp"
#include "core/own_executable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace overcast {

Programs Programs::beside_this_one() {
    auto cases = program_beside_this_one(
        "overcast-cases",
        "it holds the CUDA workloads and is built where nvcc is installed; to compare with "
        "recorded runs instead, use --replay DIR");
    return {own_executable().value(), std::move(cases)};
}

std::vector<std::string> case_arguments(const SuiteCase& one, const std::string& preset,
                                        const SuiteRun& run) {
    std::vector<std::string> arguments{one.program, "--preset", preset};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    const auto add = [&](std::string_view option, std::string_view value) {
        arguments.emplace_back(option);
        arguments.emplace_back(value);
    };
    add("--transform", to_string(run.transform));
    add("--order", to_string(run.order));
    add("--streams", run.streams_word());
    add("--memory", memory_word(one.memory));
    if (one.members) {
        add("--sweep", one.members->in_words());
    }
    return arguments;
}

EnvironmentChanges case_environment(const SuiteCase& one, const Programs& programs) {
    const char* path = std::getenv("PATH");
    return {{"CUDA_DEVICE_MAX_CONNECTIONS",
             one.max_connections ? std::to_string(*one.max_connections) : ""},
            {"PATH", fmt::format("{}:{}", programs.cases.parent_path().string(),
                                 path == nullptr ? "/usr/bin:/bin" : path)}};
}

namespace {

MeasuredSeries parse_line(std::string_view text) {
    try {
        const auto json = nlohmann::json::parse(text);
        MeasuredSeries series;
        series.device = json.at("device").get<std::string>();
        series.units = json.at("units").get<std::uint32_t>();
        series.parts = json.at("parts").get<std::uint32_t>();
        if (json.contains("range")) {
            series.range = json.at("range").get<std::string>();
            series.streams = json.at("streams").get<std::uint32_t>();
        }
        for (const double wall : json.at("walls_us")) {
            series.walls.push_back(Duration{std::llround(wall * 1e3)});
        }
        if (series.walls.empty()) {
            throw Error("overcast-cases measured nothing");
        }
        return series;
    } catch (const nlohmann::json::exception& error) {
        throw Error(
            fmt::format("overcast-cases answered something else than one JSON object a line: {}",
                        error.what()));
    }
}

std::optional<std::string> member_name(const SuiteCase& one, std::size_t place) {
    return one.members ? std::optional{one.members->name(static_cast<std::uint32_t>(place))}
                       : std::nullopt;
}

}  // namespace

std::vector<MeasuredSeries> parse_series(const SuiteCase& one, std::string_view lines) {
    std::vector<MeasuredSeries> result;
    while (!lines.empty()) {
        const auto end = std::min(lines.find('\n'), lines.size());
        if (end > 0) {
            result.push_back(parse_line(lines.substr(0, end)));
            const auto wanted = member_name(one, result.size() - 1);
            if (result.back().range != wanted) {
                throw Error(fmt::format("overcast-cases measured {} where {} was asked for",
                                        result.back().range.value_or("no member"),
                                        wanted.value_or("no member")));
            }
        }
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    const std::size_t expected = one.members ? one.members->count() : 1;
    if (result.size() != expected) {
        throw Error(
            fmt::format("overcast-cases answered {} lines instead of {}", result.size(), expected));
    }
    return result;
}

}  // namespace overcast
