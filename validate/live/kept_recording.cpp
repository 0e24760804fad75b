#include "validate/live/kept_recording.hpp"

#include "formats/format_table.hpp"
#include "validate/accuracy/timeline_accuracy.hpp"
#include "workload/extract.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace overcast {
namespace {

constexpr std::size_t kCandidates = 3;

/// In percent of the copies, added up over all others. Without copies, or beside other work, none.
double likeness(const std::vector<Extraction>& recordings, std::size_t one) {
    double sum = 0;
    for (std::size_t other = 0; other < recordings.size(); ++other) {
        if (other != one) {
            const auto alike =
                same_service_order({recordings[other].workload, recordings[other].measured},
                                   {recordings[one].workload, recordings[one].measured});
            sum += alike.value_or(0);
        }
    }
    return sum;
}

}  // namespace

Duration time_in_issuing_calls(const Trace& trace) {
    std::unordered_set<CorrelationId> issued;
    for (const auto& activity : trace.activities) {
        issued.insert(activity.correlation);
    }
    Duration total{};
    for (const auto& call : trace.api_calls) {
        if (issued.contains(call.correlation)) {
            total += call.end - call.start;
        }
    }
    return total;
}

Duration time_at_work(const Trace& trace) {
    auto total = time_in_issuing_calls(trace);
    for (const auto& activity : trace.activities) {
        total += activity.end - activity.start;
    }
    return total;
}

std::size_t most_typical(const std::vector<std::filesystem::path>& files) {
    if (files.size() == 1) {
        return 0;
    }
    std::vector<Extraction> recordings;
    std::vector<Duration> issuing;
    for (const auto& file : files) {
        const auto trace = read_trace(file);
        recordings.push_back(extract(trace, {}, {}));
        issuing.push_back(time_in_issuing_calls(trace));
    }
    std::vector<std::size_t> fastest(files.size());
    std::iota(fastest.begin(), fastest.end(), std::size_t{0});
    std::ranges::stable_sort(fastest, {}, [&](auto i) { return issuing[i]; });
    fastest.resize(std::min(fastest.size(), kCandidates));
    return *std::ranges::max_element(fastest, {}, [&](auto i) { return likeness(recordings, i); });
}

}  // namespace overcast
