// Host calls, start latencies, wake-up, launch queue.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// Medians of a quantity in each process of a mode.
std::vector<double> process_medians(const ProbeRuns& runs, ProbeMode mode,
                                    const std::string& quantity) {
    std::vector<double> medians;
    for (const auto& run : runs.all("host_calls", mode)) {
        for (const double x : run.output.xs(quantity)) {
            medians.push_back(run.output.median(quantity, x));
        }
    }
    if (medians.empty()) {
        throw ModelFileError(fmt::format("the probe host_calls measured no {}", quantity));
    }
    return medians;
}

/// A process runs at one speed: the median of the processes, the interval from how they differ.
Estimate over_processes(const std::vector<double>& medians) { return fit_median(medians); }

/// What launches and copies cost in a pipeline, over what they cost by themselves.
std::vector<double> mix_factors(const ProbeRuns& runs, ProbeMode mode) {
    const auto unit = process_medians(runs, mode, "call_unit_of_three");
    const auto launch = process_medians(runs, mode, "call_kernel_launch");
    const auto h2d = process_medians(runs, mode, "call_copy_h2d");
    const auto d2h = process_medians(runs, mode, "call_copy_d2h");
    std::vector<double> factors;
    for (std::size_t i = 0; i < unit.size(); ++i) {
        factors.push_back(unit[i] / (launch[i] + h2d[i] + d2h[i]));
    }
    return factors;
}

struct Costs {
    std::string prefix;
    CallCosts* place;
    ProbeMode mode;
    std::string words;
};

void set_pipeline_calls(const ProbeRuns& runs, Draft& draft, const Costs& costs,
                        const std::string& source) {
    const auto factors = mix_factors(runs, costs.mode);
    auto launch = process_medians(runs, costs.mode, "call_kernel_launch");
    auto copy = process_medians(runs, costs.mode, "call_copy_h2d");
    const auto d2h = process_medians(runs, costs.mode, "call_copy_d2h");
    for (std::size_t i = 0; i < factors.size(); ++i) {
        launch[i] *= factors[i];
        copy[i] = (copy[i] + d2h[i]) / 2 * factors[i];
    }
    const auto in_mix = source + ", as in a unit of H2D, kernel, D2H";
    draft.set(costs.prefix + "kernel_launch_ns", costs.place->kernel_launch, over_processes(launch),
              in_mix);
    draft.set(costs.prefix + "copy_ns", costs.place->copy, over_processes(copy), in_mix);
}

void set_calls(const ProbeRuns& runs, Draft& draft, const Costs& costs) {
    const auto source = "probe host_calls, " + costs.words + ", median of processes";
    set_pipeline_calls(runs, draft, costs, source);
    const auto set = [&](const char* name, Duration& place, const char* quantity) {
        draft.set(costs.prefix + name, place,
                  over_processes(process_medians(runs, costs.mode, quantity)), source);
    };
    set("memset_ns", costs.place->memset, "call_memset");
    set("event_record_ns", costs.place->event_record, "call_event_record");
    set("event_wait_ns", costs.place->event_wait, "call_event_wait");
    set("synchronise_ns", costs.place->synchronise, "call_synchronise");
    set("host_function_ns", costs.place->host_function, "call_host_function");
    set("other_ns", costs.place->other, "call_query");
}

constexpr double kLargestAlone = 4 << 20;  // beyond, the scatter of the work itself is larger

/// Those of a recorded phase of one kind of work, alone; none of copies that no engine served.
std::vector<PhaseActivity> alone(const Phase& phase, ActivityKind kind) {
    const bool copies = kind == ActivityKind::h2d || kind == ActivityKind::d2h;
    auto found = phase.of(kind);
    if (phase.label.x > kLargestAlone ||
        (copies && !found.empty() && found.front().channel.type != ChannelType::copy)) {
        found.clear();
    }
    return found;
}

/// Untraced wall time of work that is alone less its call, its time on the device and the wake-up.
std::vector<double> starts(const ProbeRuns& runs, const std::string& probe,
                           const std::vector<std::pair<std::string, ActivityKind>>& kinds,
                           double wake_up) {
    const auto& untraced = runs.get(probe, ProbeMode::untraced).output;
    std::vector<double> starts;
    for (const auto& phase : runs.get(probe, ProbeMode::full).phases) {
        for (const auto& [word, kind] : kinds) {
            const auto found = alone(phase, kind);
            if (phase.label.quantity == word && !found.empty()) {
                const auto x = phase.label.x;
                starts.push_back(untraced.median("wall_" + word, x) -
                                 untraced.median("call_" + word, x) -
                                 median_of(durations_ns(found, 2)) - wake_up);
            }
        }
    }
    return starts;
}

}  // namespace

void measure_host_calls(const ProbeRuns& runs, Draft& draft) {
    for (const auto mode :
         {ProbeMode::untraced, ProbeMode::full, ProbeMode::light, ProbeMode::minimal}) {
        (void)runs.get("host_calls", mode);
    }
    auto& cost = draft.model.tracing_cost;
    set_calls(runs, draft, {"host.call.", &cost.untraced, ProbeMode::untraced, "untraced"});
    set_calls(runs, draft,
              {"host.traced_call.", &cost.traced.calls, ProbeMode::full, "--record full"});
    set_calls(runs, draft,
              {"host.light_traced_call.", &draft.model.light_tracing.calls, ProbeMode::light,
               "--record light"});
    set_calls(runs, draft,
              {"host.minimal_traced_call.", &draft.model.minimal_tracing.calls, ProbeMode::minimal,
               "--record minimal"});
}

void measure_host_waits(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("host_waits", ProbeMode::untraced).output;
    const double flag_way = output.median("flag_round_trip", 0) / 2;
    auto kernel_start = fit_median(output.at("launch_to_flag", 0));
    for (auto* part : {&kernel_start.value, &kernel_start.low, &kernel_start.high}) {
        *part -= flag_way;
    }
    auto& host = draft.model.host;
    draft.set("host.kernel_start_latency_ns", host.kernel_start_latency, kernel_start,
              fmt::format("probe host_waits, untraced: a flag in host memory, less the {:.0f} ns "
                          "of its way",
                          flag_way));
    // The kernel ends when its flag has arrived: what is left is the way of the host.
    const auto wake_up = fit_median(output.at("flag_to_return", 0));
    draft.set("host.synchronise_wake_up_ns", host.synchronise_wake_up, wake_up,
              "probe host_waits, untraced: last flag of a kernel to return of the waiting call");
    draft.set(
        "host.copy_start_latency_ns", host.copy_start_latency,
        fit_median(starts(runs, "copies", {{"h2d", ActivityKind::h2d}, {"d2h", ActivityKind::d2h}},
                          wake_up.value)),
        "probe copies: untraced wall time less call, wake-up and traced duration");
    const auto memset_start = fit_median(
        starts(runs, "device_copies", {{"memset", ActivityKind::memset}}, wake_up.value));
    draft.set("host.memset_start_latency_ns", host.memset_start_latency.emplace(), memset_start,
              "probe device_copies: untraced wall time of a memset less call, wake-up and traced "
              "duration");
}

void measure_queue_depth(const ProbeRuns& runs, Draft& draft) {
    const auto depths = runs.get("queue_depth", ProbeMode::untraced).output.at("queue_depth", 0);
    if (depths.empty()) {
        throw ModelFileError("no launch blocked the host");
    }
    draft.set_count("channels.queue_depth", draft.model.channels.queue_depth,
                    static_cast<std::uint32_t>(std::lround(median_of(depths))),
                    fmt::format("probe queue_depth, untraced: launches before one blocks, {} "
                                "times, {:.0f} to {:.0f}; assumed for copies",
                                depths.size(), std::ranges::min(depths), std::ranges::max(depths)));
}

}  // namespace overcast
