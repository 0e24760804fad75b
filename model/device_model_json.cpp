#include "model/device_model_json.hpp"

#include "core/error.hpp"

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

template <typename Visitor>
void visit_call_costs(const std::string& prefix, CallCosts& costs, Visitor&& visit) {
    visit(prefix + "kernel_launch_ns", costs.kernel_launch);
    visit(prefix + "copy_ns", costs.copy);
    visit(prefix + "memset_ns", costs.memset);
    visit(prefix + "event_record_ns", costs.event_record);
    visit(prefix + "event_wait_ns", costs.event_wait);
    visit(prefix + "synchronise_ns", costs.synchronise);
    visit(prefix + "host_function_ns", costs.host_function);
    visit(prefix + "other_ns", costs.other);
}

template <typename Visitor>
void visit_transfer(const std::string& prefix, TransferParameters& transfer, Visitor&& visit) {
    visit(prefix + "latency_ns", transfer.latency);
    visit(prefix + "bandwidth_bytes_per_s", transfer.bandwidth);
    visit(prefix + "pageable_ns_by_bytes", transfer.pageable_ns);
    visit(prefix + "turnaround_same_channel_ns", transfer.turnaround_same);
    visit(prefix + "turnaround_other_channel_ns", transfer.turnaround_other);
    visit(prefix + "duplex_factor_by_bytes", transfer.duplex_factor);
}

/// The one table of parameters: a name in the file, a place in the model.
template <typename Visitor>
void visit_parameters(DeviceModel& model, Visitor&& visit) {
    visit_call_costs("host.call.", model.tracing_cost.untraced, visit);
    visit_call_costs("host.traced_call.", model.tracing_cost.traced, visit);
    visit_call_costs("host.minimal_traced_call.", model.minimal_traced_calls, visit);
    visit("tracing.device_gap_ns", model.tracing_cost.device_gap);
    visit("host.copy_start_latency_ns", model.host.copy_start_latency);
    visit("host.kernel_start_latency_ns", model.host.kernel_start_latency);
    visit("host.synchronise_wake_up_ns", model.host.synchronise_wake_up);
    visit("host.host_function_ns", model.host.host_function);
    visit("channels.compute_ids", model.channels.compute);
    visit("channels.h2d_ids", model.channels.h2d);
    visit("channels.d2h_ids", model.channels.d2h);
    visit("channels.max_connections", model.channels.max_connections);
    visit("channels.queue_depth", model.channels.queue_depth);
    visit_transfer("h2d.", model.h2d, visit);
    visit_transfer("d2h.", model.d2h, visit);
    visit("d2d.latency_ns", model.d2d.latency);
    visit("d2d.bandwidth_bytes_per_s", model.d2d.bandwidth);
    visit("memset.latency_ns", model.memset.latency);
    visit("memset.bandwidth_bytes_per_s", model.memset.bandwidth);
    visit("h2d.slowdown_per_waiting_kernel", model.waiting_slowdown.per_waiting_kernel);
    visit("h2d.slowdown_from_waiting_channels", model.waiting_slowdown.from_channels);
    visit("h2d.slowdown_most_waiting_kernels", model.waiting_slowdown.most_waiting_kernels);
    visit("h2d.overlap_threshold_ns", model.transfer_overlap_threshold);
    visit("inline_copy.pageable_limit_bytes", model.inline_copies.pageable_limit);
    visit("inline_copy.pinned_limit_bytes", model.inline_copies.pinned_limit);
    visit("inline_copy.pinned_idle_limit_bytes", model.inline_copies.pinned_idle_limit);
    visit("inline_copy.duration_ns", model.inline_copies.duration);
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        const std::string name{overhead_name(static_cast<GapKind>(kind))};
        visit("gap." + name + "_ns", model.gaps.base[kind]);
        visit("gap." + name + "_growth_ns_by_waiting_channels", model.gaps.growth_ns[kind]);
    }
    visit("gap.event_ns", model.gaps.event);
    visit("kernel.floor_ns", model.kernels.floor);
    visit("kernel.resident_grids", model.kernels.resident_grids);
    visit("kernel.saturating_warps", model.kernels.saturating_warps);
}

DeviceProperties parse_device(const Json& json) {
    DeviceProperties device;
    const auto read = [&](const char* name, auto& to) {
        if (json.contains(name)) {
            assign(json.at(name), to);
        }
    };
    read("compute_capability_major", device.compute_capability_major);
    read("compute_capability_minor", device.compute_capability_minor);
    read("multiprocessors", device.multiprocessors);
    read("threads_per_multiprocessor", device.threads_per_multiprocessor);
    read("blocks_per_multiprocessor", device.blocks_per_multiprocessor);
    read("registers_per_multiprocessor", device.registers_per_multiprocessor);
    read("shared_memory_per_multiprocessor_bytes", device.shared_memory_per_multiprocessor);
    read("shared_memory_per_block_bytes", device.shared_memory_per_block);
    read("async_engines", device.async_engines);
    read("memory_bytes", device.memory);
    read("l2_cache_bytes", device.l2_cache);
    read("memory_bandwidth_bytes_per_s", device.memory_bandwidth_bytes_per_s);
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
