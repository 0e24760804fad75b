// What viewers need of the written text: slices of one track that do not overlap, tracks with
// names.
#include "formats/chrome_timeline_writer.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/trace_samples_test.hpp"
#include "formats/track_lanes.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace overcast {
namespace {

using Json = nlohmann::json;
using Track = std::pair<std::int64_t, std::int64_t>;

struct Slice {
    std::int64_t start = 0;  // ns
    std::int64_t end = 0;
    std::string name;
};

std::int64_t nanoseconds(const Json& microseconds) {
    return std::llround(microseconds.get<double>() * 1e3);
}

Track track_of(const Json& event) {
    return {event.at("pid").get<std::int64_t>(), event.at("tid").get<std::int64_t>()};
}

std::map<Track, std::vector<Slice>> slices_of(const Json& document) {
    std::map<Track, std::vector<Slice>> tracks;
    for (const auto& event : document.at("traceEvents")) {
        if (event.at("ph") == "X") {
            const auto start = nanoseconds(event.at("ts"));
            tracks[track_of(event)].push_back(
                {start, start + nanoseconds(event.at("dur")), event.at("name")});
        }
    }
    return tracks;
}

std::map<Track, std::string> names_of(const Json& document, const std::string& what) {
    std::map<Track, std::string> names;
    for (const auto& event : document.at("traceEvents")) {
        if (event.at("ph") == "M" && event.at("name") == what) {
            names[track_of(event)] = event.at("args").at("name");
        }
    }
    return names;
}

/// Two slices of a track are apart, or (where allowed) one lies inside the other.
void expect_no_overlap(const std::map<Track, std::vector<Slice>>& tracks, bool nesting_allowed) {
    for (const auto& [track, slices] : tracks) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            for (std::size_t j = i + 1; j < slices.size(); ++j) {
                const auto& a = slices[i];
                const auto& b = slices[j];
                const bool apart = a.end <= b.start || b.end <= a.start;
                const bool nested = (a.start <= b.start && b.end <= a.end) ||
                                    (b.start <= a.start && a.end <= b.end);
                EXPECT_TRUE(apart || (nesting_allowed && nested))
                    << a.name << " and " << b.name << " on track " << track.first << "/"
                    << track.second;
            }
        }
    }
}

std::string text_of(const Trace& trace) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_trace(trace, sink);
    return text.str();
}

Json written(const Trace& trace) { return Json::parse(text_of(trace)); }

TEST(TrackLanes, slices_that_touch_share_a_lane) {
    TrackLanes lanes{Nesting::forbidden};
    EXPECT_EQ(lanes.place(Duration{0}, Duration{10}), 0U);
    EXPECT_EQ(lanes.place(Duration{10}, Duration{20}), 0U);
}

TEST(TrackLanes, slices_that_overlap_take_the_lowest_free_lane) {
    TrackLanes lanes{Nesting::forbidden};
    EXPECT_EQ(lanes.place(Duration{0}, Duration{10}), 0U);
    EXPECT_EQ(lanes.place(Duration{2}, Duration{5}), 1U);
    EXPECT_EQ(lanes.place(Duration{5}, Duration{20}), 1U);
    EXPECT_EQ(lanes.place(Duration{10}, Duration{11}), 0U);
    EXPECT_EQ(lanes.size(), 2U);
}

TEST(TrackLanes, calls_nest_only_where_they_lie_wholly_inside) {
    TrackLanes lanes{Nesting::allowed};
    EXPECT_EQ(lanes.place(Duration{0}, Duration{10}), 0U);
    EXPECT_EQ(lanes.place(Duration{0}, Duration{8}), 0U);
    EXPECT_EQ(lanes.place(Duration{5}, Duration{9}), 1U);  // crosses the end of the second
    EXPECT_EQ(lanes.place(Duration{9}, Duration{10}), 0U);
}

TEST(WrittenTrace, no_two_slices_of_one_track_overlap_unless_nested) {
    expect_no_overlap(slices_of(written(trace_with_every_record())), true);
}

TEST(WrittenTrace, device_tracks_hold_one_slice_at_a_time) {
    auto tracks = slices_of(written(trace_with_every_record()));
    std::erase_if(tracks, [](const auto& track) { return track.first.first == 4711; });
    EXPECT_GE(tracks.size(), 4U);
    expect_no_overlap(tracks, false);
}

TEST(WrittenTrace, every_track_with_slices_has_a_name) {
    const auto document = written(trace_with_every_record());
    const auto names = names_of(document, "thread_name");
    for (const auto& [track, slices] : slices_of(document)) {
        EXPECT_TRUE(names.contains(track)) << slices.front().name;
    }
    EXPECT_EQ(names.at({0, 13}), "stream 13");
    EXPECT_EQ(names.at({4711, 4711}), "thread 4711");
    EXPECT_EQ(names_of(document, "process_name").at({0, 0}), "GPU 0: NVIDIA H200");
}

TEST(WrittenTrace, uses_the_names_of_pytorch) {
    const auto document = written(trace_with_every_record());
    const auto& events = document.at("traceEvents");
    const auto kernel = std::find_if(events.begin(), events.end(), [](const Json& event) {
        return event.value("cat", "") == "kernel";
    });
    ASSERT_NE(kernel, events.end());
    const auto& args = kernel->at("args");
    EXPECT_EQ(args.at("device"), 0);
    EXPECT_EQ(args.at("context"), 1);
    EXPECT_EQ(args.at("stream"), 13);
    EXPECT_EQ(args.at("correlation"), 4);
    EXPECT_EQ(args.at("registers per thread"), 255);
    EXPECT_EQ(args.at("shared memory"), 1024 + 65'536);
    EXPECT_EQ(args.at("grid"), Json::array({2'147'483'647, 65'535, 3}));
    EXPECT_EQ(args.at("block"), Json::array({256, 2, 1}));
    EXPECT_EQ(args.at("channel"), 9);
    EXPECT_EQ(args.at("channel_type"), 1);
}

TEST(WrittenTrace, starts_with_overcasts_own_object) {
    const auto document = nlohmann::ordered_json::parse(text_of(trace_with_every_record()));
    EXPECT_EQ(document.begin().key(), "overcast");
    EXPECT_EQ(document.begin()->at("schema_version"), 1);
    EXPECT_EQ(document.begin()->at("kind"), "trace");
    EXPECT_EQ(document.begin()->at("device"), "NVIDIA H200");
}

TEST(WrittenTrace, a_process_with_the_number_of_a_device_keeps_a_track_of_its_own) {
    Trace trace;
    trace.api_calls.push_back({TraceTime{Duration{0}}, TraceTime{Duration{10}}, CorrelationId{1},
                               trace.names.intern("cudaLaunchKernel"), ProcessId{1}, ThreadId{7}, 0,
                               ApiDomain::runtime});
    DeviceActivity activity;
    activity.start = TraceTime{Duration{5}};
    activity.end = TraceTime{Duration{15}};
    activity.device = DeviceId{1};
    activity.stream = StreamId{7};
    activity.what = TracedKernel{trace.names.intern("k"), {}};
    trace.activities.push_back(activity);
    EXPECT_EQ(slices_of(written(trace)).size(), 2U);
}

/// Two streams: on each a copy in, a kernel and a copy out; the second kernel runs beside the
/// first.
struct Played {
    Workload workload;
    Timeline timeline;
};

Played two_streams() {
    Played played;
    auto& workload = played.workload;
    const auto copy_call = workload.names.intern("cudaMemcpyAsync");
    const auto launch_call = workload.names.intern("cudaLaunchKernel");
    const auto wait_call = workload.names.intern("cudaDeviceSynchronize");
    workload.kernels = {{workload.names.intern("scale"), {}}};
    workload.streams.resize(2);
    const auto add = [&](NameId name, std::uint32_t stream, Action action, TimelineEntry entry) {
        Operation operation;
        operation.name = name;
        operation.stream = static_cast<StreamIndex>(stream);
        operation.unit = static_cast<UnitIndex>(stream);
        operation.action = std::move(action);
        workload.operations.push_back(std::move(operation));
        played.timeline.entries.push_back(entry);
    };
    const auto entry = [](std::int64_t call, std::int64_t start, std::int64_t end, Engine engine,
                          WaitReason reason) {
        return TimelineEntry{.call_start = TimelineTime{Duration{call}},
                             .call_end = TimelineTime{Duration{call + 10}},
                             .device_start = TimelineTime{Duration{start}},
                             .device_end = TimelineTime{Duration{end}},
                             .channel = ChannelId{1},
                             .engine = engine,
                             .waited_for = reason,
                             .on_device = true};
    };
    Copy in;
    in.kind = CopyKind::host_to_device;
    in.source = MemoryKind::pinned;
    in.destination = MemoryKind::device;
    in.bytes = Bytes{100};
    for (std::uint32_t stream = 0; stream < 2; ++stream) {
        const auto call = std::int64_t{stream} * 20;
        const auto start = std::int64_t{stream} * 100;
        add(copy_call, stream, in,
            entry(call, 15 + start, 115 + start, Engine::h2d,
                  stream == 0 ? WaitReason::none : WaitReason::copy_engine));
        add(launch_call, stream, KernelLaunch{},
            entry(call + 10, 120 + start, 420 + start, Engine::sm, WaitReason::stream_order));
    }
    add(wait_call, 0, SynchroniseDevice{},
        {.call_start = TimelineTime{Duration{40}},
         .call_end = TimelineTime{Duration{530}},
         .device_start = {},
         .device_end = {},
         .engine = Engine::host});
    played.timeline.wall = Duration{530};
    played.timeline.device = Duration{505};
    return played;
}

Json written(const Played& played) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_timeline(played.workload, played.timeline,
                          {.title = "predicted: 2 streams",
                           .device = "NVIDIA H200",
                           .configuration = "distribute, depth"},
                          sink);
    return Json::parse(text.str());
}

TEST(WrittenTimeline, has_a_track_for_each_stream_engine_and_thread) {
    const auto document = written(two_streams());
    std::set<std::string> names;
    for (const auto& [track, name] : names_of(document, "thread_name")) names.insert(name);
    EXPECT_EQ(names, (std::set<std::string>{"stream 0", "stream 1", "h2d", "sm", "sm (lane 2)",
                                            "d2h", "host thread 0"}));
    EXPECT_EQ(document.at("overcast").at("kind"), "timeline");
    EXPECT_EQ(document.at("overcast").at("wall_ns"), 530);
    EXPECT_EQ(document.at("overcast").at("configuration"), "distribute, depth");
}

TEST(WrittenTimeline, no_two_slices_of_one_track_overlap) {
    expect_no_overlap(slices_of(written(two_streams())), false);
}

TEST(WrittenTimeline, a_wait_reaches_from_the_call_or_the_end_before_it_to_the_start) {
    const auto tracks = slices_of(written(two_streams()));
    const auto& stream = tracks.at({0, 1});
    ASSERT_EQ(stream.size(), 4U);
    // The copy was issued at 30 (20 + 10) and starts at 115, when the first one has ended.
    EXPECT_EQ(stream[0].name, "wait: copy engine");
    EXPECT_EQ(stream[0].start, 30);
    EXPECT_EQ(stream[0].end, 115);
    EXPECT_EQ(stream[1].name, "Memcpy HtoD (Pinned -> Device)");
    // The kernel was issued long before; its stream was idle from 215 to 220.
    EXPECT_EQ(stream[2].name, "wait: stream order");
    EXPECT_EQ(stream[2].start, 215);
    EXPECT_EQ(stream[2].end, 220);
    EXPECT_EQ(stream[3].name, "scale");
    EXPECT_EQ(stream[3].end, 520);
}

TEST(WrittenTimeline, of_another_workload_is_refused) {
    auto played = two_streams();
    played.timeline.entries.pop_back();
    EXPECT_ANY_THROW(written(played));
}

}  // namespace
}  // namespace overcast
