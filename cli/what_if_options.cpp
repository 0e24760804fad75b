#include "cli/what_if_options.hpp"

#include "cli/trace_selection.hpp"
#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

void read_values(const CommandLine& line, PrepareOptions& options) {
    auto& what_if = options.what_if;
    what_if.pinned = line.has("pinned");
    what_if.graph = line.has("graph");
    for (const auto& text : line.values("kernel-scale")) {
        const auto [name, factor] = parse_scale("--kernel-scale", text);
        what_if.kernel_scales.push_back({name, factor});
    }
    if (const auto text = line.value("h2d-bandwidth")) {
        what_if.h2d_bandwidth = parse_bandwidth("--h2d-bandwidth", *text);
    }
    if (const auto text = line.value("d2h-bandwidth")) {
        what_if.d2h_bandwidth = parse_bandwidth("--d2h-bandwidth", *text);
    }
    if (const auto text = line.value("max-connections")) {
        options.max_connections = parse_number("--max-connections", *text, 1, kMostConnections);
    }
    for (const auto& text : line.values("overhead")) {
        parse_overhead(text, options.overhead_overrides);
    }
}

/// A recording that does not name its GPU, or a model that names none, is taken to fit.
bool is_for(const DeviceModel& model, const std::string& device) {
    return device.empty() || model.device_names.empty() ||
           std::ranges::find(model.device_names, device) != model.device_names.end();
}

}  // namespace

std::string help_with_what_if(std::string_view frame) {
    return fmt::format(fmt::runtime(frame), fmt::arg("what_if", kWhatIfHelp));
}

void check_what_if(const CommandLine& line) {
    PrepareOptions unused;
    read_values(line, unused);
}

DeviceModel read_what_if(const CommandLine& line, const Trace& trace, PrepareOptions& options,
                         Warnings& warnings) {
    read_values(line, options);
    auto model = device_model_for(line, trace, warnings);
    const auto device = recorded_device(line, trace).name;
    if (line.has("device-model") && !is_for(model, device)) {
        options.what_if.other_device = std::move(model);
        return model_of_recorded_device(line, trace, warnings);
    }
    return model;
}

}  // namespace overcast
