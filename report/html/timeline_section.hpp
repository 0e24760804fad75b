// Timelines for the page: a track per stream, per engine and per host thread.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "report/html/html_page.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace overcast {

/// Up to so many copies, memsets and kernels a panel holds each one, and its waits; beyond that it
/// holds blocks of operations that follow each other closely, and says so.
constexpr std::size_t kMostOperationsOnPage = 50'000;

/// One Timeline under its title. Both must live until the section is written.
struct TimelinePanel {
    std::string title;  ///< "predicted: 4 streams, depth-first"
    const Workload& workload;
    const Timeline& timeline;
};

/// Panels that share one time axis: predicted beside measured.
struct TimelineView {
    std::string title;
    std::vector<TimelinePanel> panels;
};

/// `note`: what is left out of the page, or empty.
HtmlSection timeline_section(const std::vector<TimelineView>& views, const std::string& note = "");

}  // namespace overcast
