// The table of a device model file: names, and the places in the model that they stand for.
#pragma once

#include "core/overhead_parameters.hpp"
#include "model/device_model.hpp"

#include <cstddef>
#include <string>
#include <string_view>

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

template <typename Visitor>
void visit_recorder_gaps(const std::string& prefix, std::array<Duration, kGapKinds>& gaps,
                         Visitor&& visit) {
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        visit(prefix + std::string{overhead_name(static_cast<GapKind>(kind))} + "_ns", gaps[kind]);
    }
}

template <typename Visitor>
void visit_capacities(UnitCapacities& capacities, Visitor&& visit) {
    const std::string prefix{"kernel.capacity."};
    for (std::size_t i = 0; i < kCapacitySmUnits; ++i) {
        const auto name = to_string(static_cast<SmUnit>(i));
        visit(prefix + std::string{name}, capacities.sm[i]);
    }
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        const auto name = to_string(static_cast<DeviceUnit>(i));
        visit(prefix + std::string{name}, capacities.device[i]);
    }
}

/// The one table of parameters: a name in the file, a place in the model.
template <typename Visitor>
void visit_parameters(DeviceModel& model, Visitor&& visit) {
    visit_call_costs("host.call.", model.tracing_cost.untraced, visit);
    visit_call_costs("host.traced_call.", model.tracing_cost.traced.calls, visit);
    visit_call_costs("host.minimal_traced_call.", model.minimal_tracing.calls, visit);
    visit_call_costs("host.traced_between.", model.tracing_cost.traced.between, visit);
    visit_call_costs("host.minimal_traced_between.", model.minimal_tracing.between, visit);
    visit_recorder_gaps("tracing.", model.tracing_cost.traced.gaps, visit);
    visit_recorder_gaps("minimal_tracing.", model.minimal_tracing.gaps, visit);
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
    visit("h2d.slowdown_per_entry_by_waiting_channels", model.waiting_slowdown.per_entry);
    visit("h2d.slowdown_most_entries", model.waiting_slowdown.most_entries);
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

/// Parameters that a file need not have: what it lacks keeps the value of DeviceModel, which leaves
/// the behaviour out or (uncertainty, scatter) is assumed.
template <typename Visitor>
void visit_optional_parameters(DeviceModel& model, Visitor&& visit) {
    visit_call_costs("host.light_traced_call.", model.light_tracing.calls, visit);
    visit_call_costs("host.light_traced_between.", model.light_tracing.between, visit);
    visit_recorder_gaps("light_tracing.", model.light_tracing.gaps, visit);
    visit("channels.by_connections", model.channels.by_connections);
    visit("copy_engine.service", model.copy_service);
    visit("copy_engine.look_ahead_call_ns", model.look_ahead.call);
    visit("copy_engine.look_ahead_kernel_ns", model.look_ahead.kernel);
    visit("copy_engine.look_ahead_h2d_ns", model.look_ahead.h2d);
    visit("copy_engine.look_ahead_d2h_ns", model.look_ahead.d2h);
    visit("copy_engine.copies_ahead_by_bytes", model.look_ahead.copies_ahead);
    visit("tracing.gap_beside_h2d_ns", model.tracing_cost.traced.gap_beside_h2d);
    visit("tracing.copy_start_latency_ns", model.tracing_cost.traced.copy_start);
    visit("tracing.share_of_call_after_work", model.tracing_cost.traced.share_after_work);
    visit("tracing.copies_ahead_by_bytes", model.look_ahead.recorded_copies_ahead);
    visit("host.memset_start_latency_ns", model.host.memset_start_latency);
    visit("host.inline_copy_start_latency_ns", model.host.inline_copy_start_latency);
    visit("host.early_return_ns", model.host.early_return);
    visit("host.copy_stream_change_ns_by_streams", model.host.copy_stream_change_ns);
    visit("host.kernel_stream_change_ns_by_streams", model.host.kernel_stream_change_ns);
    visit("host.kernel_call_beside_h2d_ns", model.host.kernel_call_beside_h2d);
    visit("inline_copy.duration_ns_by_bytes", model.inline_copies.duration_ns);
    visit("inline_copy.call_ns_by_bytes", model.inline_copies.call_ns);
    visit("h2d.pieces", model.h2d.pieces);
    visit("d2h.pieces", model.d2h.pieces);
    visit("h2d.turnaround_growth_ns_by_waiting_channels", model.h2d.turnaround_growth_ns);
    visit("d2h.turnaround_growth_ns_by_waiting_channels", model.d2h.turnaround_growth_ns);
    visit("d2d.pieces", model.d2d.pieces);
    visit("memset.pieces", model.memset.pieces);
    visit("h2d.memory_kernel_factor_by_bytes", model.memory_kernels.h2d_factor);
    visit("d2h.memory_kernel_factor_by_bytes", model.memory_kernels.d2h_factor);
    visit("d2h.slowdown_by_waiting_channels", model.waiting_slowdown.to_host);
    visit("kernel.dram_read_factor_beside_h2d", model.memory_kernels.read_beside_h2d);
    visit("kernel.dram_read_factor_beside_d2h", model.memory_kernels.read_beside_d2h);
    visit("kernel.dram_write_factor_beside_h2d", model.memory_kernels.write_beside_h2d);
    visit("kernel.dram_write_factor_beside_d2h", model.memory_kernels.write_beside_d2h);
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        const std::string name{overhead_name(static_cast<GapKind>(kind))};
        visit("gap." + name + "_growth_beside_h2d_ns_by_waiting_channels",
              model.gaps.growth_beside_h2d_ns[kind]);
        visit("gap." + name + "_growth_beside_d2h_ns_by_waiting_channels",
              model.gaps.growth_beside_d2h_ns[kind]);
    }
    const std::string between{"gap." + std::string{overhead_name(GapKind::kernel_to_kernel)}};
    visit(between + "_growth_ns_by_bytes", model.gaps.growth_ns_by_bytes[0]);
    visit(between + "_growth_beside_h2d_ns_by_bytes", model.gaps.growth_ns_by_bytes[1]);
    visit(between + "_growth_beside_d2h_ns_by_bytes", model.gaps.growth_ns_by_bytes[2]);
    for (const auto kind : {GapKind::h2d_to_kernel, GapKind::kernel_to_d2h, GapKind::d2h_to_h2d}) {
        visit("gap." + std::string{overhead_name(kind)} + "_late_arrival_ns",
              model.gaps.late_arrival[static_cast<std::size_t>(kind)]);
    }
    visit("gap.look_on_call_ns", model.gaps.look_on_call);
    visit_capacities(model.kernels.capacities, visit);
    visit("kernel.dram_writes.share_by_warps_per_sm", model.kernels.capacities.dram_writes_share);
    visit("kernel.l2_path.share", model.kernels.capacities.l2_path);
    visit("kernel.l2_path.requests", model.kernels.capacities.l2_path_requests);
    visit("kernel.l2_path.of_l2_bytes_per_ns", model.kernels.capacities.l2_path_of_bytes_per_ns);
    visit("kernel.l2_path.sent_bytes_per_ns", model.kernels.capacities.l2_path_sent);
    visit("kernel.l2_path.sent_bytes_per_load", model.kernels.capacities.l2_path_sent_per_load);
    visit("kernel.l2_path.written", model.kernels.capacities.l2_path_written);
    visit("kernel.l2_path.l1_bytes", model.kernels.l2_path_l1_bytes);
    visit("kernel.dram_latency_in_l2_latencies", model.kernels.capacities.dram_latency);
    visit("kernel.dram.share_by_written", model.kernels.capacities.dram_by_written);
    visit("kernel.dram.latency_growth", model.kernels.capacities.dram_latency_growth);
    visit("kernel.dram.latency_growth_by_writes",
          model.kernels.capacities.dram_latency_growth_by_writes);
    visit("kernel.l2.bytes_per_ns", model.kernels.capacities.l2_bytes_per_ns);
    visit("kernel.l2.sectors_per_request", model.kernels.capacities.l2_sectors_per_request);
    visit("kernel.l2.replies_per_request", model.kernels.capacities.l2_replies_per_request);
    visit("kernel.l2.found_uncounted", model.kernels.capacities.l2_found_uncounted);
    visit("kernel.l2.latency_ns", model.kernels.capacities.l2_latency_ns);
    visit("kernel.l2.latency_growth", model.kernels.capacities.l2_latency_growth);
    visit("kernel.l2.longest_wait", model.kernels.capacities.l2_longest_wait);
    visit("kernel.l2.kept_bytes", model.kernels.l2_kept_bytes);
    visit("kernel.l2.safe_ns", model.kernels.l2_safe_ns);
    visit("kernel.l2.late_from_bytes", model.kernels.l2_late_from_bytes);
    visit("kernel.l2.late_latency_in_l2_latencies", model.kernels.l2_late_latency);
    visit("kernel.l2_halves.load_ns_in_one_by_bytes", model.kernels.l2_halves.ns_in_one);
    visit("kernel.l2_halves.load_ns_in_both_by_bytes", model.kernels.l2_halves.ns_in_both);
    visit("kernel.l2_halves.both_by_multiprocessors", model.kernels.l2_halves.both_by_sms);
    visit("kernel.memory_saturating_warps", model.kernels.capacities.memory_warps);
    visit("kernel.burst_instructions", model.kernels.capacities.burst);
    visit("kernel.result_cycles", model.kernels.capacities.result_cycles);
    visit("kernel.requests_outside_loop", model.kernels.requests_outside_loop);
    visit("kernel.loop_end_cycles", model.kernels.loop_end_cycles);
    visit("kernel.ready.older_share", model.kernels.older_beside_ready);
    visit("kernel.ready.first_share", model.kernels.first_of_ready);
    visit("kernel.ready.single_share", model.kernels.single_of_ready);
    visit("kernel.ready.let_in_before_end", model.kernels.let_in_before_end);
    visit("kernel.wide_loads_share", model.kernels.wide_loads_share);
    visit("kernel.full_pipe.longest_wait_ns", model.kernels.longest_wait_ns);
    visit("kernel.full_pipe.longest_xu_wait_ns", model.kernels.longest_xu_wait_ns);
    visit("kernel.full_pipe.slot_wait_ns", model.kernels.slot_wait_ns);
    visit("kernel.full_pipe.lsu_second_slot", model.kernels.lsu_second_slot);
    visit("kernel.scheduler.loop_end_cycles", model.kernels.scheduler.loop_end);
    visit("kernel.scheduler.share_in_a_row", model.kernels.scheduler.share_in_a_row);
    visit("kernel.scheduler.before_older", model.kernels.scheduler.before_older);
    visit("kernel.scheduler.load_leaves_cycles", model.kernels.scheduler.load_leaves);
    visit("kernel.scheduler.xu_cycles", model.kernels.scheduler.xu_cycles);
    visit("kernel.scheduler.xu_latency_cycles", model.kernels.scheduler.xu_latency);
    visit("kernel.scheduler.xu_ahead_cycles", model.kernels.scheduler.xu_ahead);
    visit("kernel.scheduler.xu_second_slot", model.kernels.scheduler.xu_second_slot);
    visit("kernel.scheduler.word_cycles", model.kernels.scheduler.word_cycles);
    visit("kernel.scheduler.shared_latency_cycles", model.kernels.scheduler.shared_latency);
    visit("kernel.scheduler.memory_queue", model.kernels.scheduler.memory_queue);
    visit("kernel.scheduler.memory_second_slot", model.kernels.scheduler.memory_second_slot);
    visit("kernel.scheduler.longest_wait_cycles", model.kernels.scheduler.longest_wait);
    visit("kernel.scheduler.run_at_pipe", model.kernels.scheduler.run_at_pipe);
    visit("kernel.scheduler.run_given_back", model.kernels.scheduler.run_given_back);
    visit("kernel.scheduler.run_lost", model.kernels.scheduler.run_lost);
    visit("kernel.scheduler.long_queue_cycles", model.kernels.scheduler.long_queue);
    visit("kernel.memory_queue.instructions", model.kernels.capacities.queue_instructions);
    visit("kernel.memory_queue.share_before", model.kernels.capacities.queue_share_before);
    visit("kernel.memory_queue.further_load", model.kernels.capacities.queue_further_load);
    visit("kernel.memory_queue.spare_bytes", model.kernels.capacities.queue_spare_bytes);
    visit("kernel.memory_queue.first_warps", model.kernels.capacities.queue_first_warps);
    auto& reads = model.kernels.capacities.shared_reads;
    visit("kernel.memory_queue.reads.order_per_warp", reads.order_per_warp);
    visit("kernel.memory_queue.reads.warps_evenly", reads.warps_evenly);
    visit("kernel.memory_queue.reads.load_behind_words_cycles_by_warps", reads.load_behind_words);
    visit("kernel.memory_queue.reads.load_behind_wide_cycles_by_warps", reads.load_behind_wide);
    const auto visit_order = [&](const std::string& name, auto& order) {
        visit(name + ".per_wait", order.per_wait);
        visit(name + ".none_up_to", order.none_up_to);
    };
    visit_order("kernel.queue_order", model.kernels.capacities.queue_order);
    visit_order("kernel.queue_order.of_sectors", model.kernels.capacities.order_of_sectors);
    visit_order("kernel.queue_order.of_lines", model.kernels.capacities.order_of_lines);
    visit("kernel.fast_sms.share", model.kernels.capacities.fast_sms.share);
    visit("kernel.fast_sms.speed", model.kernels.capacities.fast_sms.speed);
    visit("kernel.fast_sms.speed_of_chains", model.kernels.capacities.fast_sms.speed_of_chains);
    visit("kernel.fast_sms.speed_of_lines", model.kernels.capacities.fast_sms.speed_of_lines);
    visit("kernel.fast_sms.lines_from_bytes", model.kernels.capacities.fast_sms.lines_from);
    visit("kernel.fast_sms.lines_full_bytes", model.kernels.capacities.fast_sms.lines_full);
    visit("kernel.edges_ns", model.kernels.edges);
    visit("kernel.factor_beside_tensor", model.kernels.beside_tensor);
    visit("kernel.load_factor_beside_tensor", model.kernels.load_beside_tensor);
    visit("kernel.open_at_once", model.kernels.open_at_once);
    visit("kernel.ends_apart", model.kernels.ends_apart);
    visit("kernel.ends_mixed", model.kernels.ends_mixed);
    visit("kernel.unlike_contention", model.kernels.unlike_contention);
    visit("kernel.cluster_multiprocessors_by_blocks", model.kernels.cluster_multiprocessors);
    visit("kernel.multiprocessors_beside_clusters", model.kernels.sms_beside_clusters);
    visit("uncertainty.one_stream", model.uncertainty.one_stream);
    visit("uncertainty.copies", model.uncertainty.copies);
    visit("uncertainty.kernels", model.uncertainty.kernels);
    visit("uncertainty.unlike_kernels", model.uncertainty.unlike_kernels);
    visit("uncertainty.unlike_uncounted_kernels", model.uncertainty.unlike_uncounted_kernels);
    visit("uncertainty.host", model.uncertainty.host);
    visit("uncertainty.chain", model.uncertainty.chain);
    visit("uncertainty.kernel_duration", model.uncertainty.kernel_duration);
    visit("uncertainty.between_host_calls", model.uncertainty.between_host_calls);
    visit("uncertainty.fewest_saturating_warps", model.uncertainty.fewest_saturating_warps);
    visit("uncertainty.most_saturating_warps", model.uncertainty.most_saturating_warps);
    visit("scatter.pinned_copy", model.scatter.pinned_copy);
    visit("scatter.pageable_copy", model.scatter.pageable_copy);
    visit("scatter.kernel", model.scatter.kernel);
    visit("scatter.host_call", model.scatter.host_call);
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
    visit("core_clock_khz", device.core_clock_khz);
}

}  // namespace overcast
