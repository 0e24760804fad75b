#include "formats/chrome_trace_writer.hpp"

#include "formats/chrome_event_writer.hpp"
#include "formats/chrome_fields.hpp"
#include "formats/chrome_header.hpp"
#include "formats/chrome_names.hpp"
#include "formats/chrome_tracks.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace overcast {
namespace {

/// The list of the trace that an event comes from. Where two slices cover the same time, the first
/// of these contains the other.
enum class List : std::uint8_t {
    range,
    api_call,
    overhead,
    synchronisation,
    memory,
    recording,
    activity,
};

struct EventReference {
    TraceTime start;
    Duration tie{};  ///< orders equal starts: containing calls first, empty device work first
    std::uint32_t index = 0;
    List list{};
};

bool before(const EventReference& left, const EventReference& right) {
    return std::tie(left.start, left.tie, left.list, left.index) <
           std::tie(right.start, right.tie, right.list, right.index);
}

class ChromeTraceWriter {
public:
    ChromeTraceWriter(const Trace& trace, ByteSink& sink)
        : trace_{trace}, writer_{sink}, tracks_{trace} {
        for (std::size_t i = 0; i < trace.names.size(); ++i) {
            names_.push_back(json_string(trace.names[static_cast<NameId>(i)]));
        }
        for (const auto& device : trace.devices) {
            if (device.multiprocessors) {
                multiprocessors_[number(device.id)] = *device.multiprocessors;
            }
        }
    }

    void write() {
        collect();
        find_base();
        writer_.begin_document();
        writer_.member("overcast", header_json(trace_, base_));
        writer_.member("schemaVersion", "1");
        writer_.member("deviceProperties", device_properties_json(trace_));
        writer_.member("displayTimeUnit", "\"ns\"");
        writer_.member("baseTimeNanoseconds", fmt::format("{}", base_.time_since_epoch().count()));
        writer_.begin_events();
        for (const auto& event : events_) {
            write_event(event);
        }
        tracks_.write_names(writer_);
        writer_.end_document();
    }

private:
    template <typename Records>
    void collect_spans(const Records& records, List list, bool nested) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto duration = records[i].end - records[i].start;
            events_.push_back({records[i].start, nested ? -duration : duration,
                               static_cast<std::uint32_t>(i), list});
        }
    }

    void collect() {
        events_.reserve(trace_.api_calls.size() + trace_.activities.size() +
                        trace_.synchronisations.size() + trace_.event_recordings.size() +
                        trace_.memory_operations.size() + trace_.overheads.size() +
                        trace_.ranges.size());
        collect_spans(trace_.ranges, List::range, true);
        collect_spans(trace_.api_calls, List::api_call, true);
        collect_spans(trace_.overheads, List::overhead, true);
        collect_spans(trace_.synchronisations, List::synchronisation, false);
        collect_spans(trace_.activities, List::activity, false);
        for (std::size_t i = 0; i < trace_.memory_operations.size(); ++i) {
            events_.push_back({trace_.memory_operations[i].time, Duration::zero(),
                               static_cast<std::uint32_t>(i), List::memory});
        }
        collect_recordings();
        std::sort(events_.begin(), events_.end(), before);
    }

    /// A recording has no time of its own where the device's was not taken: it is shown at its
    /// call.
    void collect_recordings() {
        std::unordered_map<std::uint64_t, TraceTime> calls;
        for (const auto& recording : trace_.event_recordings) {
            calls.emplace(number(recording.correlation), TraceTime{});
        }
        for (const auto& call : trace_.api_calls) {
            if (const auto found = calls.find(number(call.correlation)); found != calls.end()) {
                found->second = call.start;
            }
        }
        // The list's order is the order of issue; it is kept where times would change it.
        TraceTime latest = TraceTime::min();
        for (std::size_t i = 0; i < trace_.event_recordings.size(); ++i) {
            latest = std::max(latest, calls.at(number(trace_.event_recordings[i].correlation)));
            events_.push_back(
                {latest, Duration::zero(), static_cast<std::uint32_t>(i), List::recording});
        }
    }

    void find_base() {
        base_ = TraceTime::max();
        for (const auto& event : events_) {
            base_ = std::min(base_, event.start);
        }
        if (events_.empty()) {
            base_ = TraceTime{};
        }
    }

    [[nodiscard]] Duration offset(TraceTime time) const { return time - base_; }

    void write_event(const EventReference& event) {
        switch (event.list) {
            case List::range: write_range(trace_.ranges[event.index]); break;
            case List::api_call: write_api_call(trace_.api_calls[event.index]); break;
            case List::overhead: write_overhead(trace_.overheads[event.index]); break;
            case List::synchronisation:
                write_synchronisation(trace_.synchronisations[event.index]);
                break;
            case List::memory: write_memory(trace_.memory_operations[event.index]); break;
            case List::recording:
                write_recording(trace_.event_recordings[event.index], event.start);
                break;
            case List::activity: write_activity(trace_.activities[event.index]); break;
        }
        writer_.end_event();
    }

    template <typename Value>
    void argument(Field field, Value value) {
        writer_.argument(key_of(field), value);
    }
    template <typename Id>
    void id(Field field, Id value) {
        writer_.argument(key_of(field), number(value));
    }
    template <typename Id>
    void id(Field field, const std::optional<Id>& value) {
        if (value) {
            id(field, *value);
        }
    }
    void time(Field field, const std::optional<TraceTime>& value) {
        if (value) {
            writer_.argument(key_of(field), offset(*value));
        }
    }
    void address(Field field, const std::optional<Address>& value) {
        if (value) {
            writer_.address(key_of(field), number(*value));
        }
    }
    void bytes(Field field, Bytes value) { writer_.argument(key_of(field), value.count()); }
    void extent(Field field, const Extent& value) {
        fmt::basic_memory_buffer<char, 64> text;
        fmt::format_to(std::back_inserter(text), "[{},{},{}]", value.x, value.y, value.z);
        writer_.raw(key_of(field), {text.data(), text.size()});
    }
    void thread_if_moved(ThreadId thread, TrackId track) {
        if (track.tid != number(thread)) {
            id(Field::thread, thread);
        }
    }

    void begin(Category category, std::string_view name, TrackId track, TraceTime start,
               TraceTime end) {
        writer_.begin_slice(to_string(category), name, track, offset(start), end - start);
    }

    void write_range(const NamedRange& range) {
        const auto track = tracks_.host(range.process, range.thread, range.start, range.end);
        begin(Category::user_annotation, names_[index(range.name)], track, range.start, range.end);
        thread_if_moved(range.thread, track);
    }

    void write_api_call(const ApiCall& call) {
        const auto category =
            call.domain == ApiDomain::runtime ? Category::cuda_runtime : Category::cuda_driver;
        const auto track = tracks_.host(call.process, call.thread, call.start, call.end);
        begin(category, names_[index(call.name)], track, call.start, call.end);
        id(Field::correlation, call.correlation);
        if (call.return_value != 0) {
            argument(Field::return_value, call.return_value);
        }
        thread_if_moved(call.thread, track);
    }

    void write_overhead(const Overhead& overhead) {
        begin(Category::overhead, json_string(to_string(overhead.kind)), tracks_.overhead(overhead),
              overhead.start, overhead.end);
        id(Field::thread, overhead.thread);
    }

    void write_synchronisation(const Synchronisation& sync) {
        const auto kind = json_string(to_string(sync.kind));
        begin(Category::cuda_sync, kind,
              tracks_.synchronisation(sync.context, sync.start, sync.end), sync.start, sync.end);
        writer_.raw(key_of(Field::cuda_sync_kind), kind);
        id(Field::device, tracks_.device_of(sync.context));
        id(Field::context, sync.context);
        // PyTorch's tools look for these members, with -1 for "none".
        argument(Field::stream, sync.stream ? std::int64_t{number(*sync.stream)} : -1);
        id(Field::correlation, sync.correlation);
        id(Field::wait_on_cuda_event_id, sync.event);
        id(Field::wait_on_cuda_event_record_corr_id, sync.record_correlation);
        id(Field::event_sync, sync.event_sync);
    }

    void write_recording(const EventRecording& recording, TraceTime shown_at) {
        writer_.begin_instant(to_string(Category::cuda_event), "\"Event Record\"",
                              tracks_.event_recording(recording.context, recording.stream),
                              offset(shown_at));
        id(Field::context, recording.context);
        id(Field::stream, recording.stream);
        id(Field::correlation, recording.correlation);
        id(Field::event_id, recording.event);
        id(Field::event_sync, recording.event_sync);
        time(Field::device_time, recording.device_time);
    }

    void write_memory(const MemoryOperation& operation) {
        writer_.begin_instant(to_string(Category::memory),
                              operation.release ? "\"Release\"" : "\"Allocate\"",
                              tracks_.memory(operation.process), offset(operation.time));
        id(Field::correlation, operation.correlation);
        bytes(Field::bytes, operation.bytes);
        address(Field::address, operation.address);
        writer_.raw(key_of(Field::memory_kind), json_string(to_string(operation.kind)));
        writer_.truth(key_of(Field::asynchronous), operation.asynchronous);
    }

    void write_activity(const DeviceActivity& activity) {
        const auto track =
            tracks_.device(activity.device, activity.stream, activity.start, activity.end);
        std::visit([&](const auto& what) { begin_activity(activity, what, track); }, activity.what);
        id(Field::device, activity.device);
        id(Field::context, activity.context);
        id(Field::stream, activity.stream);
        id(Field::correlation, activity.correlation);
        if (activity.channel) {
            id(Field::channel, activity.channel->id);
            argument(Field::channel_type, channel_type_number(activity.channel->type));
        }
        time(Field::queued, activity.queued);
        time(Field::submitted, activity.submitted);
        id(Field::graph_id, activity.graph);
        id(Field::graph_node_id, activity.graph_node);
        std::visit([&](const auto& what) { write_what(activity, what); }, activity.what);
    }

    void begin_activity(const DeviceActivity& activity, const TracedKernel& kernel, TrackId track) {
        begin(Category::kernel, names_[index(kernel.name)], track, activity.start, activity.end);
    }
    void begin_activity(const DeviceActivity& activity, const TracedCopy& copy, TrackId track) {
        const auto name = json_string(copy_name({copy.kind, copy.source, copy.destination}));
        begin(Category::gpu_memcpy, name, track, activity.start, activity.end);
    }
    void begin_activity(const DeviceActivity& activity, const TracedMemset&, TrackId track) {
        begin(Category::gpu_memset, "\"Memset (Device)\"", track, activity.start, activity.end);
    }

    void write_what(const DeviceActivity& activity, const TracedKernel& kernel) {
        const auto& shape = kernel.shape;
        argument(Field::registers_per_thread, shape.registers_per_thread);
        bytes(Field::shared_memory, shape.static_shared_memory + shape.dynamic_shared_memory);
        if (const auto found = multiprocessors_.find(number(activity.device));
            found != multiprocessors_.end()) {
            const auto blocks = static_cast<double>(shape.grid.count()) / found->second;
            const auto warps = blocks * static_cast<double>((shape.block.count() + 31) / 32);
            writer_.raw("blocks per SM", fmt::format("{:.6g}", blocks));
            writer_.raw("warps per SM", fmt::format("{:.6g}", warps));
        }
        extent(Field::grid, shape.grid);
        extent(Field::block, shape.block);
        if (shape.cluster != Extent{}) {
            extent(Field::cluster, shape.cluster);
        }
        bytes(Field::static_shared_memory, shape.static_shared_memory);
        bytes(Field::dynamic_shared_memory, shape.dynamic_shared_memory);
        bytes(Field::executed_shared_memory, shape.executed_shared_memory);
    }

    void write_what(const DeviceActivity& activity, const TracedCopy& copy) {
        bytes(Field::bytes, copy.bytes);
        write_bandwidth(activity, copy.bytes);
        writer_.truth(key_of(Field::asynchronous), copy.asynchronous);
        address(Field::source_address, copy.source_address);
        address(Field::destination_address, copy.destination_address);
    }

    void write_what(const DeviceActivity& activity, const TracedMemset& memset) {
        bytes(Field::bytes, memset.bytes);
        write_bandwidth(activity, memset.bytes);
        writer_.truth(key_of(Field::asynchronous), memset.asynchronous);
        argument(Field::memset_value, memset.value);
        address(Field::address, memset.address);
    }

    void write_bandwidth(const DeviceActivity& activity, Bytes amount) {
        const auto duration = activity.end - activity.start;
        if (duration > Duration::zero()) {
            const auto rate =
                static_cast<double>(amount.count()) / static_cast<double>(duration.count());
            writer_.raw("memory bandwidth (GB/s)", fmt::format("{:.6g}", rate));
        }
    }

    const Trace& trace_;
    ChromeEventWriter writer_;
    ChromeTracks tracks_;
    std::vector<std::string> names_;
    std::unordered_map<std::uint32_t, std::uint32_t> multiprocessors_;
    std::vector<EventReference> events_;
    TraceTime base_;
};

}  // namespace

void write_chrome_trace(const Trace& trace, const std::filesystem::path& file) {
    const auto sink = create_byte_sink(file);
    write_chrome_trace(trace, *sink);
}

void write_chrome_trace(const Trace& trace, ByteSink& sink) {
    ChromeTraceWriter{trace, sink}.write();
    sink.finish();
}

}  // namespace overcast
