#include "report/html/timeline_section.hpp"

#include "formats/chrome_event_writer.hpp"
#include "report/html/timeline_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace overcast {
namespace {

/// Calls that put nothing on the device (allocations, events) are cheap to draw, but not free.
constexpr std::size_t kMostCallsOnPage = 4 * kMostOperationsOnPage;

std::string panel_json(const TimelinePanel& panel) {
    const auto on_device = static_cast<std::size_t>(
        std::ranges::count_if(panel.timeline.entries, &TimelineEntry::on_device));
    const bool each =
        on_device <= kMostOperationsOnPage && panel.timeline.entries.size() <= kMostCallsOnPage;
    const auto timeline = each ? operations_json(panel.workload, panel.timeline)
                               : blocks_json(panel.workload, panel.timeline, kMostOperationsOnPage);
    return fmt::format(R"({{"title":{},"timeline":{}}})", json_string(panel.title), timeline);
}

}  // namespace

HtmlSection timeline_section(const std::vector<TimelineView>& views, const std::string& note) {
    std::vector<std::string> written;
    for (const auto& view : views) {
        std::vector<std::string> panels;
        std::ranges::transform(view.panels, std::back_inserter(panels), panel_json);
        written.push_back(fmt::format(R"({{"title":{},"panels":[{}]}})", json_string(view.title),
                                      fmt::join(panels, ",")));
    }
    return {"timelines", fmt::format(R"({{"note":{},"views":[{}]}})", json_string(note),
                                     fmt::join(written, ","))};
}

}  // namespace overcast
