// From what the probes brought back to parameters: one function for each group. Each throws
// ModelFileError where its probe did not run or brought nothing usable; what it set by then stays.
#pragma once

#include "calibrate/draft.hpp"
#include "calibrate/probe_runs.hpp"

namespace overcast {

void measure_host_calls(const ProbeRuns& runs, Draft& draft);
void measure_stream_changes(const ProbeRuns& runs, Draft& draft);
void measure_calls_beside_copies(const ProbeRuns& runs, Draft& draft);
void measure_time_between_calls(const ProbeRuns& runs, Draft& draft);
void measure_host_waits(const ProbeRuns& runs, Draft& draft);
void measure_queue_depth(const ProbeRuns& runs, Draft& draft);
void measure_channels(const ProbeRuns& runs, Draft& draft);
void measure_channel_rules(const ProbeRuns& runs, Draft& draft);
void measure_copies(const ProbeRuns& runs, Draft& draft);
void measure_turnaround(const ProbeRuns& runs, Draft& draft);
void measure_duplex(const ProbeRuns& runs, Draft& draft);
void measure_pageable(const ProbeRuns& runs, Draft& draft);
void measure_inline_copies(const ProbeRuns& runs, Draft& draft);
void measure_inline_calls(const ProbeRuns& runs, Draft& draft);
void measure_device_copies(const ProbeRuns& runs, Draft& draft);
void measure_slowdown_to_host(const ProbeRuns& runs, Draft& draft);
void measure_waiting_slowdown(const ProbeRuns& runs, Draft& draft);
void measure_waiting_turnaround(const ProbeRuns& runs, Draft& draft);
void measure_gaps(const ProbeRuns& runs, Draft& draft);
void measure_recorder_gap(const ProbeRuns& runs, Draft& draft);
void measure_gap_growth(const ProbeRuns& runs, Draft& draft);
void measure_events(const ProbeRuns& runs, Draft& draft);
void measure_connections(const ProbeRuns& runs, Draft& draft);
void measure_copy_service(const ProbeRuns& runs, Draft& draft);
void measure_copy_overlap(const ProbeRuns& runs, Draft& draft);
void measure_copy_decisions(const ProbeRuns& runs, Draft& draft);
void measure_cold_calls(const ProbeRuns& runs, Draft& draft);
void measure_look_ahead(const ProbeRuns& runs, Draft& draft);
void measure_copy_queue(const ProbeRuns& runs, Draft& draft);
void measure_memory_kernels(const ProbeRuns& runs, Draft& draft);
void measure_l2_retention(const ProbeRuns& runs, Draft& draft);
void measure_l2_halves(const ProbeRuns& runs, Draft& draft);
void measure_implicit_waits(const ProbeRuns& runs, Draft& draft);
void measure_launch_parameters(const ProbeRuns& runs, Draft& draft);
void measure_host_objects(const ProbeRuns& runs, Draft& draft);
void measure_first_calls(const ProbeRuns& runs, Draft& draft);
void measure_host_threads(const ProbeRuns& runs, Draft& draft);
void measure_graphs(const ProbeRuns& runs, Draft& draft);
void measure_gaps_at_work(const ProbeRuns& runs, Draft& draft);
void measure_gaps_after_reads(const ProbeRuns& runs, Draft& draft);
void measure_gaps_beside_copies(const ProbeRuns& runs, Draft& draft);
void measure_gaps_between_copies(const ProbeRuns& runs, Draft& draft);
void measure_gap_growth_beyond(const ProbeRuns& runs, Draft& draft);
void measure_placement(const ProbeRuns& runs, Draft& draft);
void measure_kernels(const ProbeRuns& runs, Draft& draft);
void measure_kernel_edges(const ProbeRuns& runs, Draft& draft);
void measure_late_ends(const ProbeRuns& runs, Draft& draft);
void measure_tensor_clock(const ProbeRuns& runs, Draft& draft);
void measure_way_to_l2(const ProbeRuns& runs, Draft& draft);
void measure_sm_ends(const ProbeRuns& runs, Draft& draft);
void measure_fast_sms(const ProbeRuns& runs, Draft& draft);
void measure_clusters(const ProbeRuns& runs, Draft& draft);
void measure_memory_queue(const ProbeRuns& runs, Draft& draft);
void measure_units(const ProbeRuns& runs, Draft& draft);
void measure_full_pipe(const ProbeRuns& runs, Draft& draft);

}  // namespace overcast
