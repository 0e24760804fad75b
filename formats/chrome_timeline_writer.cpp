#include "formats/chrome_timeline_writer.hpp"

#include "core/error.hpp"
#include "core/overloaded.hpp"
#include "core/waited_operations.hpp"
#include "formats/chrome_event_writer.hpp"
#include "formats/chrome_fields.hpp"
#include "formats/chrome_header.hpp"
#include "formats/chrome_names.hpp"
#include "formats/track_lanes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

namespace overcast {
namespace {

// The streams have the pid of a device, so that tools made for PyTorch's traces find them.
constexpr std::uint64_t kStreamsPid = 0;
constexpr std::uint64_t kEnginesPid = 1;
constexpr std::uint64_t kHostPid = 2;
constexpr std::uint64_t kTidsPerTrack = 1'000'000;

constexpr std::string_view kEngineCategory = "overcast_engine";
constexpr std::string_view kWaitCategory = "overcast_wait";
constexpr std::string_view kDependencyCategory = "overcast_dependency";
constexpr std::string_view kIssueCategory = "overcast_issue";

Duration since_start(TimelineTime time) { return time.time_since_epoch(); }

std::string_view category_of(const Action& action) {
    if (std::holds_alternative<KernelLaunch>(action)) return to_string(Category::kernel);
    if (std::holds_alternative<Copy>(action)) return to_string(Category::gpu_memcpy);
    if (std::holds_alternative<Memset>(action)) return to_string(Category::gpu_memset);
    return "overcast_operation";
}

class ChromeTimelineWriter {
public:
    ChromeTimelineWriter(const Workload& workload, const Timeline& timeline,
                         const TimelineLabels& labels, ByteSink& sink)
        : workload_{workload},
          timeline_{timeline},
          labels_{labels},
          writer_{sink},
          slices_(timeline.entries.size()),
          calls_(timeline.entries.size()) {
        if (workload.operations.size() != timeline.entries.size()) {
            throw Error(
                fmt::format("a timeline of {} entries is not one of a workload of {} "
                            "operations",
                            timeline.entries.size(), workload.operations.size()));
        }
        waited_ = waited_operations(workload, timeline);
        for (std::size_t i = 0; i < workload.names.size(); ++i) {
            names_.push_back(json_string(workload.names[static_cast<NameId>(i)]));
        }
    }

    void write() {
        writer_.begin_document();
        writer_.member("overcast", timeline_header_json({.title = labels_.title,
                                                         .device = labels_.device,
                                                         .configuration = labels_.configuration,
                                                         .timeline = timeline_}));
        writer_.member("schemaVersion", "1");
        writer_.member("displayTimeUnit", "\"ns\"");
        writer_.member("baseTimeNanoseconds", "0");
        writer_.begin_events();
        const auto on_device = device_order();
        write_streams(on_device);
        write_engines(on_device);
        write_host();
        write_flows(on_device);
        write_process_names();
        writer_.end_document();
    }

private:
    /// The operations that the device saw, in the order in which it did.
    [[nodiscard]] std::vector<std::size_t> device_order() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < timeline_.entries.size(); ++i) {
            if (timeline_.entries[i].on_device) order.push_back(i);
        }
        const auto& entries = timeline_.entries;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return entries[left].device_start < entries[right].device_start;
        });
        return order;
    }

    /// The track `index` of a process, in whose first free lane the slice goes.
    TrackId place(std::uint64_t pid, std::uint64_t index, Duration start, Duration end) {
        auto& lanes = lanes_.try_emplace(TrackId{pid, index}, Nesting::forbidden).first->second;
        const auto lane = lanes.place(start, end);
        return {pid, lane == 0 ? index : kTidsPerTrack * (index + 1) + lane};
    }

    void write_streams(const std::vector<std::size_t>& order) {
        std::vector<Duration> idle_since(workload_.streams.size());
        for (const auto i : order) {
            const auto& operation = workload_.operations[i];
            const auto& entry = timeline_.entries[i];
            const auto start = since_start(entry.device_start);
            const auto end = since_start(entry.device_end);
            auto& idle = idle_since.at(index(operation.stream));
            // Waits of operations queued behind each other lie over each other; what is shown is
            // the time in which the stream was idle.
            write_wait(i, std::max(since_start(entry.call_end), idle), start);
            idle = std::max(idle, end);
            const auto track = place(kStreamsPid, index(operation.stream), start, end);
            slices_[i] = track;
            writer_.begin_slice(category_of(operation.action), device_name(operation), track, start,
                                end - start);
            write_operation(i);
            writer_.end_event();
        }
        for (std::size_t i = 0; i < workload_.streams.size(); ++i) {
            name_lanes(kStreamsPid, i, fmt::format("stream {}", i));
        }
    }

    void write_wait(std::size_t i, Duration from, Duration until) {
        const auto& entry = timeline_.entries[i];
        if (from >= until || entry.waited_for == WaitReason::none) return;
        const auto track = place(kStreamsPid, index(workload_.operations[i].stream), from, until);
        const auto name = fmt::format("wait: {}", to_string(entry.waited_for));
        writer_.begin_slice(kWaitCategory, json_string(name), track, from, until - from);
        writer_.argument(key_of(Field::correlation), std::uint64_t{i});
        writer_.argument("overcast_issued_us", since_start(entry.call_end));
        write_reason(i);
        writer_.end_event();
    }

    void write_reason(std::size_t i) {
        writer_.raw("overcast_waited_for", json_string(to_string(timeline_.entries[i].waited_for)));
        if (waited_[i])
            writer_.argument("overcast_waited_for_operation", std::uint64_t{*waited_[i]});
    }

    void write_engines(const std::vector<std::size_t>& order) {
        constexpr std::array kEngines{Engine::h2d, Engine::sm, Engine::d2h};
        for (std::size_t engine = 0; engine < kEngines.size(); ++engine) {
            for (const auto i : order) {
                const auto& entry = timeline_.entries[i];
                if (entry.engine != kEngines[engine]) continue;
                const auto start = since_start(entry.device_start);
                const auto end = since_start(entry.device_end);
                const auto& operation = workload_.operations[i];
                writer_.begin_slice(kEngineCategory, device_name(operation),
                                    place(kEnginesPid, engine, start, end), start, end - start);
                writer_.argument(key_of(Field::stream), number(operation.stream));
                writer_.argument(key_of(Field::correlation), std::uint64_t{i});
                writer_.end_event();
            }
            // An engine that did nothing is shown idle.
            lanes_.try_emplace(TrackId{kEnginesPid, engine}, Nesting::forbidden);
            name_lanes(kEnginesPid, engine, to_string(kEngines[engine]));
        }
    }

    void write_host() {
        for (std::size_t i = 0; i < workload_.operations.size(); ++i) {
            const auto& operation = workload_.operations[i];
            const auto start = since_start(timeline_.entries[i].call_start);
            const auto end = since_start(timeline_.entries[i].call_end);
            calls_[i] = place(kHostPid, index(operation.thread), start, end);
            writer_.begin_slice(to_string(Category::cuda_runtime), names_[index(operation.name)],
                                calls_[i], start, end - start);
            writer_.argument(key_of(Field::correlation), std::uint64_t{i});
            writer_.argument(key_of(Field::stream), number(operation.stream));
            writer_.end_event();
        }
        for (std::uint32_t i = 0; i < workload_.threads; ++i) {
            name_lanes(kHostPid, i, fmt::format("host thread {}", i));
        }
    }

    /// Arrows from each call to its work, and from what was waited for to what waited. They follow
    /// their slices, since a reader binds an arrow to a slice that it has seen.
    void write_flows(const std::vector<std::size_t>& order) {
        std::uint64_t id = 0;
        for (const auto i : order) {
            const auto& entry = timeline_.entries[i];
            const ChromeEventWriter::FlowEnd here{slices_[i], since_start(entry.device_start)};
            write_flow(kIssueCategory, "issue", id,
                       {calls_[i], last_within(entry.call_start, entry.call_end, here.time)}, here);
            if (waited_[i]) {
                const auto& other = timeline_.entries[*waited_[i]];
                write_flow(kDependencyCategory, to_string(entry.waited_for), id,
                           {slices_[*waited_[i]],
                            last_within(other.device_start, other.device_end, here.time)},
                           here);
            }
        }
    }

    /// The end of a slice is not part of it; and no arrow points to an earlier time.
    static Duration last_within(TimelineTime start, TimelineTime end, Duration latest) {
        return std::max(since_start(start), std::min(since_start(end) - Duration{1}, latest));
    }

    void write_flow(std::string_view category, std::string_view name, std::uint64_t& id,
                    const ChromeEventWriter::FlowEnd& from, const ChromeEventWriter::FlowEnd& to) {
        if (from.time <= to.time) {
            writer_.flow(category, json_string(name), id++, from, to);
        }
    }

    [[nodiscard]] std::string device_name(const Operation& operation) const {
        return std::visit(
            Overloaded{
                [&](const KernelLaunch& launch) {
                    return names_[index(workload_.kernels[index(launch.kernel)].name)];
                },
                [](const Copy& copy) {
                    return json_string(copy_name({copy.kind, copy.source, copy.destination}));
                },
                [](const Memset&) { return json_string("Memset (Device)"); },
                [&](const auto&) { return names_[index(operation.name)]; }},
            operation.action);
    }

    void write_operation(std::size_t i) {
        const auto& operation = workload_.operations[i];
        const auto& entry = timeline_.entries[i];
        writer_.argument(key_of(Field::device), std::uint32_t{0});
        writer_.argument(key_of(Field::stream), number(operation.stream));
        writer_.argument(key_of(Field::correlation), std::uint64_t{i});
        if (operation.unit) writer_.argument("overcast_unit", number(*operation.unit));
        writer_.raw("overcast_engine", json_string(to_string(entry.engine)));
        writer_.argument(key_of(Field::channel), number(entry.channel));
        write_reason(i);
        writer_.argument("overcast_issued_us", since_start(entry.call_end));
        if (const auto* copy = std::get_if<Copy>(&operation.action)) {
            writer_.argument(key_of(Field::bytes), copy->bytes.count());
        } else if (const auto* memset = std::get_if<Memset>(&operation.action)) {
            writer_.argument(key_of(Field::bytes), memset->bytes.count());
        } else if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
            const auto& shape = workload_.kernels[index(launch->kernel)].shape;
            writer_.raw(key_of(Field::grid), triple(shape.grid));
            writer_.raw(key_of(Field::block), triple(shape.block));
        }
    }

    static std::string triple(const Extent& extent) {
        return fmt::format("[{},{},{}]", extent.x, extent.y, extent.z);
    }

    void name_lanes(std::uint64_t pid, std::uint64_t track, std::string_view name) {
        const auto found = lanes_.find({pid, track});
        if (found == lanes_.end()) return;
        const auto order = static_cast<std::int64_t>(track * 1000);
        writer_.name_thread({pid, track}, name, order);
        for (std::size_t lane = 1; lane < found->second.size(); ++lane) {
            writer_.name_thread({pid, kTidsPerTrack * (track + 1) + lane},
                                fmt::format("{} (lane {})", name, lane + 1),
                                order + static_cast<std::int64_t>(lane));
        }
    }

    void write_process_names() {
        writer_.name_process(kHostPid, "host", 0);
        writer_.name_process(kStreamsPid, fmt::format("streams: {}", labels_.title), 1);
        writer_.name_process(kEnginesPid, fmt::format("engines: {}", labels_.device), 2);
    }

    const Workload& workload_;
    const Timeline& timeline_;
    const TimelineLabels& labels_;
    ChromeEventWriter writer_;
    std::vector<std::string> names_;
    std::vector<std::optional<std::size_t>> waited_;
    std::vector<TrackId> slices_;  ///< where each operation's work lies
    std::vector<TrackId> calls_;   ///< where each operation's call lies
    std::map<TrackId, TrackLanes> lanes_;
};

}  // namespace

void write_chrome_timeline(const Workload& workload, const Timeline& timeline,
                           const TimelineLabels& labels, const std::filesystem::path& file) {
    const auto sink = create_byte_sink(file);
    write_chrome_timeline(workload, timeline, labels, *sink);
}

void write_chrome_timeline(const Workload& workload, const Timeline& timeline,
                           const TimelineLabels& labels, ByteSink& sink) {
    ChromeTimelineWriter{workload, timeline, labels, sink}.write();
    sink.finish();
}

}  // namespace overcast
