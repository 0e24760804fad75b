#include "validate/accuracy/tolerances.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace overcast {
namespace {

using Json = nlohmann::json;

const Json& object_at(const Json& parent, const char* key, const std::string& file) {
    const auto found = parent.find(key);
    if (found == parent.end() || !found->is_object()) {
        throw TraceFormatError(fmt::format("{}: \"{}\" must be an object", file, key));
    }
    return *found;
}

double limit(const Json& value, const std::string& place) {
    if (!value.is_number() || !(value.get<double>() >= 0) || !std::isfinite(value.get<double>())) {
        throw TraceFormatError(fmt::format("{} must be a number of percent from 0 up", place));
    }
    return value.get<double>();
}

ErrorLimits parse_limits(const Json& object, const std::string& place) {
    if (!object.is_object()) {
        throw TraceFormatError(fmt::format("{} must be an object", place));
    }
    ErrorLimits limits;
    for (const auto& [key, value] : object.items()) {
        const auto number = limit(value, fmt::format("{}: \"{}\"", place, key));
        if (key == "mape_percent") {
            limits.mape_percent = number;
        } else if (key == "p95_percent") {
            limits.p95_percent = number;
        } else if (key == "max_percent") {
            limits.max_percent = number;
        } else {
            throw TraceFormatError(fmt::format(
                "{}: \"{}\" is not known; there are mape_percent, p95_percent, max_percent", place,
                key));
        }
    }
    return limits;
}

void compare(const std::string& name, const ErrorSummary& errors, const ErrorLimits& limits,
             std::vector<std::string>& found) {
    const auto check = [&](std::string_view figure, double error,
                           const std::optional<double>& largest) {
        if (largest && error > *largest) {
            found.push_back(fmt::format("{}: {} error {:.2f} % is more than {} %", name, figure,
                                        error, *largest));
        }
    };
    check("mean", errors.mape_percent, limits.mape_percent);
    check("p95", errors.p95_percent, limits.p95_percent);
    check("largest", errors.max_percent, limits.max_percent);
}

}  // namespace

Tolerances parse_tolerances(std::string_view text, const std::string& file) {
    Json document;
    try {
        document = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw TraceFormatError(fmt::format("{}: byte {}: not valid JSON", file, error.byte));
    }
    if (!document.is_object()) {
        throw TraceFormatError(fmt::format("{}: expected an object", file));
    }
    Tolerances tolerances;
    for (const auto& [name, limits] : object_at(document, "cases", file).items()) {
        tolerances.cases[name] = parse_limits(limits, fmt::format("{}: cases.{}", file, name));
    }
    tolerances.summary =
        parse_limits(object_at(document, "summary", file), fmt::format("{}: summary", file));
    return tolerances;
}

Tolerances read_tolerances(const std::filesystem::path& file) {
    std::ifstream input{file, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{input}, {}};
    if (!input) {
        throw TraceFormatError(fmt::format("{}: cannot be read", file.string()));
    }
    return parse_tolerances(text, file.string());
}

std::vector<std::string> violations(const AccuracyReport& report, const Tolerances& tolerances) {
    std::vector<std::string> found;
    std::size_t judged = 0;
    for (const auto& one : report.cases) {
        if (const auto limits = tolerances.cases.find(one.case_name);
            limits != tolerances.cases.end()) {
            compare(one.case_name, errors_of(one), limits->second, found);
            ++judged;
        }
    }
    if (judged == tolerances.cases.size()) {
        compare("all runs", report.all.ours.errors, tolerances.summary, found);
    }
    return found;
}

}  // namespace overcast
