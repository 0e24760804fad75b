// The table of a device model file: names, and the places in the model that they stand for.
#pragma once

#include "core/overhead_parameters.hpp"
#include "model/device_model.hpp"

#include <cstddef>
#include <string>

namespace overcast {

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

/// The limits of a device, by their names in the file.
template <typename Visitor>
void visit_device_limits(DeviceProperties& device, Visitor&& visit) {
    visit("compute_capability_major", device.compute_capability_major);
    visit("compute_capability_minor", device.compute_capability_minor);
    visit("multiprocessors", device.multiprocessors);
    visit("threads_per_multiprocessor", device.threads_per_multiprocessor);
    visit("blocks_per_multiprocessor", device.blocks_per_multiprocessor);
    visit("registers_per_multiprocessor", device.registers_per_multiprocessor);
    visit("shared_memory_per_multiprocessor_bytes", device.shared_memory_per_multiprocessor);
    visit("shared_memory_per_block_bytes", device.shared_memory_per_block);
    visit("async_engines", device.async_engines);
    visit("memory_bytes", device.memory);
    visit("l2_cache_bytes", device.l2_cache);
    visit("memory_bandwidth_bytes_per_s", device.memory_bandwidth_bytes_per_s);
}

}  // namespace overcast
