#include "forecast/what_if.hpp"

#include "core/error.hpp"
#include "core/overloaded.hpp"
#include "model/transfer_model.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace overcast {
namespace {

void scale(TransferParameters& link, double factor) {
    link.bandwidth = Bandwidth{link.bandwidth.bytes_per_s() * factor};
    for (auto& piece : link.pieces) {
        piece.bandwidth = Bandwidth{piece.bandwidth.bytes_per_s() * factor};
    }
}

/// Pinned copies of one direction: the recorded duration times that of the new link over that of
/// the old one, at its size.
void carry_over(Workload& workload, CopyKind kind, const DeviceModel& from, const DeviceModel& to) {
    const auto path =
        kind == CopyKind::host_to_device ? CopyPath::h2d_engine : CopyPath::d2h_engine;
    for (auto& operation : workload.operations) {
        auto* copy = std::get_if<Copy>(&operation.action);
        if (copy == nullptr || copy->kind != kind || !copy->measured || touches_pageable(*copy)) {
            continue;
        }
        auto bare = *copy;
        bare.measured.reset();
        const auto before = static_cast<double>(copy_duration(bare, path, from).count());
        const auto after = static_cast<double>(copy_duration(bare, path, to).count());
        if (before > 0) {
            auto& duration = copy->measured->duration;
            duration = round_to_duration(static_cast<double>(duration.count()) * after / before);
        }
    }
}

void change_bandwidths(const WhatIf& what_if, Workload& workload, DeviceModel& model) {
    const auto old = model;
    const auto change = [&](const std::optional<Bandwidth>& wanted, TransferParameters& link,
                            CopyKind kind) {
        if (wanted) {
            scale(link, wanted->bytes_per_s() / link.bandwidth.bytes_per_s());
            carry_over(workload, kind, old, model);
        }
    };
    change(what_if.h2d_bandwidth, model.h2d, CopyKind::host_to_device);
    change(what_if.d2h_bandwidth, model.d2h, CopyKind::device_to_host);
}

/// The cost of a call on the other machine; calls without a price of their own keep theirs.
Duration call_cost(const Operation& operation, const CallCosts& costs) {
    return std::visit(Overloaded{
                          [&](const Copy&) { return costs.copy; },
                          [&](const Memset&) { return costs.memset; },
                          [&](const KernelLaunch&) { return costs.kernel_launch; },
                          [&](const EventRecord&) { return costs.event_record; },
                          [&](const EventWait&) { return costs.event_wait; },
                          [&](const HostFunction&) { return costs.host_function; },
                          [&](const SynchroniseStream&) { return costs.synchronise; },
                          [&](const SynchroniseDevice&) { return costs.synchronise; },
                          [&](const SynchroniseEvent&) { return costs.synchronise; },
                          [&](const ReleaseMemory&) { return costs.other; },
                          [&](const HostCall&) { return operation.call_cost; },
                      },
                      operation.action);
}

void move_to(const DeviceModel& other, bool kernels_scaled, Extraction& extraction,
             DeviceModel& model) {
    auto& workload = extraction.workload;
    const auto recorded_on = workload.device.name.empty() ? model.name : workload.device.name;
    for (auto& operation : workload.operations) {
        operation.call_cost = call_cost(operation, other.tracing_cost.untraced);
        if (auto* copy = std::get_if<Copy>(&operation.action)) {
            copy->measured.reset();
        } else if (auto* memset = std::get_if<Memset>(&operation.action)) {
            memset->measured.reset();
        }
    }
    for (auto& kernel : workload.kernels) {
        kernel.counters.reset();  // shares of the units of another GPU
        if (other.device.compute_capability_major != workload.device.compute_capability_major) {
            kernel.code.reset();
        }
    }
    workload.call_costs = other.tracing_cost.untraced;
    workload.device = other.device;
    extraction.overheads = {};
    model = other;
    add_warning(
        workload.warnings,
        {"other-device",
         fmt::format("recorded on {}, played on {}: its copies, host and SM limits; {}",
                     recorded_on, other.name,
                     kernels_scaled ? "kernels take what --kernel-scale says"
                                    : "kernels keep their recorded durations (change them with "
                                      "--kernel-scale NAME=FACTOR)")});
}

}  // namespace

std::uint64_t issue_as_graphs(Workload& workload, DeviceModel& model) {
    const auto& graph = model.graph;
    const auto single = workload.call_costs.kernel_launch;
    const auto gone = launch_as_graphs(workload, [&](std::uint64_t nodes) {
        return graph.launch_ns_by_nodes.empty()
                   ? single
                   : round_to_duration(graph.launch_ns_by_nodes.linear(static_cast<double>(nodes)));
    });
    if (graph.launch_ns_by_nodes.empty() || !graph.kernel_period) {
        add_warning(workload.warnings,
                    {"graph-costs",
                     fmt::format("the device model {} does not say what a graph costs: one launch "
                                 "is charged for all, and gaps on the device stay as they are",
                                 model.name)});
        return gone;
    }
    auto& gap = model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_kernel)];
    gap = std::min(gap, std::max(*graph.kernel_period - model.kernels.floor, Duration{}));
    return gone;
}

void apply(const WhatIf& what_if, Extraction& extraction, DeviceModel& model) {
    auto& workload = extraction.workload;
    for (const auto& [name, factor] : what_if.kernel_scales) {
        if (scale_kernels(workload, name, factor) == 0) {
            throw UsageError(fmt::format(
                "--kernel-scale {}: no kernel of the chosen part has that in its name", name));
        }
    }
    if (what_if.pinned) {
        pin_memory(workload);
    }
    if (what_if.other_device) {
        move_to(*what_if.other_device, !what_if.kernel_scales.empty(), extraction, model);
    }
    change_bandwidths(what_if, workload, model);
    if (what_if.graph) {
        issue_as_graphs(workload, model);
        extraction.overheads[GapKind::kernel_to_kernel].reset();
    }
}

}  // namespace overcast
