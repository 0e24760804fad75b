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

using OrderedJson = nlohmann::ordered_json;

OrderedJson written(Duration value) { return value.count(); }
OrderedJson written(Bandwidth value) { return value.bytes_per_s(); }
OrderedJson written(Bytes value) { return value.count(); }
OrderedJson written(double value) { return value; }
OrderedJson written(std::uint32_t value) { return value; }
OrderedJson written(const std::vector<std::uint32_t>& value) { return value; }
OrderedJson written(const Curve& value) {
    auto points = OrderedJson::array();
    for (const auto& point : value.points()) {
        points.push_back({point.x, point.y});
    }
    return points;
}
OrderedJson written(CopyService value) { return to_string(value); }
OrderedJson written(const std::vector<ConnectionChannels>& value) {
    auto rows = OrderedJson::array();
    for (const auto& row : value) {
        rows.push_back({{"connections", row.connections},
                        {"compute_ids", row.compute},
                        {"h2d_ids", row.h2d},
                        {"d2h_ids", row.d2h}});
    }
    return rows;
}
OrderedJson written(const std::vector<LinePiece>& value) {
    auto rows = OrderedJson::array();
    for (const auto& row : value) {
        rows.push_back({{"from_bytes", row.from.count()},
                        {"latency_ns", row.latency.count()},
                        {"bandwidth_bytes_per_s", row.bandwidth.bytes_per_s()}});
    }
    return rows;
}
template <typename T>
OrderedJson written(const std::optional<T>& value) {
    return value ? written(*value) : OrderedJson{};
}

/// Six digits: no measurement has more.
double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

void add_fit(OrderedJson& row, const Estimate& fit) {
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
    void add(const std::string& name, const OrderedJson& row) {
        text_ += fmt::format("{}    {}: {}", text_.empty() ? "" : ",\n", OrderedJson(name).dump(),
                             row.dump());
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
    const auto write = [&](const std::string& name, const auto& value) {
        OrderedJson row;
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
    };
    visit_parameters(model, write);
    visit_optional_parameters(model, write);
    if (!unknown.empty()) {
        throw ModelFileError(fmt::format("there is no parameter '{}'", *unknown.begin()));
    }
    return rows.text();
}

std::string rule_rows(const DeviceModelNotes& notes) {
    Rows rows;
    for (const auto& outcome : notes.rules) {
        OrderedJson row;
        row["says"] = outcome.says;
        row["kept"] = outcome.kept;
        row["of"] = outcome.of;
        row["instead"] = outcome.instead;
        rows.add(outcome.rule, row);
    }
    return rows.text();
}

std::string observation_rows(const DeviceModelNotes& notes) {
    Rows rows;
    for (const auto& observation : notes.observations) {
        OrderedJson row;
        row["value"] = OrderedJson::array();
        row["source"] = observation.source;
        row["points"] = 0;
        row["residual"] = OrderedJson::array();
        row["interval_90"] = OrderedJson::array();
        std::size_t points = 0;
        for (const auto& [x, estimate] : observation.points) {
            row["value"].push_back({x, rounded(estimate.value)});
            row["residual"].push_back(rounded(estimate.residual));
            row["interval_90"].push_back({rounded(estimate.low), rounded(estimate.high)});
            points += estimate.points;
        }
        row["points"] = points;
        if (observation.points.size() == 1) {  // a single figure, without an x
            row["value"] = row["value"][0][1];
            row["residual"] = row["residual"][0];
            row["interval_90"] = row["interval_90"][0];
        } else if (!observation.points.empty()) {
            row["valid"] = {observation.points.front().first, observation.points.back().first};
        }
        rows.add(observation.name, row);
    }
    return rows.text();
}

}  // namespace

std::string device_model_json(const DeviceModel& model, const DeviceModelNotes& notes,
                              std::string_view defaults_of) {
    OrderedJson measured;
    measured["device"] = model.device.name;
    measured["driver"] = notes.driver;
    measured["cuda"] = notes.cuda;
    measured["date"] = notes.date;
    measured["command"] = notes.command;
    auto failures = OrderedJson::object();
    for (const auto& failure : notes.failures) {
        failures[failure.probe] = failure.reason;
    }
    OrderedJson device;
    auto limits = model.device;
    visit_device_limits(limits, [&](const char* name, const auto& value) {
        if (value) {
            device[name] = written(value);
        }
    });
    auto text = fmt::format(
        "{{\n  \"schema_version\": 1,\n  \"name\": {},\n  \"device_names\": {},\n"
        "  \"measured\": {},\n  \"device\": {},\n",
        OrderedJson(model.name).dump(), OrderedJson(model.device_names).dump(), measured.dump(),
        device.dump());
    if (!failures.empty()) {
        text += fmt::format("  \"not_run\": {},\n", failures.dump());
    }
    if (!notes.rules.empty()) {
        text += fmt::format("  \"rules\": {},\n", rule_rows(notes));
    }
    if (!notes.observations.empty()) {
        text += fmt::format("  \"observed\": {},\n", observation_rows(notes));
    }
    return text +
           fmt::format("  \"parameters\": {}\n}}\n", parameter_rows(model, notes, defaults_of));
}

}  // namespace overcast
