#include "model/device_model_json.hpp"

#include "core/error.hpp"
#include "model/device_parameters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace overcast {
namespace {

using Json = nlohmann::json;

/// A number of at most `largest`, so that it can be converted.
double bounded(const Json& value, double smallest, double largest) {
    const auto number = value.get<double>();
    if (!(number >= smallest && number <= largest)) {
        throw ModelFileError("is out of range");
    }
    return number;
}

template <typename Number>
Number whole(const Json& value) {
    constexpr double kExact = 9'007'199'254'740'992;  // 2^53
    bounded(value, 0, std::min(kExact, static_cast<double>(std::numeric_limits<Number>::max())));
    return value.get<Number>();
}

void assign(const Json& value, Duration& to) {
    constexpr double kYear = 365.0 * 24 * 3600 * 1e9;
    to = round_to_duration(bounded(value, -kYear, kYear));
}
void assign(const Json& value, Bandwidth& to) { to = Bandwidth{value.get<double>()}; }
void assign(const Json& value, Bytes& to) { to = Bytes{whole<std::uint64_t>(value)}; }
void assign(const Json& value, double& to) { to = value.get<double>(); }
void assign(const Json& value, std::uint32_t& to) { to = whole<std::uint32_t>(value); }
void assign(const Json& value, std::vector<std::uint32_t>& to) {
    to.clear();
    for (const auto& entry : value.get<std::vector<Json>>()) {
        to.push_back(whole<std::uint32_t>(entry));
    }
}
void assign(const Json& value, Curve& to) {
    std::vector<Curve::Point> points;
    for (const auto& pair : value) {
        points.push_back({pair.at(0).get<double>(), pair.at(1).get<double>()});
    }
    to = Curve{std::move(points)};
}
void assign(const Json& value, ConnectionChannels& to) {
    to.connections = whole<std::uint32_t>(value.at("connections"));
    assign(value.at("compute_ids"), to.compute);
    assign(value.at("h2d_ids"), to.h2d);
    assign(value.at("d2h_ids"), to.d2h);
    if (to.connections == 0 || to.compute.empty() || to.h2d.empty() || to.d2h.empty()) {
        throw ModelFileError("each setting needs a number of connections and channels");
    }
}
void assign(const Json& value, LinePiece& to) {
    assign(value.at("from_bytes"), to.from);
    assign(value.at("latency_ns"), to.latency);
    assign(value.at("bandwidth_bytes_per_s"), to.bandwidth);
}
/// Rows whose key rises.
template <typename T, typename Key>
void assign_rising(const Json& value, std::vector<T>& to, Key key) {
    to.clear();
    for (const auto& row : value) {
        T next;
        assign(row, next);
        if (!to.empty() && !(key(to.back()) < key(next))) {
            throw ModelFileError("its rows must rise");
        }
        to.push_back(std::move(next));
    }
}
void assign(const Json& value, std::vector<ConnectionChannels>& to) {
    assign_rising(value, to, [](const ConnectionChannels& row) { return row.connections; });
}
void assign(const Json& value, std::vector<LinePiece>& to) {
    assign_rising(value, to, [](const LinePiece& row) { return row.from; });
}
void assign(const Json& value, CopyService& to) {
    to = parse_copy_service(value.get<std::string>());
}
template <typename T>
void assign(const Json& value, std::optional<T>& to) {
    if (value.is_null()) {
        to.reset();
    } else {
        assign(value, to.emplace());
    }
}

DeviceProperties parse_device(const Json& json, std::string_view origin) {
    DeviceProperties device;
    visit_device_limits(device, [&](const char* name, auto& to) {
        if (!json.contains(name)) {
            return;
        }
        try {
            assign(json.at(name), to);
        } catch (const ModelFileError& error) {
            throw ModelFileError(
                fmt::format("{}: device limit '{}' {}", origin, name, error.what()));
        }
    });
    return device;
}

void read_parameters(const Json& parameters, DeviceModel& model, std::string_view origin) {
    std::set<std::string> unknown;
    for (const auto& [name, row] : parameters.items()) {
        unknown.insert(name);
    }
    const auto read = [&](const std::string& name, auto& to) {
        const auto row = parameters.find(name);
        if (row == parameters.end()) {
            return false;
        }
        try {
            assign(row->at("value"), to);
            if (const auto interval = row->find("interval_90"); interval != row->end()) {
                model.intervals[name] = {interval->at(0).get<double>(),
                                         interval->at(1).get<double>()};
            }
        } catch (const Json::exception& error) {
            throw ModelFileError(fmt::format("{}: parameter '{}': {}", origin, name, error.what()));
        } catch (const ModelFileError& error) {
            throw ModelFileError(fmt::format("{}: parameter '{}': {}", origin, name, error.what()));
        }
        unknown.erase(name);
        return true;
    };
    visit_parameters(model, [&](const std::string& name, auto& to) {
        if (!read(name, to)) {
            throw ModelFileError(fmt::format(
                "{}: parameter '{}' is missing; add it with its value and source", origin, name));
        }
    });
    model.light_tracing = model.minimal_tracing;  // of models that do not know it: hardly more
    visit_optional_parameters(model, read);
    if (!unknown.empty()) {
        throw ModelFileError(
            fmt::format("{}: unknown parameter '{}'; it is misspelt or belongs to "
                        "another version of Overcast",
                        origin, *unknown.begin()));
    }
}

/// Of what `overcast calibrate` observed without a rule for it, that which what-ifs use.
void read_observed(const Json& observed, DeviceModel& model) {
    const auto read = [&](const char* name, auto& to) {
        if (const auto row = observed.find(name); row != observed.end()) {
            assign(row->at("value"), to);
        }
    };
    read("host.graph_launch_ns_by_kernels", model.graph.launch_ns_by_nodes);
    read("graph.ns_per_kernel", model.graph.kernel_period);
}

}  // namespace

DeviceModel parse_device_model(std::string_view text, std::string_view origin) {
    try {
        const auto json = Json::parse(text);
        if (const auto& version = json.at("schema_version"); version != 1) {
            throw ModelFileError(
                fmt::format("{}: schema version {} is not supported, this version reads 1", origin,
                            version.dump()));
        }
        DeviceModel model;
        model.name = json.at("name").get<std::string>();
        model.device_names = json.at("device_names").get<std::vector<std::string>>();
        model.device = parse_device(json.at("device"), origin);
        if (!model.device_names.empty()) {
            model.device.name = model.device_names.front();
        }
        read_parameters(json.at("parameters"), model, origin);
        if (const auto observed = json.find("observed"); observed != json.end()) {
            read_observed(*observed, model);
        }
        return model;
    } catch (const Json::exception& error) {
        throw ModelFileError(fmt::format("{}: not a device model: {}", origin, error.what()));
    }
}

}  // namespace overcast
