#include "formats/import_doubts.hpp"

#include <algorithm>

namespace overcast {

void warn_of_missing_channels(Trace& trace) {
    const bool any = std::ranges::any_of(trace.activities, [](const DeviceActivity& activity) {
        return activity.channel.has_value();
    });
    if (!any && !trace.activities.empty()) {
        add_warning(trace.warnings,
                    {.code = "no-channels",
                     .text = "the recorder left out hardware channels and times of queueing: the "
                             "engine of a copy is told by its direction."});
    }
}

void warn_of_whole_microseconds(Trace& trace) {
    // Fewer may be whole by chance.
    constexpr std::size_t kTelling = 6;
    const auto is_whole = [](const auto& entry) {
        constexpr Duration kMicrosecond{1'000};
        return entry.start.time_since_epoch() % kMicrosecond == Duration{} &&
               entry.end.time_since_epoch() % kMicrosecond == Duration{};
    };
    if (trace.activities.size() + trace.api_calls.size() >= kTelling &&
        std::ranges::all_of(trace.activities, is_whole) &&
        std::ranges::all_of(trace.api_calls, is_whole)) {
        add_warning(trace.warnings,
                    {.code = "coarse-times",
                     .text = "all times are whole microseconds: shorter gaps and durations are not "
                             "known. Newer versions of the profiler write nanoseconds."});
    }
}

}  // namespace overcast
