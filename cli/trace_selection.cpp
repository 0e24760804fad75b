#include "cli/trace_selection.hpp"

#include "cli/values.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace overcast {
namespace {

/// The device that is meant: the one asked for, else the one with the most device time.
DeviceProperties device_of(const Trace& trace, const std::optional<DeviceId>& wanted) {
    std::map<DeviceId, Duration> busy;
    for (const auto& activity : trace.activities) {
        busy[activity.device] += activity.end - activity.start;
    }
    std::optional<DeviceId> id = wanted;
    if (!id && !busy.empty()) {
        id = std::ranges::max_element(busy, {}, [](const auto& entry) {
                 return entry.second;
             })->first;
    }
    const auto found =
        std::ranges::find_if(trace.devices, [&](const auto& device) { return device.id == id; });
    if (found != trace.devices.end()) {
        return *found;
    }
    return trace.devices.size() == 1 ? trace.devices.front() : DeviceProperties{};
}

}  // namespace

ExtractOptions extract_options(const CommandLine& line) {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    ExtractOptions options;
    if (const auto range = line.value("range")) {
        options.range = parse_range(*range);
    }
    options.ignore_counters = line.has("ignore-counters");
    options.ignore_code = line.has("ignore-code");
    if (const auto device = line.value("device")) {
        options.device = DeviceId{parse_number("--device", *device, 0, kMost)};
    }
    if (const auto process = line.value("process")) {
        options.process = ProcessId{parse_number("--process", *process, 0, kMost)};
    }
    return options;
}

UnitChoice unit_choice(const CommandLine& line) {
    const auto text = line.value("unit");
    return text ? parse_unit_choice(*text) : UnitChoice{};
}

DeviceModel device_model_for(const CommandLine& line, const Trace& trace, Warnings& warnings) {
    if (const auto asked_for = line.value("device-model")) {
        return load_device_model(*asked_for);
    }
    return model_of_recorded_device(line, trace, warnings);
}

DeviceProperties recorded_device(const CommandLine& line, const Trace& trace) {
    return device_of(trace, extract_options(line).device);
}

DeviceModel model_of_recorded_device(const CommandLine& line, const Trace& trace,
                                     Warnings& warnings) {
    const auto device = recorded_device(line, trace);
    if (auto known = find_device_model(device.name)) {
        return *std::move(known);
    }
    return generic_device_model(device, warnings);
}

}  // namespace overcast
