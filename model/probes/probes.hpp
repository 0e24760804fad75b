// The probes, one a file.
#pragma once

namespace overcast::probes {

struct Options;

void probe_machine(const Options& options);
void probe_host_calls(const Options& options);
void probe_calls_beside_copies(const Options& options);
void probe_slowdown_to_host(const Options& options);
void probe_stream_changes(const Options& options);
void probe_host_waits(const Options& options);
void probe_queue_depth(const Options& options);
void probe_channels(const Options& options);
void probe_channel_rules(const Options& options);
void probe_copies(const Options& options);
void probe_back_to_back(const Options& options);
void probe_duplex(const Options& options);
void probe_duplex_chains(const Options& options);
void probe_pageable(const Options& options);
void probe_inline_copies(const Options& options);
void probe_inline_calls(const Options& options);
void probe_device_copies(const Options& options);
void probe_waiting_slowdown(const Options& options);
void probe_waiting_turnaround(const Options& options);
void probe_gaps_idle(const Options& options);
void probe_gaps(const Options& options);
void probe_gaps_at_work(const Options& options);
void probe_events(const Options& options);
void probe_copy_overlap(const Options& options);
void probe_copy_decisions(const Options& options);
void probe_copy_queue(const Options& options);
void probe_cold_calls(const Options& options);
void probe_memory_kernels(const Options& options);
void probe_l2_retention(const Options& options);
void probe_l2_halves(const Options& options);
void probe_launch_parameters(const Options& options);
void probe_host_objects(const Options& options);
void probe_first_calls(const Options& options);
void probe_host_threads(const Options& options);
void probe_graphs(const Options& options);
void probe_implicit_waits(const Options& options);
void probe_gaps_beside_copies(const Options& options);
void probe_gaps_between_copies(const Options& options);
void probe_gaps_many(const Options& options);
void probe_kernel_edges(const Options& options);
void probe_late_ends(const Options& options);
void probe_tensor_clock(const Options& options);
void probe_way_to_l2(const Options& options);
void probe_sm_ends(const Options& options);
void probe_fast_sms(const Options& options);
void probe_clusters(const Options& options);
void probe_memory_queue(const Options& options);
void probe_full_pipe(const Options& options);
void probe_schedules(const Options& options);
void probe_starts(const Options& options);
void probe_gpcs(const Options& options);
void probe_placement(const Options& options);
void probe_residency(const Options& options);
void probe_units(const Options& options);

}  // namespace overcast::probes
