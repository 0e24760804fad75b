// What a call costs the host more that goes to the next of so many streams.
#include "calibrate/measurements.hpp"
#include "core/statistics.hpp"
#include "model/calibration/rising_fit.hpp"

#include <initializer_list>
#include <map>
#include <string>

namespace overcast {
namespace {

/// By the number of streams: what the calls of each quantity take more than over the fewest
/// streams, in every process.
std::map<double, std::vector<double>> changes(const ProbeRuns& runs,
                                              std::initializer_list<const char*> quantities) {
    std::map<double, std::vector<double>> more;
    for (const auto& run : runs.all("stream_changes", ProbeMode::untraced)) {
        for (const std::string quantity : quantities) {
            const auto streams = run.output.xs(quantity);
            for (const double count : streams) {
                more[count].push_back(run.output.median(quantity, count) -
                                      run.output.median(quantity, streams.front()));
            }
        }
    }
    return more;
}

void set_change(const ProbeRuns& runs, Draft& draft, const char* name, Curve& place,
                std::initializer_list<const char*> quantities, const std::string& calls) {
    std::vector<DataPoint> points;
    for (const auto& [count, of_processes] : changes(runs, quantities)) {
        points.push_back({count, median_of(of_processes)});
    }
    if (points.size() < 2) {
        throw ProbeDidNotRun("the probe stream_changes measured no " + calls);
    }
    draft.set_curve(name, place, fit_rising_delays_ns(points),
                    "probe stream_changes, untraced: " + calls +
                        " in a row round robin over n streams, less those on one; median of "
                        "processes, rising fit");
}

}  // namespace

void measure_stream_changes(const ProbeRuns& runs, Draft& draft) {
    auto& host = draft.model.host;
    set_change(runs, draft, "host.kernel_stream_change_ns_by_streams", host.kernel_stream_change_ns,
               {"call_kernel_launch_of"}, "launches behind copies that have not ended");
    set_change(runs, draft, "host.copy_stream_change_ns_by_streams", host.copy_stream_change_ns,
               {"call_h2d_of", "call_d2h_of"},
               "copies to the device into idle streams, and to the host behind kernels that wait,");
}

}  // namespace overcast
