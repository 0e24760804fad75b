#include "tracer/launcher/merge_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

namespace overcast {
namespace {

/// Beyond this the counted launches were not in the state in which the recorded ones ran …
constexpr double kMuchLonger = 1.5;
/// … unless they are so short that starting the counters shows.
constexpr double kShortNs = 20'000;

/// The launches of one kernel in the trace.
struct Recorded {
    NameId name{};
    KernelShape shape;
    std::vector<Duration> durations;
};

std::vector<Recorded> recorded_kernels(const Trace& trace) {
    std::vector<Recorded> kernels;
    for (const auto& activity : trace.activities) {
        const auto* const kernel = std::get_if<TracedKernel>(&activity.what);
        if (kernel == nullptr) {
            continue;
        }
        const auto& shape = kernel->shape;
        auto found = std::ranges::find_if(kernels, [&](const Recorded& known) {
            return known.name == kernel->name && known.shape.grid == shape.grid &&
                   known.shape.block == shape.block &&
                   known.shape.dynamic_shared_memory == shape.dynamic_shared_memory;
        });
        if (found == kernels.end()) {
            found = kernels.insert(kernels.end(), {kernel->name, shape, {}});
        }
        found->durations.push_back(activity.end - activity.start);
    }
    return kernels;
}

double median_ns(std::vector<Duration> durations) {
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::ranges::nth_element(durations, middle);
    return static_cast<double>(middle->count());
}

void compare(const Recorded& kernel, const KernelCounters& counters, const Trace& trace,
             Warnings& warnings) {
    const auto name = trace.names[kernel.name];
    if (trace.range == "all" && counters.launches != kernel.durations.size()) {
        add_warning(warnings,
                    {"counters-launches",
                     fmt::format("{} was launched {} times in the trace, {} times while counted: "
                                 "was it the same program with the same arguments?",
                                 name, kernel.durations.size(), counters.launches)});
    }
    const auto recorded = median_ns(kernel.durations);
    const auto counted = counters[KernelCounter::duration_ns];
    const auto longer = std::max(counted.value_or(0), recorded);
    if (counted && longer > kShortNs &&
        (*counted > recorded * kMuchLonger || *counted * kMuchLonger < recorded)) {
        add_warning(warnings,
                    {"counters-duration",
                     fmt::format("{} took {:.1f} us in the trace, {:.1f} us while counted: its "
                                 "counters belong to another state of the caches",
                                 name, recorded / 1000, *counted / 1000)});
    }
}

}  // namespace

MergedCounters merge_counters(const Trace& counted, Trace& trace) {
    MergedCounters result;
    const auto kernels = recorded_kernels(trace);
    for (const auto& kernel : kernels) {
        const auto name = trace.names[kernel.name];
        const auto found = std::ranges::find_if(counted.counters, [&](const KernelCounters& each) {
            auto shape = kernel.shape;
            return each.measured_launches > 0 && counted.names[each.name] == name &&
                   each.is_of(each.name, shape);
        });
        if (found == counted.counters.end()) {
            add_warning(result.warnings,
                        {"counters-missing",
                         fmt::format("{} of the trace was not seen while counting: no counters for "
                                     "it",
                                     name)});
            continue;
        }
        auto counters = *found;
        counters.name = kernel.name;
        std::erase_if(trace.counters, [&](const KernelCounters& old) {
            return old.is_of(kernel.name, kernel.shape);
        });
        trace.counters.push_back(counters);
        compare(kernel, counters, trace, result.warnings);
        ++result.kernels;
        result.measured_launches += counters.measured_launches;
    }
    return result;
}

}  // namespace overcast
