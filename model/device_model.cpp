#include "model/device_model.hpp"

#include "core/error.hpp"
#include "core/own_executable.hpp"
#include "model/device_model_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace overcast {
namespace {

namespace fs = std::filesystem;

/// Where installed parameter sets may be, best first: the user's choice, beside an installed
/// program, the source tree of a build.
std::vector<fs::path> device_folders() {
    std::vector<fs::path> folders;
    if (const char* chosen = std::getenv("OVERCAST_DEVICES")) {
        folders.emplace_back(chosen);
    }
    if (const auto program = own_executable()) {
        folders.push_back(program->parent_path().parent_path() / "share" / "overcast" / "devices");
    }
    folders.emplace_back(OVERCAST_DEVICES_DIR);
    return folders;
}

DeviceModel read_device_model(const fs::path& file) {
    std::ifstream stream{file, std::ios::binary};
    if (!stream) {
        throw ModelFileError(fmt::format("cannot read the device model {}", file.string()));
    }
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    return parse_device_model(text, file.string());
}

/// All parameter files of the first folder that has any, sorted by name.
std::vector<fs::path> installed_files() {
    for (const auto& folder : device_folders()) {
        std::vector<fs::path> files;
        std::error_code failed;
        for (const auto& entry : fs::directory_iterator{folder, failed}) {
            if (entry.path().extension() == ".json") {
                files.push_back(entry.path());
            }
        }
        if (!files.empty()) {
            std::sort(files.begin(), files.end());
            return files;
        }
    }
    return {};
}

/// How unlike two GPUs are: their generation first, then their numbers of SMs, then their memory.
std::array<double, 3> unlikeness(const DeviceProperties& one, const DeviceProperties& other) {
    const auto apart = [](const auto& left, const auto& right) {
        return left && right ? std::abs(static_cast<double>(*left) - static_cast<double>(*right))
                             : 0;
    };
    return {apart(one.compute_capability_major, other.compute_capability_major) * 100 +
                apart(one.compute_capability_minor, other.compute_capability_minor),
            apart(one.multiprocessors, other.multiprocessors),
            apart(one.memory_bandwidth_bytes_per_s, other.memory_bandwidth_bytes_per_s)};
}

/// The installed set of the GPU that is most like `device`; of equals the last by name, which of
/// one chip is the newer product.
DeviceModel nearest_model(const std::vector<fs::path>& files, const DeviceProperties& device) {
    auto nearest = read_device_model(files.front());
    for (std::size_t i = 1; i < files.size(); ++i) {
        auto model = read_device_model(files[i]);
        if (unlikeness(model.device, device) <= unlikeness(nearest.device, device)) {
            nearest = std::move(model);
        }
    }
    return nearest;
}

std::string joined_names(const std::vector<fs::path>& files) {
    std::string names;
    for (const auto& file : files) {
        names += (names.empty() ? "" : ", ") + file.stem().string();
    }
    return names.empty() ? "none" : names;
}

/// Gaps that end when a waiting channel looks.
bool looks_end(GapKind kind) {
    return kind == GapKind::h2d_to_kernel || kind == GapKind::kernel_to_d2h ||
           kind == GapKind::d2h_to_h2d;
}

}  // namespace

DeviceModel load_device_model(std::string_view name_or_path) {
    const fs::path path{name_or_path};
    if (path.has_extension() || path.has_parent_path()) {
        return read_device_model(path);
    }
    const auto files = installed_files();
    for (const auto& file : files) {
        if (file.stem() == path) {
            return read_device_model(file);
        }
    }
    throw ModelFileError(
        fmt::format("there is no device model '{}'; installed: {}; a path to a "
                    ".json file is taken too",
                    name_or_path, joined_names(files)));
}

std::optional<DeviceModel> find_device_model(std::string_view device_name) {
    for (const auto& file : installed_files()) {
        auto model = read_device_model(file);
        const auto& names = model.device_names;
        if (std::find(names.begin(), names.end(), device_name) != names.end()) {
            return model;
        }
    }
    return std::nullopt;
}

DeviceModel generic_device_model(const DeviceProperties& device, Warnings& warnings) {
    const auto files = installed_files();
    if (files.empty()) {
        throw ModelFileError("no device model is installed; name one with --device-model FILE");
    }
    auto model = nearest_model(files, device);
    add_warning(warnings,
                {"generic-device-model",
                 fmt::format("there is no device model for '{}': its limits come from the trace, "
                             "all other parameters are those of {}; expect larger errors",
                             device.name.empty() ? "unknown device" : device.name, model.name)});
    const auto borrowed = model.device;
    model.name = "generic (" + model.name + ")";
    model.device_names = {device.name};
    model.device = device;
    const auto fill = [](auto& to, const auto& from) {
        if (!to) {
            to = from;
        }
    };
    fill(model.device.multiprocessors, borrowed.multiprocessors);
    fill(model.device.threads_per_multiprocessor, borrowed.threads_per_multiprocessor);
    fill(model.device.blocks_per_multiprocessor, borrowed.blocks_per_multiprocessor);
    fill(model.device.registers_per_multiprocessor, borrowed.registers_per_multiprocessor);
    fill(model.device.shared_memory_per_multiprocessor, borrowed.shared_memory_per_multiprocessor);
    return model;
}

TracingCost tracing_cost_of(const Trace& trace, const DeviceModel& model) {
    auto cost = model.tracing_cost;
    switch (trace.record_mode.value_or(RecordMode::full)) {
        case RecordMode::light: cost.traced = model.light_tracing; break;
        case RecordMode::minimal: cost.traced = model.minimal_tracing; break;
        case RecordMode::full: break;
    }
    return cost;
}

namespace {

/// The device hears of work before the call returns, the sooner the longer the call takes: what is
/// known of usual calls, by the return, becomes what it is of a call that takes no time.
void start_as_recorded(const TracingCost& cost, DeviceModel& model) {
    auto& host = model.host;
    const double share = cost.traced.share_after_work;
    const auto usual = [&](Duration CallCosts::*call) {
        return round_to_duration(share * static_cast<double>((cost.traced.calls.*call).count()));
    };
    host.inline_copy_start_latency =
        host.inline_copy_start_latency.value_or(host.kernel_start_latency) +
        usual(&CallCosts::copy);
    host.memset_start_latency =
        host.memset_start_latency.value_or(host.kernel_start_latency) + usual(&CallCosts::memset);
    host.kernel_start_latency += usual(&CallCosts::kernel_launch);
    host.copy_start_latency =
        cost.traced.copy_start.value_or(host.copy_start_latency + usual(&CallCosts::copy));
    host.share_after_work = share;
    for (const auto& [kind, call] : {std::pair{GapKind::h2d_to_kernel, &CallCosts::kernel_launch},
                                     std::pair{GapKind::kernel_to_d2h, &CallCosts::copy},
                                     std::pair{GapKind::d2h_to_h2d, &CallCosts::copy}}) {
        if (auto& late = model.gaps.late_arrival[static_cast<std::size_t>(kind)]) {
            *late += usual(call) - added_after_work(cost, call);
        }
    }
}

/// What the kernels of a trace add beside an idle link, its own gaps hold already.
void take_out_idle_link(std::array<Curve, 3>& growth_ns_by_bytes) {
    const auto idle = growth_ns_by_bytes[0];
    if (idle.empty()) {
        return;
    }
    for (auto& growth : growth_ns_by_bytes) {
        auto points = growth.points();
        for (auto& point : points) {
            point.y = std::max(0.0, point.y - idle.linear(point.x));
        }
        growth = Curve{std::move(points)};
    }
}

}  // namespace

DeviceModel with_recorder(const Trace& trace, DeviceModel model) {
    const auto cost = tracing_cost_of(trace, model);
    model.tracing_cost = {.untraced = cost.traced.calls, .traced = {.calls = cost.traced.calls}};
    model.light_tracing = model.tracing_cost.traced;
    model.minimal_tracing = model.tracing_cost.traced;
    const auto delay = [&](TransferParameters& copies, GapKind between) {
        const auto added = cost.traced.gaps[static_cast<std::size_t>(between)];
        copies.turnaround_same += added;
        copies.turnaround_other += added;
    };
    delay(model.h2d, GapKind::h2d_to_h2d);
    delay(model.d2h, GapKind::d2h_to_d2h);
    model.d2h.turnaround_beside = cost.traced.gap_beside_h2d;
    start_as_recorded(cost, model);
    model.look_ahead.copies_ahead = model.look_ahead.recorded_copies_ahead;
    for (auto& growth : model.gaps.growth_beside_h2d_ns) {
        auto points = growth.points();
        for (auto& point : points) {
            point.y += static_cast<double>(cost.traced.gap_beside_h2d.count());
        }
        growth = Curve{std::move(points)};
    }
    model.host.kernel_call_beside_h2d = {};  // hidden by what the recorder does between two calls
    return model;
}

void apply_latencies(DeviceModel& model, const HostLatencies& latencies) {
    const auto replace = [](auto& parameter, const std::optional<GapStatistics>& shown) {
        if (shown) {
            parameter = shown->median;
        }
    };
    replace(model.host.kernel_start_latency, latencies.kernel_start);
    replace(model.host.memset_start_latency, latencies.memset_start);
    replace(model.host.copy_start_latency, latencies.copy_start);
    replace(model.host.inline_copy_start_latency, latencies.inline_copy_start);
    replace(model.host.synchronise_wake_up, latencies.wake_up);
    replace(model.host.early_return, latencies.early_return);
}

void apply_overheads(DeviceModel& model, const OverheadParameters& overheads) {
    const auto usual = [](GapKind kind, const GapStatistics& gap) {
        return looks_end(kind) ? (gap.p10 + gap.p90) / 2 : gap.median;
    };
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        if (const auto& measured = overheads.gaps[kind]) {
            model.gaps.base[kind] = usual(static_cast<GapKind>(kind), *measured);
        }
    }
    if (overheads[GapKind::kernel_to_kernel]) {
        take_out_idle_link(model.gaps.growth_ns_by_bytes);
    }
    if (const auto& gap = overheads[GapKind::h2d_to_h2d]) {
        model.h2d.turnaround_same = gap->median;
    }
    if (const auto& gap = overheads[GapKind::d2h_to_d2h]) {
        model.d2h.turnaround_same = gap->median;
    }
}

}  // namespace overcast
