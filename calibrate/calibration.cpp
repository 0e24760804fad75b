#include "calibrate/calibration.hpp"

#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/device_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

namespace overcast {
namespace {

struct Measurement {
    const char* name;
    void (*measure)(const ProbeRuns& runs, Draft& draft);
};

constexpr Measurement kMeasurements[] = {
    {"host calls", measure_host_calls},
    {"calls by streams", measure_stream_changes},
    {"calls beside copies", measure_calls_beside_copies},
    {"time between calls", measure_time_between_calls},
    {"start and wake-up", measure_host_waits},
    {"launch queue", measure_queue_depth},
    {"channels", measure_channels},
    {"channels by connections", measure_connections},
    {"channel rules", measure_channel_rules},
    {"order of service", measure_copy_service},
    {"overlap of copies", measure_copy_overlap},
    {"when copies wait", measure_copy_decisions},
    {"copies taken ahead", measure_copy_queue},
    {"pinned copies", measure_copies},
    {"cold calls", measure_cold_calls},
    {"choice of the next copy", measure_look_ahead},
    {"turn-around", measure_turnaround},
    {"duplex", measure_duplex},
    {"pageable copies", measure_pageable},
    {"inline copies", measure_inline_copies},
    {"calls of inline copies", measure_inline_calls},
    {"copies inside the device", measure_device_copies},
    {"slow-down by waiting channels", measure_waiting_slowdown},
    {"slow-down of copies to the host", measure_slowdown_to_host},
    {"turn-around by waiting channels", measure_waiting_turnaround},
    {"gaps", measure_gaps},
    {"recorded gaps beside copies", measure_recorder_gap},
    {"gaps beside waiting channels", measure_gap_growth},
    {"gaps beside kernels of others", measure_gaps_at_work},
    {"gaps behind kernels that read", measure_gaps_after_reads},
    {"gaps beside copies", measure_gaps_beside_copies},
    {"gaps between copies", measure_gaps_between_copies},
    {"gaps beside many channels", measure_gap_growth_beyond},
    {"events", measure_events},
    {"copies beside kernels", measure_memory_kernels},
    {"data in the L2", measure_l2_retention},
    {"halves of the L2", measure_l2_halves},
    {"implicit waits", measure_implicit_waits},
    {"launch by parameter bytes", measure_launch_parameters},
    {"streams, events, memory", measure_host_objects},
    {"first calls", measure_first_calls},
    {"host threads", measure_host_threads},
    {"graphs", measure_graphs},
    {"placement of blocks", measure_placement},
    {"kernels", measure_kernels},
    {"begin and end of kernels", measure_kernel_edges},
    {"ends beside requests", measure_late_ends},
    {"clock beside tensor cores", measure_tensor_clock},
    {"way to the L2", measure_way_to_l2},
    {"ends of blocks", measure_sm_ends},
    {"fast SMs", measure_fast_sms},
    {"clusters", measure_clusters},
    {"memory_queue", measure_memory_queue},
    {"units", measure_units},
    {"full pipes", measure_full_pipe},
};

std::optional<std::uint32_t> whole(const ProbeOutput& output, std::string_view name) {
    const auto found = output.values.find(name);
    return found == output.values.end() ? std::nullopt
                                        : std::optional{static_cast<std::uint32_t>(found->second)};
}

std::optional<Bytes> bytes(const ProbeOutput& output, std::string_view name) {
    const auto found = output.values.find(name);
    return found == output.values.end()
               ? std::nullopt
               : std::optional{Bytes{static_cast<std::uint64_t>(found->second)}};
}

DeviceProperties device_properties(const ProbeOutput& output) {
    DeviceProperties device;
    if (const auto name = output.texts.find("device"); name != output.texts.end()) {
        device.name = name->second;
    }
    device.compute_capability_major = whole(output, "compute_capability_major");
    device.compute_capability_minor = whole(output, "compute_capability_minor");
    device.multiprocessors = whole(output, "multiprocessors");
    device.threads_per_multiprocessor = whole(output, "threads_per_multiprocessor");
    device.blocks_per_multiprocessor = whole(output, "blocks_per_multiprocessor");
    device.registers_per_multiprocessor = whole(output, "registers_per_multiprocessor");
    device.shared_memory_per_multiprocessor =
        bytes(output, "shared_memory_per_multiprocessor_bytes");
    device.shared_memory_per_block = bytes(output, "shared_memory_per_block_bytes");
    device.async_engines = whole(output, "async_engines");
    device.memory = bytes(output, "memory_bytes");
    device.l2_cache = bytes(output, "l2_cache_bytes");
    if (const auto rate = output.values.find("memory_bandwidth_bytes_per_s");
        rate != output.values.end()) {
        device.memory_bandwidth_bytes_per_s = rate->second;
    }
    if (const auto clock = output.values.find("core_clock_khz"); clock != output.values.end()) {
        device.core_clock_khz = clock->second;
    }
    return device;
}

/// "13000" as the driver counts -> "13.0".
std::string cuda_version(const ProbeOutput& output) {
    const auto number = whole(output, "cuda_version").value_or(0);
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// The set that is replaced parameter by parameter.
DeviceModel defaults_for(const DeviceProperties& device, Warnings& warnings) {
    auto known = find_device_model(device.name);
    return known ? *known : generic_device_model(device, warnings);
}

}  // namespace

ParameterCounts count_parameters(const Calibration& made) {
    ParameterCounts counts;
    auto model = made.model;  // the table hands out places that can be written
    const auto count = [&](const std::string& name, const auto&) {
        ++(made.notes.parameters.contains(name) ? counts.measured : counts.defaults);
    };
    visit_parameters(model, count);
    visit_optional_parameters(model, count);
    return counts;
}

std::string model_name(const std::string& device_name) {
    std::string name;
    for (const char letter : device_name) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0) {
            name += static_cast<char>(std::tolower(byte));
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    return name;
}

/// "copies and 10 more".
std::string in_short(const std::string& probes) {
    const auto further = std::ranges::count(probes, ' ');
    return further == 0
               ? probes
               : fmt::format("{} and {} more", probes.substr(0, probes.find(' ')), further);
}

/// Where one of several probes in a process ends it, the others get processes of their own.
void run_step(const ProbeStep& step, bool quick, const ProbePrograms& programs, ProbeRuns& runs,
              const CalibrationComplaint& complain) {
    try {
        runs.add(step, run_probe(step, quick, programs));
    } catch (const Error& error) {
        const auto single = one_by_one(step);
        if (single.size() > 1) {
            for (const auto& one : single) {
                run_step(one, quick, programs, runs, complain);
            }
            return;
        }
        runs.add_failure(step, error.what());
        complain(
            fmt::format("the probe {} cannot run: {}", runs.failures().back().probe, error.what()));
    }
}

ProbeRuns run_probes(bool quick, const ProbePrograms& programs, const CalibrationProgress& progress,
                     const CalibrationComplaint& complain) {
    ProbeRuns runs;
    const auto steps = probe_steps(quick);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        progress(i, steps.size(), in_short(steps[i].probe));
        run_step(steps[i], quick, programs, runs, complain);
    }
    return runs;
}

Calibration fitted(const ProbeRuns& runs, const CalibrationOptions& options,
                   const CalibrationComplaint& complain) {
    const auto& machine = runs.get("machine", ProbeMode::untraced).output;
    const auto device = device_properties(machine);
    const auto cuda = cuda_version(machine);
    Calibration made;
    auto defaults = defaults_for(device, made.model_warnings);
    made.defaults_of = defaults.name;
    defaults.name = model_name(device.name);
    defaults.device_names = {device.name};
    defaults.device = device;
    Draft draft{std::move(defaults),
                fmt::format("driver {}, CUDA {}, {}", options.driver, cuda, options.date)};
    for (const auto& [name, measure] : kMeasurements) {
        try {
            measure(runs, draft);
        } catch (const ProbeDidNotRun& error) {  // said already, or left out on purpose
            draft.notes.failures.push_back({name, error.what()});
        } catch (const Error& error) {
            draft.notes.failures.push_back({name, error.what()});
            complain(fmt::format("{}: {}; the defaults stay", name, error.what()));
        }
    }
    draft.notes.failures.insert(draft.notes.failures.begin(), runs.failures().begin(),
                                runs.failures().end());
    draft.notes.driver = options.driver;
    draft.notes.cuda = cuda;
    draft.notes.date = options.date;
    draft.notes.command = options.command;
    made.model = std::move(draft.model);
    made.notes = std::move(draft.notes);
    return made;
}

}  // namespace overcast
