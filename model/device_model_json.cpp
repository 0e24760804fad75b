#include "model/device_model_json.hpp"

#include "core/error.hpp"
#include "model/device_parameters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace overcast {
namespace {

using Json = nlohmann::json;

void assign(const Json& value, Duration& to) { to = round_to_duration(value.get<double>()); }
void assign(const Json& value, Bandwidth& to) { to = Bandwidth{value.get<double>()}; }
void assign(const Json& value, Bytes& to) { to = Bytes{value.get<std::uint64_t>()}; }
void assign(const Json& value, double& to) { to = value.get<double>(); }
void assign(const Json& value, std::uint32_t& to) { to = value.get<std::uint32_t>(); }
void assign(const Json& value, std::vector<std::uint32_t>& to) {
    to = value.get<std::vector<std::uint32_t>>();
}
void assign(const Json& value, Curve& to) {
    std::vector<Curve::Point> points;
    for (const auto& pair : value) {
        points.push_back({pair.at(0).get<double>(), pair.at(1).get<double>()});
    }
    to = Curve{std::move(points)};
}
template <typename T>
void assign(const Json& value, std::optional<T>& to) {
    if (value.is_null()) {
        to.reset();
    } else {
        assign(value, to.emplace());
    }
}

DeviceProperties parse_device(const Json& json) {
    DeviceProperties device;
    visit_device_limits(device, [&](const char* name, auto& to) {
        if (json.contains(name)) {
            assign(json.at(name), to);
        }
    });
    return device;
}

void read_parameters(const Json& parameters, DeviceModel& model, std::string_view origin) {
    std::set<std::string> unknown;
    for (const auto& [name, row] : parameters.items()) {
        unknown.insert(name);
    }
    visit_parameters(model, [&](const std::string& name, auto& to) {
        const auto row = parameters.find(name);
        if (row == parameters.end()) {
            throw ModelFileError(fmt::format(
                "{}: parameter '{}' is missing; add it with its value and source", origin, name));
        }
        try {
            assign(row->at("value"), to);
        } catch (const Json::exception& error) {
            throw ModelFileError(fmt::format("{}: parameter '{}': {}", origin, name, error.what()));
        } catch (const ModelFileError& error) {
            throw ModelFileError(fmt::format("{}: parameter '{}': {}", origin, name, error.what()));
        }
        unknown.erase(name);
    });
    if (!unknown.empty()) {
        throw ModelFileError(
            fmt::format("{}: unknown parameter '{}'; it is misspelt or belongs to "
                        "another version of Overcast",
                        origin, *unknown.begin()));
    }
}

}  // namespace

DeviceModel parse_device_model(std::string_view text, std::string_view origin) {
    try {
        const auto json = Json::parse(text);
        if (const auto version = json.at("schema_version").get<int>(); version != 1) {
            throw ModelFileError(fmt::format(
                "{}: schema version {} is not supported, this version reads 1", origin, version));
        }
        DeviceModel model;
        model.name = json.at("name").get<std::string>();
        model.device_names = json.at("device_names").get<std::vector<std::string>>();
        model.device = parse_device(json.at("device"));
        if (!model.device_names.empty()) {
            model.device.name = model.device_names.front();
        }
        read_parameters(json.at("parameters"), model, origin);
        return model;
    } catch (const Json::exception& error) {
        throw ModelFileError(fmt::format("{}: not a device model: {}", origin, error.what()));
    }
}

}  // namespace overcast
