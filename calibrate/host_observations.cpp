// What host calls cost beside those that a prediction has to price: recordings carry these costs,
// so that no rule reads them.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

struct Row {
    const char* name;      ///< of the observation
    const char* quantity;  ///< that the probe printed
};

/// Each row over its x. Of several processes the median of their medians, since a process runs at
/// one speed from its start to its end; of one process the median of its samples.
void observe(const ProbeRuns& runs, Draft& draft, const char* probe, const std::vector<Row>& rows,
             const std::string& words) {
    const auto& all = runs.all(probe, ProbeMode::untraced);
    const auto& first = runs.get(probe, ProbeMode::untraced).output;
    for (const auto& [name, quantity] : rows) {
        Observation made{name, {}, {}};
        for (const double x : first.xs(quantity)) {
            std::vector<double> medians;
            for (const auto& run : all) {
                medians.push_back(run.output.median(quantity, x));
            }
            made.points.emplace_back(
                x, medians.size() > 1 ? fit_median(medians) : fit_median(first.at(quantity, x)));
        }
        if (made.points.empty()) {
            throw ModelFileError(fmt::format("the probe {} measured no {}", probe, quantity));
        }
        made.source = fmt::format("probe {}, untraced{}: {}", probe,
                                  all.size() > 1 ? ", median of processes" : "", words);
        draft.observe(std::move(made));
    }
}

/// Device time per kernel: the slope of the wall times.
void observe_slope(const ProbeRuns& runs, Draft& draft, const char* name, const char* quantity) {
    const auto& output = runs.get("graphs", ProbeMode::untraced).output;
    std::vector<DataPoint> points;
    for (const double kernels : output.xs(quantity)) {
        points.push_back({kernels, output.median(quantity, kernels)});
    }
    draft.observe({name,
                   {{0, fit_line(points).slope}},
                   "probe graphs, untraced: wall time per further empty kernel in a row"});
}

}  // namespace

void measure_launch_parameters(const ProbeRuns& runs, Draft& draft) {
    observe(runs, draft, "launch_parameters",
            {{"host.launch_ns_by_parameter_bytes", "launch_by_parameter_bytes"}},
            "96 launches in a row");
}

void measure_host_objects(const ProbeRuns& runs, Draft& draft) {
    observe(runs, draft, "host_objects",
            {{"host.stream_create_ns", "stream_create"},
             {"host.stream_destroy_ns", "stream_destroy"},
             {"host.event_create_ns", "event_create"},
             {"host.event_destroy_ns", "event_destroy"},
             {"host.malloc_ns_by_bytes", "malloc"},
             {"host.free_ns_by_bytes", "free"},
             {"host.malloc_async_ns_by_bytes", "malloc_async"},
             {"host.free_async_ns_by_bytes", "free_async"},
             {"host.malloc_host_ns_by_bytes", "malloc_host"},
             {"host.free_host_ns_by_bytes", "free_host"}},
            "single calls on an idle device");
}

void measure_first_calls(const ProbeRuns& runs, Draft& draft) {
    observe(runs, draft, "first_calls",
            {{"host.first_launch_ns_by_pause_ns", "first_launch"},
             {"host.second_launch_ns_by_pause_ns", "second_launch"},
             {"host.first_copy_ns_by_pause_ns", "first_copy"},
             {"host.second_copy_ns_by_pause_ns", "second_copy"}},
            "after the host slept");
}

void measure_host_threads(const ProbeRuns& runs, Draft& draft) {
    observe(runs, draft, "host_threads",
            {{"host.launch_ns_by_threads", "thread_launch"},
             {"host.copy_ns_by_threads", "thread_copy"}},
            "time of a call as its thread sees it while all issue, each to its own stream");
}

void measure_graphs(const ProbeRuns& runs, Draft& draft) {
    observe(runs, draft, "graphs",
            {{"host.graph_launch_ns_by_kernels", "graph_call"},
             {"host.launches_ns_by_kernels", "launches_call"}},
            "empty kernels in a row, as a graph and one by one");
    observe_slope(runs, draft, "graph.ns_per_kernel", "graph_wall");
    observe_slope(runs, draft, "launches.ns_per_kernel", "launches_wall");
}

}  // namespace overcast
