// Which of the ready copies a copy engine serves next, and whether copies of one direction overlap.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace overcast {
namespace {

constexpr std::size_t kServices = 4;

/// How many decisions each policy explains. A decision is made where a copy ends and the heads of
/// several channels are ready.
struct Decisions {
    std::array<std::size_t, kServices> explained{};
    std::size_t made = 0;

    [[nodiscard]] std::size_t of(CopyService service) const {
        return explained[static_cast<std::size_t>(service)];
    }
};

/// The copies that a channel still has to serve, in the order of their issue.
struct Queue {
    std::vector<const PhaseActivity*> copies;
    std::size_t next = 0;
    TraceTime ready{};  ///< since when the head could start; zero: from the beginning

    [[nodiscard]] bool empty() const { return next == copies.size(); }
    [[nodiscard]] const PhaseActivity& head() const { return *copies[next]; }
};

using Queues = std::map<std::uint32_t, Queue>;  // by hardware id

/// The head that is least in `key`.
template <typename Key>
std::uint32_t least(const Queues& queues, Key key) {
    std::optional<std::uint32_t> best;
    for (const auto& [channel, queue] : queues) {
        if (!queue.empty() && (!best || key(queue) < key(queues.at(*best)))) {
            best = channel;
        }
    }
    return *best;
}

/// Its own channel while that has copies, else the next one up, around.
std::uint32_t drained(const Queues& queues, std::uint32_t current) {
    auto at = queues.lower_bound(current);
    while (at == queues.end() || at->second.empty()) {
        at = at == queues.end() ? queues.begin() : std::next(at);
    }
    return at->first;
}

Queues queues_of(const std::vector<PhaseActivity>& served) {
    std::vector<const PhaseActivity*> issued;
    for (const auto& copy : served) {
        issued.push_back(&copy);
    }
    std::ranges::stable_sort(issued, {}, [](const auto* copy) { return copy->issued; });
    Queues queues;
    for (const auto* copy : issued) {
        queues[number(copy->channel.id)].copies.push_back(copy);
    }
    return queues;
}

/// Plays the service of copies that were all ready at once.
void add_decisions(const std::vector<PhaseActivity>& served, Decisions& decisions) {
    auto queues = queues_of(served);
    for (std::size_t i = 0; i + 1 < served.size(); ++i) {
        const auto channel = number(served[i].channel.id);
        auto& queue = queues.at(channel);
        ++queue.next;
        queue.ready = served[i].end;
        if (std::ranges::count_if(queues, [](const auto& one) { return !one.second.empty(); }) <
            2) {
            continue;
        }
        const auto next = number(served[i + 1].channel.id);
        const bool beside = served[i + 1].start < served[i].end;  // no order explains that
        const auto explains = [&](CopyService service, bool yes) {
            decisions.explained[static_cast<std::size_t>(service)] +=
                yes && beside == (service == CopyService::fair_share) ? 1U : 0U;
        };
        const auto by_issue = [](const Queue& one) { return one.head().issued; };
        const auto by_readiness = [](const Queue& one) {
            return std::pair{one.ready, one.head().issued};
        };
        ++decisions.made;
        explains(CopyService::drain, drained(queues, channel) == next);
        explains(CopyService::fifo_by_issue, least(queues, by_issue) == next);
        explains(CopyService::fifo_by_readiness, least(queues, by_readiness) == next);
        explains(CopyService::fair_share, true);
    }
}

std::string share(const char* what, CopyService service, const Decisions& decisions) {
    return fmt::format("{}: {} of {}", what, decisions.of(service), decisions.made);
}

}  // namespace

void measure_copy_service(const ProbeRuns& runs, Draft& draft) {
    constexpr std::size_t kEnough = 20;
    constexpr double kHolds = 0.9;
    Decisions decisions;
    for (const auto& phase : runs.get("channel_rules", ProbeMode::full).phases) {
        if (phase.label.quantity == "service" || phase.label.quantity == "service_depth") {
            add_decisions(phase.of(ActivityKind::h2d), decisions);
            add_decisions(phase.of(ActivityKind::d2h), decisions);
        }
    }
    const auto words = fmt::format(
        "{}; {}; {}", share("in the order of issue", CopyService::fifo_by_issue, decisions),
        share("who was ready first", CopyService::fifo_by_readiness, decisions),
        share("all at once", CopyService::fair_share, decisions));
    draft.notes.rules.push_back({"engine-drain",
                                 "a copy engine stays on its channel while that has work, then "
                                 "goes to the next one up",
                                 decisions.of(CopyService::drain), decisions.made, words});
    const auto best = std::ranges::max_element(decisions.explained);
    if (decisions.made < kEnough ||
        static_cast<double>(*best) < kHolds * static_cast<double>(decisions.made)) {
        throw ModelFileError(
            fmt::format("no order of service explains nine tenths of {} decisions ({}; {})",
                        decisions.made, share("draining", CopyService::drain, decisions), words));
    }
    draft.set_service("copy_engine.service", draft.model.copy_service,
                      static_cast<CopyService>(best - decisions.explained.begin()),
                      fmt::format("probe channel_rules, traced: explains {} of {} decisions", *best,
                                  decisions.made));
}

void measure_copy_overlap(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("copy_overlap", ProbeMode::full).phases;
    std::vector<double> offsets;
    std::size_t pairs = 0;
    double smallest = 0;
    double largest = 0;
    for (const auto& phase : phases) {
        for (const auto kind : {ActivityKind::h2d, ActivityKind::d2h}) {
            const auto copies = phase.of(kind);
            if (phase.label.quantity != "overlap" || copies.size() != 2) {
                continue;
            }
            smallest = pairs == 0 ? phase.label.x : std::min(smallest, phase.label.x);
            largest = std::max(largest, phase.label.x);
            ++pairs;
            if (copies[1].start < copies[0].end) {
                offsets.push_back(static_cast<double>((copies[1].start - copies[0].start).count()));
            }
        }
    }
    if (pairs == 0) {
        throw ModelFileError("no two copies of one direction were recorded");
    }
    draft.set_threshold("h2d.overlap_threshold_ns", draft.model.transfer_overlap_threshold, offsets,
                        fmt::format("probe copy_overlap, traced: two streams, {:.0f} to {:.0f} B, "
                                    "both directions: the second copy began before the first had "
                                    "ended in {} of {} pairs",
                                    smallest, largest, offsets.size(), pairs));
}

}  // namespace overcast
