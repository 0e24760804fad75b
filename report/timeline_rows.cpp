#include "report/timeline_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace overcast {
namespace {

Duration from_start(TimelineTime time) { return time.time_since_epoch(); }

CellKind cell_kind_of(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        switch (copy->kind) {
            case CopyKind::host_to_device: return CellKind::h2d_copy;
            case CopyKind::device_to_host: return CellKind::d2h_copy;
            case CopyKind::device_to_device:
            case CopyKind::host_to_host:
            case CopyKind::peer_to_peer: return CellKind::other_copy;
        }
    }
    if (std::holds_alternative<KernelLaunch>(action)) return CellKind::kernel;
    if (std::holds_alternative<Memset>(action)) return CellKind::memset;
    return CellKind::busy;
}

/// An H2D copy may travel on a compute channel, where it holds neither the copy engine nor an SM.
bool travels_inline(const Operation& operation, const TimelineEntry& entry) {
    return entry.engine == Engine::sm && cell_kind_of(operation.action) == CellKind::h2d_copy;
}

/// Adds stretches of time to the cells that they touch.
class Painter {
public:
    Painter(const Workload& workload, const Timeline& timeline, std::size_t columns,
            std::size_t most_streams)
        : workload_{workload}, entries_{timeline.entries}, columns_{columns} {
        // No column is shorter than the clock's tick.
        result_.end = std::max(timeline.wall, Duration{static_cast<std::int64_t>(columns)});
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const auto& entry = entries_[i];
            result_.end = std::max(result_.end, from_start(entry.call_end));
            if (entry.on_device) {
                result_.end = std::max(result_.end, from_start(entry.device_end));
                on_device_.push_back(i);
            }
        }
        std::ranges::stable_sort(on_device_, {},
                                 [&](std::size_t i) { return entries_[i].device_start; });
        shown_streams_ = std::min(workload.streams.size(), most_streams);
        result_.streams_left_out = workload.streams.size() - shown_streams_;
    }

    TimelineRows paint() {
        paint_streams();
        paint_engine("H2D", Engine::h2d);
        paint_engine("SMs", Engine::sm);
        paint_engine("D2H", Engine::d2h);
        paint_host();
        return std::move(result_);
    }

private:
    TimelineRow& add_row(std::string label, RowKind kind) {
        result_.rows.push_back({std::move(label), kind, std::vector<TimelineCell>(columns_)});
        return result_.rows.back();
    }

    void add(TimelineRow& row, CellKind kind, Duration from, Duration until) const {
        from = std::max(from, Duration::zero());
        until = std::min(until, result_.end);
        if (from >= until) return;
        for (auto column = result_.column_of(from, columns_); from < until; ++column) {
            const auto edge = std::min(until, column + 1 == columns_
                                                  ? result_.end
                                                  : result_.column_begin(column + 1, columns_));
            row.cells[column].spent[static_cast<std::size_t>(kind)] += edge - from;
            from = edge;
        }
    }

    void paint_streams() {
        for (std::size_t stream = 0; stream < shown_streams_; ++stream) {
            add_row(fmt::format("stream {}", stream), RowKind::stream);
        }
        std::vector<Duration> idle_since(shown_streams_);
        for (const auto i : on_device_) {
            const auto stream = index(workload_.operations[i].stream);
            if (stream >= shown_streams_) continue;
            const auto& entry = entries_[i];
            auto& row = result_.rows[stream];
            auto& idle = idle_since[stream];
            if (entry.waited_for != WaitReason::none) {
                add(row, CellKind::waiting, std::max(from_start(entry.call_end), idle),
                    from_start(entry.device_start));
            }
            // Recorded operations of one stream may overlap by a little: no time counts twice.
            add(row, cell_kind_of(workload_.operations[i].action),
                std::max(from_start(entry.device_start), idle), from_start(entry.device_end));
            idle = std::max(idle, from_start(entry.device_end));
        }
    }

    void paint_engine(std::string label, Engine engine) {
        auto& row = add_row(std::move(label), RowKind::engine);
        Duration covered_to{};
        for (const auto i : on_device_) {
            const auto& entry = entries_[i];
            if (entry.engine != engine || travels_inline(workload_.operations[i], entry)) continue;
            add(row, CellKind::busy, std::max(from_start(entry.device_start), covered_to),
                from_start(entry.device_end));
            covered_to = std::max(covered_to, from_start(entry.device_end));
        }
    }

    void paint_host() {
        const auto first = result_.rows.size();
        for (std::uint32_t thread = 0; thread < workload_.threads; ++thread) {
            add_row(workload_.threads == 1 ? "host" : fmt::format("host {}", thread),
                    RowKind::host);
        }
        std::vector<Duration> returned(workload_.threads);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const auto& operation = workload_.operations[i];
            auto& row = result_.rows[first + index(operation.thread)];
            auto& last_return = returned[index(operation.thread)];
            const auto start = from_start(entries_[i].call_start);
            const auto end = from_start(entries_[i].call_end);
            const auto worked_until = start + std::min(end - start, operation.call_cost);
            const auto own = std::clamp(operation.host_before, Duration::zero(),
                                        std::max(start - last_return, Duration::zero()));
            add(row, CellKind::busy, start - own, worked_until);
            add(row, CellKind::waiting, worked_until, end);
            last_return = std::max(last_return, end);
        }
    }

    const Workload& workload_;
    const std::vector<TimelineEntry>& entries_;
    std::size_t columns_;
    std::size_t shown_streams_ = 0;
    std::vector<std::size_t> on_device_;
    TimelineRows result_;
};

}  // namespace

Duration TimelineCell::work() const {
    return std::accumulate(spent.begin(), spent.end(), Duration::zero()) - of(CellKind::waiting);
}

std::optional<CellKind> TimelineCell::most_work() const {
    const auto most = std::max_element(
        spent.begin(), spent.begin() + static_cast<std::ptrdiff_t>(CellKind::waiting));
    if (*most == Duration::zero()) return std::nullopt;
    return static_cast<CellKind>(most - spent.begin());
}

Duration TimelineRows::column_begin(std::size_t column, std::size_t columns) const {
    // Quotient and remainder apart, so that no product overflows.
    const auto count = static_cast<std::int64_t>(columns);
    const auto at = static_cast<std::int64_t>(column);
    return Duration{end.count() / count * at + end.count() % count * at / count};
}

std::size_t TimelineRows::column_of(Duration time, std::size_t columns) const {
    // The quotient may be rounded across an edge.
    const auto share = static_cast<double>(time.count()) / static_cast<double>(end.count());
    auto column =
        std::min(static_cast<std::size_t>(share * static_cast<double>(columns)), columns - 1);
    while (column > 0 && time < column_begin(column, columns)) --column;
    while (column + 1 < columns && time >= column_begin(column + 1, columns)) ++column;
    return column;
}

TimelineRows timeline_rows(const Workload& workload, const Timeline& timeline, std::size_t columns,
                           std::size_t most_streams) {
    return Painter{workload, timeline, columns, most_streams}.paint();
}

}  // namespace overcast
