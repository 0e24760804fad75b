#include "validate/baselines/serial.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace overcast {

std::optional<Duration> predict_serial(const Extraction& recorded,
                                       const Configuration& configuration) {
    std::vector<std::pair<TimelineTime, TimelineTime>> spans;
    for (const auto& entry : recorded.measured.entries) {
        if (entry.on_device) {
            spans.emplace_back(entry.device_start, entry.device_end);
        }
    }
    if (spans.empty()) {
        return std::nullopt;
    }
    std::sort(spans.begin(), spans.end());
    Duration total{};
    auto busy_until = spans.front().first;
    for (const auto& [start, end] : spans) {
        total += end - start;
        total += std::max(start - busy_until, Duration{});
        busy_until = std::max(busy_until, end);
    }
    const auto copies =
        configuration.transform == Transform::replicate ? configuration.streams : 1U;
    return total * copies;
}

}  // namespace overcast
