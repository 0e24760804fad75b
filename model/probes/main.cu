// overcast-probes NAME… [--quick]: runs probes, one after the other, in one process.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace overcast::probes;

struct Row {
    const char* name;
    void (*run)(const Options&);
};

constexpr Row kProbes[] = {
    {"machine", probe_machine},
    {"host_calls", probe_host_calls},
    {"calls_beside_copies", probe_calls_beside_copies},
    {"slowdown_to_host", probe_slowdown_to_host},
    {"stream_changes", probe_stream_changes},
    {"host_waits", probe_host_waits},
    {"queue_depth", probe_queue_depth},
    {"channels", probe_channels},
    {"channel_rules", probe_channel_rules},
    {"copies", probe_copies},
    {"back_to_back", probe_back_to_back},
    {"duplex", probe_duplex},
    {"duplex_chains", probe_duplex_chains},
    {"pageable", probe_pageable},
    {"inline_copies", probe_inline_copies},
    {"inline_calls", probe_inline_calls},
    {"device_copies", probe_device_copies},
    {"waiting_slowdown", probe_waiting_slowdown},
    {"waiting_turnaround", probe_waiting_turnaround},
    {"gaps_idle", probe_gaps_idle},
    {"gaps", probe_gaps},
    {"gaps_at_work", probe_gaps_at_work},
    {"events", probe_events},
    {"copy_overlap", probe_copy_overlap},
    {"copy_decisions", probe_copy_decisions},
    {"copy_queue", probe_copy_queue},
    {"cold_calls", probe_cold_calls},
    {"memory_kernels", probe_memory_kernels},
    {"l2_retention", probe_l2_retention},
    {"l2_halves", probe_l2_halves},
    {"launch_parameters", probe_launch_parameters},
    {"host_objects", probe_host_objects},
    {"first_calls", probe_first_calls},
    {"host_threads", probe_host_threads},
    {"graphs", probe_graphs},
    {"implicit_waits", probe_implicit_waits},
    {"gaps_beside_copies", probe_gaps_beside_copies},
    {"gaps_between_copies", probe_gaps_between_copies},
    {"gaps_many", probe_gaps_many},
    {"kernel_edges", probe_kernel_edges},
    {"late_ends", probe_late_ends},
    {"tensor_clock", probe_tensor_clock},
    {"way_to_l2", probe_way_to_l2},
    {"sm_ends", probe_sm_ends},
    {"fast_sms", probe_fast_sms},
    {"clusters", probe_clusters},
    {"memory_queue", probe_memory_queue},
    {"full_pipe", probe_full_pipe},
    {"schedules", probe_schedules},
    {"starts", probe_starts},
    {"gpcs", probe_gpcs},
    {"placement", probe_placement},
    {"residency", probe_residency},
    {"units", probe_units},
};

const Row* find(const char* name) {
    for (const auto& row : kProbes) {
        if (std::strcmp(row.name, name) == 0) {
            return &row;
        }
    }
    return nullptr;
}

int usage() {
    std::fprintf(stderr, "usage: overcast-probes NAME… [--quick]; names:");
    for (const auto& row : kProbes) {
        std::fprintf(stderr, " %s", row.name);
    }
    std::fprintf(stderr, "\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    std::vector<const Row*> chosen;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
        } else if (const auto* row = find(argv[i])) {
            chosen.push_back(row);
        } else {
            return usage();
        }
    }
    if (chosen.empty()) {
        return usage();
    }
    if (chosen.front()->run != probe_channels) {
        // A kernel that is loaded at its first launch would wait for one that is held back. Loading
        // all at once uses channels of its own, which the probe of a fresh process must not see.
        setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    }
    for (const auto* row : chosen) {
        std::printf("probe %s\n", row->name);
        row->run(options);
        if (row != chosen.back()) {
            phase("end", 0);  // what the next one prepares belongs to no phase of this one
        }
    }
    return 0;
}
