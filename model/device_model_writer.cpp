#include "core/error.hpp"
#include "model/device_model_json.hpp"
#include "model/device_parameters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <vector>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

Json written(Duration value) { return value.count(); }
Json written(Bandwidth value) { return value.bytes_per_s(); }
Json written(Bytes value) { return value.count(); }
Json written(double value) { return value; }
Json written(std::uint32_t value) { return value; }
Json written(const std::vector<std::uint32_t>& value) { return value; }
Json written(const Curve& value) {
    auto points = Json::array();
    for (const auto& point : value.points()) {
        points.push_back({point.x, point.y});
    }
    return points;
}
template <typename T>
Json written(const std::optional<T>& value) {
    return value ? written(*value) : Json{};
}

/// Six digits: no measurement has more.
double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

void add_fit(Json& row, const Estimate& fit) {
    row["points"] = fit.points;
    row["residual"] = rounded(fit.residual);
    row["interval_90"] = {rounded(fit.low), rounded(fit.high)};
    if (fit.valid_to > fit.valid_from) {
        row["valid"] = {fit.valid_from, fit.valid_to};
    }
}

/// One parameter a line, for a reader and for a comparison of two files.
class Rows {
public:
    void add(const std::string& name, const Json& row) {
        text_ +=
            fmt::format("{}    {}: {}", text_.empty() ? "" : ",\n", Json(name).dump(), row.dump());
    }
    [[nodiscard]] std::string text() const { return "{\n" + text_ + "\n  }"; }

private:
    std::string text_;
};

std::string parameter_rows(DeviceModel model, const DeviceModelNotes& notes,
                           std::string_view defaults_of) {
    Rows rows;
    std::set<std::string> unknown;
    for (const auto& [name, note] : notes.parameters) {
        unknown.insert(name);
    }
    visit_parameters(model, [&](const std::string& name, const auto& value) {
        Json row;
        row["value"] = written(value);
        const auto note = notes.parameters.find(name);
        if (note == notes.parameters.end()) {
            row["source"] = fmt::format("default: not measured by calibrate ({})", defaults_of);
        } else {
            row["source"] = note->second.source;
            if (note->second.fit) {
                add_fit(row, *note->second.fit);
            }
        }
        rows.add(name, row);
        unknown.erase(name);
    });
    if (!unknown.empty()) {
        throw ModelFileError(fmt::format("there is no parameter '{}'", *unknown.begin()));
    }
    return rows.text();
}

std::string rule_rows(const DeviceModelNotes& notes) {
    Rows rows;
    for (const auto& outcome : notes.rules) {
        Json row;
        row["says"] = outcome.says;
        row["kept"] = outcome.kept;
        row["of"] = outcome.of;
        row["instead"] = outcome.instead;
        rows.add(outcome.rule, row);
    }
    return rows.text();
}

}  // namespace

std::string device_model_json(const DeviceModel& model, const DeviceModelNotes& notes,
                              std::string_view defaults_of) {
    Json measured;
    measured["device"] = model.device.name;
    measured["driver"] = notes.driver;
    measured["cuda"] = notes.cuda;
    measured["date"] = notes.date;
    measured["command"] = notes.command;
    auto failures = Json::object();
    for (const auto& failure : notes.failures) {
        failures[failure.probe] = failure.reason;
    }
    Json device;
    auto limits = model.device;
    visit_device_limits(limits, [&](const char* name, const auto& value) {
        if (value) {
            device[name] = written(value);
        }
    });
    auto text = fmt::format(
        "{{\n  \"schema_version\": 1,\n  \"name\": {},\n  \"device_names\": {},\n"
        "  \"measured\": {},\n  \"device\": {},\n",
        Json(model.name).dump(), Json(model.device_names).dump(), measured.dump(), device.dump());
    if (!failures.empty()) {
        text += fmt::format("  \"not_run\": {},\n", failures.dump());
    }
    if (!notes.rules.empty()) {
        text += fmt::format("  \"rules\": {},\n", rule_rows(notes));
    }
    return text +
           fmt::format("  \"parameters\": {}\n}}\n", parameter_rows(model, notes, defaults_of));
}

}  // namespace overcast
