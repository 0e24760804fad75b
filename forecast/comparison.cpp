#include "forecast/comparison.hpp"

#include "core/overloaded.hpp"
#include "core/statistics.hpp"
#include "forecast/bound.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace overcast {
namespace {

/// Longer than the host takes for a call that finds room: the launch queue was full.
constexpr Duration kHeldUp = std::chrono::microseconds{20};

std::string_view copy_label(CopyKind kind) {
    switch (kind) {
        case CopyKind::host_to_device: return "H2D copy";
        case CopyKind::device_to_host: return "D2H copy";
        case CopyKind::device_to_device: return "D2D copy";
        case CopyKind::host_to_host: return "H2H copy";
        case CopyKind::peer_to_peer: return "peer copy";
    }
    return "copy";
}

struct Likeness {
    std::string kind;
    std::string name;
    std::uint64_t amount = 0;

    auto operator<=>(const Likeness&) const = default;
};

bool waits(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return !copy->buffered && (!copy->asynchronous || copy->source == MemoryKind::pageable ||
                                   copy->destination == MemoryKind::pageable);
    }
    const auto* memset = std::get_if<Memset>(&action);
    return (memset != nullptr && !memset->asynchronous) || synchronises(action) ||
           std::holds_alternative<ReleaseMemory>(action);
}

bool is_compared(const Action& action) { return enqueues_work(action) || waits(action); }

Likeness likeness(const Workload& workload, const Operation& operation) {
    const auto call = [&] { return std::string{workload.names[operation.name]}; };
    return std::visit(
        Overloaded{
            [&](const Copy& copy) {
                return Likeness{std::string{copy_label(copy.kind)}, "", copy.bytes.count()};
            },
            [&](const Memset& memset) {
                return Likeness{"memset", "", memset.bytes.count()};
            },
            [&](const KernelLaunch& launch) {
                const auto& kernel = workload.kernels[index(launch.kernel)];
                return Likeness{"kernel", std::string{workload.names[kernel.name]},
                                kernel.shape.grid.count()};
            },
            [&](const auto&) {
                return Likeness{"call", call(), 0};
            },
        },
        operation.action);
}

std::optional<StreamId> stream_of(const Workload& workload, const Operation& operation) {
    if (!enqueues_work(operation.action) &&
        !std::holds_alternative<SynchroniseStream>(operation.action)) {
        return std::nullopt;
    }
    return workload.streams[index(operation.stream)].recorded;
}

Duration device_time(const TimelineEntry& entry) {
    return entry.on_device ? entry.device_end - entry.device_start : Duration{};
}

Duration call_time(const TimelineEntry& entry) { return entry.call_end - entry.call_start; }

double relative(Duration left, Duration right) {
    return std::abs(static_cast<double>((right - left).count())) /
           static_cast<double>(left.count());
}

/// Errors of many pairs; a pair whose left is nothing has none.
class Errors {
public:
    void add(Duration left, Duration right) {
        if (left > Duration{}) {
            errors_.push_back(relative(left, right));
        }
    }
    [[nodiscard]] std::optional<double> median() const {
        return errors_.empty() ? std::nullopt : std::optional{median_of(errors_)};
    }
    [[nodiscard]] std::optional<Agreement> agreement() const {
        return errors_.empty() ? std::nullopt
                               : std::optional{Agreement{errors_.size(), median_of(errors_),
                                                         percentile_of(errors_, 90)}};
    }

private:
    std::vector<double> errors_;
};

Duration time_with_an_engine_at_work(const Timeline& timeline) {
    std::vector<std::pair<TimelineTime, TimelineTime>> held;
    for (const auto& entry : timeline.entries) {
        if (entry.on_device) {
            held.emplace_back(entry.device_start, entry.device_end);
        }
    }
    std::ranges::sort(held);
    Duration total{};
    auto covered_to = TimelineTime::min();
    for (const auto& [start, end] : held) {
        if (end > covered_to) {
            total += end - std::max(start, covered_to);
            covered_to = end;
        }
    }
    return total;
}

ComparedSide side_of(const ProgramToCompare& program) {
    const auto& [workload, timeline, label, title] = program;
    ComparedSide side{.label = label, .title = title, .device = workload.device.name};
    side.wall = timeline.wall;
    side.device_span = timeline.device;
    side.threads = workload.threads;
    side.host_share = utilisation(workload, timeline).host;
    side.device_share = share_of(time_with_an_engine_at_work(timeline), timeline.wall);
    std::set<StreamIndex> streams;
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& operation = workload.operations[i];
        if (waits(operation.action)) {
            side.waiting += call_time(timeline.entries[i]);
        }
        if (enqueues_work(operation.action)) {
            ++side.operations;
            streams.insert(operation.stream);
        }
    }
    side.streams = static_cast<std::uint32_t>(streams.size());
    return side;
}

/// Gathers the comparison while the left side's operations are walked through.
class Gatherer {
public:
    Gatherer(const ProgramToCompare& left, const ProgramToCompare& right)
        : left_{left}, right_{right} {
        for (std::size_t i = 0; i < right.workload.operations.size(); ++i) {
            if (is_compared(right.workload.operations[i].action)) {
                places_[likeness(right.workload, right.workload.operations[i])].push_back(i);
            }
        }
        taken_.resize(right.workload.operations.size(), false);
    }

    Comparison gather() {
        result_.left = side_of(left_);
        result_.right = side_of(right_);
        for (std::size_t i = 0; i < left_.workload.operations.size(); ++i) {
            if (is_compared(left_.workload.operations[i].action)) {
                add_left(i);
            }
        }
        for (std::size_t i = 0; i < right_.workload.operations.size(); ++i) {
            if (is_compared(right_.workload.operations[i].action)) {
                count(right_, i, false);
                if (!taken_[i]) {
                    result_.only_right.push_back(unmatched(right_, i));
                }
            }
        }
        finish();
        return std::move(result_);
    }

private:
    void add_left(std::size_t i) {
        const auto& operation = left_.workload.operations[i];
        auto alike = likeness(left_.workload, operation);
        count(left_, i, true);
        const auto ordinal = ordinals_[alike]++;
        const auto place = places_.find(alike);
        if (place == places_.end() || ordinal >= place->second.size()) {
            result_.only_left.push_back(unmatched(left_, i));
            return;
        }
        const auto other = place->second[ordinal];
        taken_[other] = true;
        const auto& right = right_.workload.operations[other];
        ComparedOperation compared;
        compared.kind = std::move(alike.kind);
        compared.name = std::move(alike.name);
        compared.amount = alike.amount;
        compared.ordinal = ordinal;
        compared.left_stream = stream_of(left_.workload, operation);
        compared.right_stream = stream_of(right_.workload, right);
        compared.left = left_.timeline.entries[i];
        compared.right = right_.timeline.entries[other];
        compared.waits = waits(operation.action) || waits(right.action);
        add_errors(operation, right, compared);
        result_.matched.push_back(std::move(compared));
    }

    void add_errors(const Operation& left, const Operation& right,
                    const ComparedOperation& compared) {
        const auto before = call_time(compared.left);
        const auto after = call_time(compared.right);
        const auto name = left_.workload.names[left.name];
        if (name == kCallNotRecorded || right_.workload.names[right.name] == kCallNotRecorded) {
            return;
        }
        if (compared.left.on_device && compared.right.on_device) {
            start_delays_.add(compared.left.device_start - compared.left.call_start,
                              compared.right.device_start - compared.right.call_start);
        }
        if (compared.waits) {
            waiting_calls_.add(before, after);
            by_name_[std::string{name}].add(before, after);
        } else if (before > left.call_cost + kHeldUp || after > right.call_cost + kHeldUp) {
            held_up_.add(before, after);
        }
    }

    void count(const ProgramToCompare& program, std::size_t i, bool left) {
        const auto& operation = program.workload.operations[i];
        const auto& entry = program.timeline.entries[i];
        if (enqueues_work(operation.action)) {
            auto& kind = kinds_[likeness(program.workload, operation).kind];
            ++(left ? kind.left_count : kind.right_count);
            (left ? kind.left : kind.right) += device_time(entry);
        }
        if (waits(operation.action)) {
            auto& wait = waits_[std::string{program.workload.names[operation.name]}];
            ++(left ? wait.left_count : wait.right_count);
            (left ? wait.left : wait.right) += call_time(entry);
        }
    }

    static UnmatchedOperation unmatched(const ProgramToCompare& program, std::size_t i) {
        const auto& operation = program.workload.operations[i];
        auto alike = likeness(program.workload, operation);
        return {.kind = std::move(alike.kind),
                .name = std::move(alike.name),
                .amount = alike.amount,
                .stream = stream_of(program.workload, operation),
                .entry = program.timeline.entries[i]};
    }

    void finish() {
        for (auto& [kind, row] : kinds_) {
            row.kind = kind;
            result_.kinds.push_back(row);
        }
        for (auto& [name, row] : waits_) {
            row.name = name;
            row.median_error = by_name_[name].median();
            result_.waits.push_back(row);
        }
        const auto by_time = [](const auto& a, const auto& b) {
            return std::max(a.left, a.right) > std::max(b.left, b.right);
        };
        std::ranges::stable_sort(result_.kinds, by_time);
        std::ranges::stable_sort(result_.waits, by_time);
        result_.start_delay = start_delays_.agreement();
        result_.waiting_calls = waiting_calls_.agreement();
        result_.held_up_launches = held_up_.agreement();
    }

    const ProgramToCompare& left_;
    const ProgramToCompare& right_;
    std::map<Likeness, std::vector<std::size_t>> places_;  ///< on the right, in order of issue
    std::map<Likeness, std::uint32_t> ordinals_;
    std::vector<bool> taken_;
    std::map<std::string, ComparedKind> kinds_;
    std::map<std::string, ComparedWaits> waits_;
    std::map<std::string, Errors> by_name_;
    Errors start_delays_;
    Errors waiting_calls_;
    Errors held_up_;
    Comparison result_;
};

}  // namespace

Comparison compare(const ProgramToCompare& left, const ProgramToCompare& right) {
    return Gatherer{left, right}.gather();
}

}  // namespace overcast
