#include "validate/accuracy/timeline_accuracy.hpp"

#include "core/statistics.hpp"
#include "forecast/bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace overcast {
namespace {

/// The operations that put work on the device, in the order of their issue.
Places work_of(const PlayedProgram& program) {
    Places places;
    for (std::size_t i = 0; i < program.workload.operations.size(); ++i) {
        if (enqueues_work(program.workload.operations[i].action) &&
            program.timeline.entries[i].on_device) {
            places.push_back(i);
        }
    }
    return places;
}

bool same_work(const Action& left, const Action& right) {
    if (left.index() != right.index()) {
        return false;
    }
    const auto* copy = std::get_if<Copy>(&left);
    return copy == nullptr ||
           (copy->kind == std::get<Copy>(right).kind && copy->bytes == std::get<Copy>(right).bytes);
}

TimelineTime first_start(const PlayedProgram& program, const Places& places) {
    auto first = program.timeline.entries[places.front()].device_start;
    for (const auto place : places) {
        first = std::min(first, program.timeline.entries[place].device_start);
    }
    return first;
}

std::optional<CopyKind> served_by_copy_engine(const Action& action) {
    const auto* copy = std::get_if<Copy>(&action);
    if (copy == nullptr ||
        (copy->kind != CopyKind::host_to_device && copy->kind != CopyKind::device_to_host)) {
        return std::nullopt;
    }
    return copy->kind;
}

/// The copies of one direction by their device start, as indices into `places`.
Places service_order(const PlayedProgram& program, const Places& places, CopyKind kind) {
    Places order;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (served_by_copy_engine(program.workload.operations[places[i]].action) == kind) {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(
        order, {}, [&](auto i) { return program.timeline.entries[places[i]].device_start; });
    return order;
}

/// How many copies of one direction come in the actual order.
std::size_t in_actual_order(const Places& actual, const Places& predicted, std::size_t operations) {
    Places rank(operations);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        rank[actual[i]] = i;
    }
    Places ranks;
    ranks.reserve(predicted.size());
    for (const auto operation : predicted) {
        ranks.push_back(rank[operation]);
    }
    return longest_rising(ranks);
}

/// The work of a program, and of another one that issues the same.
struct SameWork {
    const PlayedProgram& actual;
    const PlayedProgram& predicted;
    Places actual_work = work_of(actual);
    Places predicted_work = work_of(predicted);

    [[nodiscard]] bool comparable() const {
        return std::ranges::equal(actual_work, predicted_work, [&](auto a, auto p) {
            return same_work(actual.workload.operations[a].action,
                             predicted.workload.operations[p].action);
        });
    }
};

/// TimelineAccuracy::service_order_percent
std::optional<double> in_order_percent(const SameWork& work) {
    std::size_t copies = 0;
    std::size_t in_order = 0;
    for (const auto kind : {CopyKind::host_to_device, CopyKind::device_to_host}) {
        const auto order = service_order(work.actual, work.actual_work, kind);
        copies += order.size();
        in_order += in_actual_order(order, service_order(work.predicted, work.predicted_work, kind),
                                    work.actual_work.size());
    }
    if (copies == 0) {
        return std::nullopt;
    }
    return static_cast<double>(in_order) / static_cast<double>(copies) * 100;
}

double overlap_percent(const PlayedProgram& program) {
    return overlap(program.workload, program.timeline) * 100;
}

}  // namespace

std::size_t longest_rising(const std::vector<std::size_t>& values) {
    std::vector<std::size_t> smallest_end;  // of a rising subsequence of length i + 1
    for (const auto value : values) {
        const auto place = std::ranges::lower_bound(smallest_end, value);
        if (place == smallest_end.end()) {
            smallest_end.push_back(value);
        } else {
            *place = value;
        }
    }
    return smallest_end.size();
}

std::optional<double> same_service_order(const PlayedProgram& actual,
                                         const PlayedProgram& predicted) {
    const SameWork work{actual, predicted};
    return work.comparable() ? in_order_percent(work) : std::nullopt;
}

std::optional<TimelineAccuracy> compare_timelines(const PlayedProgram& actual,
                                                  const PlayedProgram& predicted) {
    const SameWork work{actual, predicted};
    const auto& actual_work = work.actual_work;
    const auto& predicted_work = work.predicted_work;
    if (!work.comparable() || actual_work.empty() || actual.timeline.device <= Duration::zero()) {
        return std::nullopt;
    }
    const auto actual_begin = first_start(actual, actual_work);
    const auto predicted_begin = first_start(predicted, predicted_work);
    const auto makespan = static_cast<double>(actual.timeline.device.count());
    std::vector<double> starts;
    std::vector<double> ends;
    for (std::size_t i = 0; i < actual_work.size(); ++i) {
        const auto& a = actual.timeline.entries[actual_work[i]];
        const auto& p = predicted.timeline.entries[predicted_work[i]];
        const auto percent = [&](TimelineTime at, TimelineTime of_actual) {
            const auto late = (at - predicted_begin) - (of_actual - actual_begin);
            return std::abs(static_cast<double>(late.count())) / makespan * 100;
        };
        starts.push_back(percent(p.device_start, a.device_start));
        ends.push_back(percent(p.device_end, a.device_end));
    }
    TimelineAccuracy result;
    result.operations = actual_work.size();
    result.start_median_percent = median_of(starts);
    result.start_p95_percent = percentile_of(starts, 95);
    result.end_median_percent = median_of(ends);
    result.end_p95_percent = percentile_of(ends, 95);
    result.service_order_percent = in_order_percent(work);
    result.actual_overlap_percent = overlap_percent(actual);
    result.predicted_overlap_percent = overlap_percent(predicted);
    result.slowdowns = kernel_slowdowns(actual, actual_work, predicted, predicted_work);
    return result;
}

}  // namespace overcast
