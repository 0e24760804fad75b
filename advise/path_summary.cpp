#include "advise/path_summary.hpp"

#include "advise/words.hpp"
#include "forecast/critical_path.hpp"

#include <algorithm>
#include <map>

namespace overcast {
namespace {

std::string share_label(const Workload& workload, const PathStretch& stretch) {
    using Kind = PathStretch::Kind;
    switch (stretch.kind) {
        case Kind::device: return operation_in_words(workload, stretch.operation);
        case Kind::gap: return "gaps and latencies";
        case Kind::call: {
            const auto& name = workload.operations[stretch.operation].name;
            return "host in " + std::string{workload.names[name]};
        }
        case Kind::host_time: return "host between its calls";
        case Kind::wake_up: return "return of waiting calls";
    }
    return "?";
}

std::string reason_label(const PathStretch& stretch) {
    return stretch.waited_for ? std::string{to_string(stretch.reason)} : "host";
}

void add_link(const Workload& workload, const PathStretch& stretch, std::vector<PathLink>& links) {
    PathLink link;
    link.what = operation_in_words(workload, stretch.operation);
    link.waited_for = stretch.waited_for ? operation_in_words(workload, *stretch.waited_for) : "";
    link.reason = reason_label(stretch);
    link.operation = stretch.operation;
    link.start = stretch.begin;
    link.end = stretch.end;
    if (!links.empty() && links.back().what == link.what &&
        links.back().waited_for == link.waited_for && links.back().reason == link.reason) {
        ++links.back().count;
        links.back().end = link.end;
        return;
    }
    links.push_back(std::move(link));
}

}  // namespace

CriticalPath summarise_path(const PlayedConfiguration& played) {
    CriticalPath path;
    path.wall = played.timeline.wall;
    std::map<std::string, PathShare> shares;
    for (const auto& stretch : critical_path(played.workload, played.timeline)) {
        auto& share = shares[share_label(played.workload, stretch)];
        ++share.count;
        share.time += stretch.end - stretch.begin;
        if (stretch.kind == PathStretch::Kind::device) {
            ++path.operations;
            add_link(played.workload, stretch, path.links);
        }
    }
    for (auto& [label, share] : shares) {
        share.what = label;
        path.shares.push_back(std::move(share));
    }
    std::ranges::stable_sort(path.shares, std::greater<>{}, &PathShare::time);
    return path;
}

}  // namespace overcast
