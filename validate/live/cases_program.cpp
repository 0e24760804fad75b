#include "validate/live/cases_program.hpp"

#include "core/error.hpp"
#include "core/memory_word.hpp"
#include "core/own_executable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
    add("--streams", std::to_string(run.streams));
    add("--memory", memory_word(one.memory));
    return arguments;
}

EnvironmentChanges case_environment(const SuiteCase& one, const Programs& programs) {
    const char* path = std::getenv("PATH");
    return {{"CUDA_DEVICE_MAX_CONNECTIONS",
             one.max_connections ? std::to_string(*one.max_connections) : ""},
            {"PATH", fmt::format("{}:{}", programs.cases.parent_path().string(),
                                 path == nullptr ? "/usr/bin:/bin" : path)}};
}

MeasuredSeries parse_series(std::string_view text) {
    try {
        const auto json = nlohmann::json::parse(text);
        MeasuredSeries series;
        series.device = json.at("device").get<std::string>();
        series.units = json.at("units").get<std::uint32_t>();
        series.parts = json.at("parts").get<std::uint32_t>();
        for (const double wall : json.at("walls_us")) {
            series.walls.push_back(Duration{std::llround(wall * 1e3)});
        }
        if (series.walls.empty()) {
            throw Error("overcast-cases measured nothing");
        }
        return series;
    } catch (const nlohmann::json::exception& error) {
        throw Error(fmt::format("overcast-cases answered something else than one JSON object: {}",
                                error.what()));
    }
}

}  // namespace overcast
