#include "report/html/timeline_json.hpp"

#include "core/overloaded.hpp"
#include "core/waited_operations.hpp"
#include "formats/chrome_event_writer.hpp"
#include "formats/chrome_names.hpp"
#include "report/html/operation_kind.hpp"
#include "report/html/timeline_blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace overcast {
namespace {

std::int64_t nanoseconds(TimelineTime time) { return time.time_since_epoch().count(); }

/// Each text once; rows name it by its place.
class Texts {
public:
    std::size_t place(std::string_view text) {
        return places_.try_emplace(std::string{text}, places_.size()).first->second;
    }
    /// An array of all texts by their places.
    [[nodiscard]] std::string json() const {
        std::vector<std::string_view> all(places_.size());
        for (const auto& [text, place] : places_) {
            all[place] = text;
        }
        return strings(all);
    }

    static std::string strings(const std::vector<std::string_view>& texts) {
        std::vector<std::string> quoted;
        std::ranges::transform(texts, std::back_inserter(quoted), json_string);
        return fmt::format("[{}]", fmt::join(quoted, ","));
    }

private:
    std::map<std::string, std::size_t> places_;
};

/// Appends `"name":[…]` with what `value` gives for 0 to count - 1: a number, or nothing (null).
template <typename Value>
void add_column(std::string& json, std::string_view name, std::size_t count, const Value& value) {
    auto out = std::back_inserter(json);
    fmt::format_to(out, "{}\n\"{}\":[", json.back() == '{' ? "" : ",", name);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) {
            json += ',';
        }
        const auto cell = value(i);
        if constexpr (requires { cell.has_value(); }) {
            if (cell) {
                fmt::format_to(out, "{}", *cell);
            } else {
                json += "null";
            }
        } else {
            fmt::format_to(out, "{}", cell);
        }
    }
    json += ']';
}

/// What the numbers in the columns mean, and the figures of the whole.
std::string opening(const Workload& workload, const Timeline& timeline) {
    std::vector<std::string_view> kinds;
    for (const auto kind : kOperationKinds) {
        kinds.push_back(to_string(kind));
    }
    std::vector<std::string_view> engines;
    for (const auto engine : {Engine::host, Engine::h2d, Engine::d2h, Engine::sm}) {
        engines.push_back(to_string(engine));
    }
    std::vector<std::string_view> reasons;
    for (int reason = 0; reason <= static_cast<int>(WaitReason::sm_room); ++reason) {
        reasons.push_back(to_string(static_cast<WaitReason>(reason)));
    }
    return fmt::format(
        R"("wall_ns":{},"device_ns":{},"streams":{},"threads":{},"kinds":{},"engines":{},)"
        R"("reasons":{})",
        timeline.wall.count(), timeline.device.count(), workload.streams.size(), workload.threads,
        Texts::strings(kinds), Texts::strings(engines), Texts::strings(reasons));
}

class OperationColumns {
public:
    OperationColumns(const Workload& workload, const Timeline& timeline)
        : workload_{workload}, timeline_{timeline}, waited_{waited_operations(workload, timeline)} {
        for (const auto& operation : workload.operations) {
            names_.push_back(texts_.place(name_of(operation)));
            calls_.push_back(texts_.place(workload.names[operation.name]));
            shapes_.push_back(shape_of(operation));
        }
    }

    std::string write() {
        auto json = fmt::format("{{{},\n\"operations\":{{", opening(workload_, timeline_));
        add_operation_columns(json);
        add_device_columns(json);
        fmt::format_to(std::back_inserter(json), "}},\n\"names\":{}}}", texts_.json());
        return json;
    }

private:
    [[nodiscard]] const Operation& operation(std::size_t i) const {
        return workload_.operations[i];
    }
    [[nodiscard]] const TimelineEntry& entry(std::size_t i) const { return timeline_.entries[i]; }

    void add_operation_columns(std::string& json) const {
        const auto add = [&](std::string_view name, const auto& value) {
            add_column(json, name, workload_.operations.size(), value);
        };
        add("name", [&](auto i) { return names_[i]; });
        add("call", [&](auto i) { return calls_[i]; });
        add("kind", [&](auto i) { return static_cast<int>(kind_of(operation(i).action)); });
        add("call_kind",
            [&](auto i) { return static_cast<int>(call_kind_of(operation(i).action)); });
        add("stream", [&](auto i) { return number(operation(i).stream); });
        add("thread", [&](auto i) { return number(operation(i).thread); });
        add("unit", [&](auto i) {
            const auto unit = operation(i).unit;
            return unit ? std::optional{number(*unit)} : std::nullopt;
        });
        add("bytes", [&](auto i) { return bytes_of(operation(i).action); });
        add("shape", [&](auto i) { return shapes_[i]; });
        add("call_start_ns", [&](auto i) { return nanoseconds(entry(i).call_start); });
        add("call_end_ns", [&](auto i) { return nanoseconds(entry(i).call_end); });
    }

    void add_device_columns(std::string& json) const {
        const auto add = [&](std::string_view name, const auto& value) {
            add_column(json, name, workload_.operations.size(), [&](std::size_t i) {
                return entry(i).on_device ? std::optional{value(i)} : std::nullopt;
            });
        };
        add("start_ns", [&](auto i) { return nanoseconds(entry(i).device_start); });
        add("end_ns", [&](auto i) { return nanoseconds(entry(i).device_end); });
        add("engine", [&](auto i) { return static_cast<int>(entry(i).engine); });
        add("channel", [&](auto i) { return number(entry(i).channel); });
        add("waited_for", [&](auto i) { return static_cast<int>(entry(i).waited_for); });
        add_column(json, "waited_operation", waited_.size(), [&](auto i) { return waited_[i]; });
    }

    [[nodiscard]] std::string name_of(const Operation& operation) const {
        return std::visit(
            Overloaded{[&](const KernelLaunch& launch) {
                           return std::string{
                               workload_.names[workload_.kernels[index(launch.kernel)].name]};
                       },
                       [](const Copy& copy) {
                           return copy_name({copy.kind, copy.source, copy.destination});
                       },
                       [](const Memset&) { return std::string{"Memset (Device)"}; },
                       [&](const auto&) { return std::string{workload_.names[operation.name]}; }},
            operation.action);
    }

    static std::optional<std::uint64_t> bytes_of(const Action& action) {
        if (const auto* copy = std::get_if<Copy>(&action)) {
            return copy->bytes.count();
        }
        if (const auto* memset = std::get_if<Memset>(&action)) {
            return memset->bytes.count();
        }
        return std::nullopt;
    }

    [[nodiscard]] std::pair<Extent, Extent> grid_and_block(const KernelLaunch& launch) const {
        const auto& shape = workload_.kernels[index(launch.kernel)].shape;
        return {shape.grid, shape.block};
    }

    /// "grid 2048 × 1 × 1, block 256 × 1 × 1" of a kernel.
    std::optional<std::size_t> shape_of(const Operation& operation) {
        const auto* launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch == nullptr) {
            return std::nullopt;
        }
        const auto [grid, block] = grid_and_block(*launch);
        return texts_.place(fmt::format("grid {} × {} × {}, block {} × {} × {}", grid.x, grid.y,
                                        grid.z, block.x, block.y, block.z));
    }

    const Workload& workload_;
    const Timeline& timeline_;
    std::vector<std::optional<std::size_t>> waited_;
    Texts texts_;
    std::vector<std::size_t> names_;
    std::vector<std::size_t> calls_;
    std::vector<std::optional<std::size_t>> shapes_;
};

}  // namespace

std::string operations_json(const Workload& workload, const Timeline& timeline) {
    return OperationColumns{workload, timeline}.write();
}

std::string blocks_json(const Workload& workload, const Timeline& timeline, std::size_t most) {
    const auto blocks = timeline_blocks(workload, timeline, most);
    const auto& all = blocks.blocks;
    auto json = fmt::format("{{{},\n\"operation_count\":{},\"block_width_ns\":{},\n\"blocks\":{{",
                            opening(workload, timeline), blocks.operations, blocks.width.count());
    const auto add = [&](std::string_view name, const auto& value) {
        add_column(json, name, all.size(), value);
    };
    add("group", [&](auto i) { return static_cast<int>(all[i].track.group); });
    add("track", [&](auto i) { return all[i].track.index; });
    add("kind", [&](auto i) { return static_cast<int>(all[i].kind); });
    add("start_ns", [&](auto i) { return nanoseconds(all[i].start); });
    add("end_ns", [&](auto i) { return nanoseconds(all[i].end); });
    add("busy_ns", [&](auto i) { return all[i].busy.count(); });
    add("count", [&](auto i) { return all[i].count; });
    return json + "}}";
}

}  // namespace overcast
