#include "tests/golden/timeline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace overcast::test {
namespace {

double microseconds(TimelineTime time) { return to_microseconds(time.time_since_epoch()); }

std::string what(const Workload& workload, const Operation& operation) {
    if (const auto* copy = std::get_if<Copy>(&operation.action)) {
        const char* kind = copy->kind == CopyKind::host_to_device   ? "H2D"
                           : copy->kind == CopyKind::device_to_host ? "D2H"
                                                                    : "D2D";
        return fmt::format("{} {} KiB", kind, copy->bytes.count() >> 10);
    }
    if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
        return fmt::format("kernel {} blocks",
                           workload.kernels[index(launch->kernel)].shape.grid.count());
    }
    return "memset";
}

}  // namespace

std::string timeline_text(const Workload& workload, const Timeline& timeline) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        if (timeline.entries[i].on_device) {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return timeline.entries[i].device_start; });
    std::string text = fmt::format("{:>10}{:>10}  stream  channel  {:<19}waited for\n", "start us",
                                   "end us", "what");
    for (const auto i : order) {
        const auto& entry = timeline.entries[i];
        text += fmt::format("{:>10.1f}{:>10.1f}{:>8}{:>9}  {:<19}{}\n",
                            microseconds(entry.device_start), microseconds(entry.device_end),
                            number(workload.operations[i].stream), number(entry.channel),
                            what(workload, workload.operations[i]), to_string(entry.waited_for));
    }
    return text + fmt::format("wall {:.1f} us\n", to_microseconds(timeline.wall));
}

}  // namespace overcast::test
