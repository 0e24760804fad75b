#include "formats/chrome_timeline_writer.hpp"

#include "tests/support/chrome_timeline_rules.hpp"
#include "tests/support/workload_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace overcast {
namespace {

using test::ChromeTimelineRules;
using test::WorkloadBuilder;
using namespace test;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::IsEmpty;
using Json = nlohmann::json;

TimelineEntry entry(Duration call, Duration start, Duration end, Engine engine = Engine::h2d,
                    WaitReason reason = WaitReason::none) {
    TimelineEntry result;
    result.call_start = TimelineTime{call};
    result.call_end = TimelineTime{call + 10ns};
    result.device_start = TimelineTime{start};
    result.device_end = TimelineTime{end};
    result.engine = engine;
    result.waited_for = reason;
    result.on_device = true;
    return result;
}

struct Sample {
    Workload workload;
    Timeline timeline;
};

/// A copy, a kernel behind it, a copy of another stream that waits for the engine, and one of no
/// length.
Sample sample() {
    WorkloadBuilder program{2};
    program.on(0).h2d(1_MiB).kernel(132, 1us).on(1).h2d(1_MiB).d2h(0_B);
    Sample result{program.workload(), {}};
    result.timeline.entries = {
        entry(0ns, 10ns, 1'000ns),
        entry(10ns, 1'000ns, 2'000ns, Engine::sm, WaitReason::stream_order),
        entry(20ns, 1'000ns, 1'800ns, Engine::h2d, WaitReason::copy_engine),
        entry(30ns, 1'800ns, 1'800ns, Engine::d2h, WaitReason::stream_order),
    };
    result.timeline.wall = 2'000ns;
    return result;
}

std::string written(const Sample& sample, const TimelineLabels& labels = {"title", "GPU", "how"}) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_timeline(sample.workload, sample.timeline, labels, sink);
    return text.str();
}

/// The operations at both ends of each dependency arrow, found as a viewer does: by the slice of a
/// stream that holds the end.
std::vector<std::string> dependency_arrows(const std::string& text) {
    const auto events = Json::parse(text).at("traceEvents");
    const auto operation_at = [&](const Json& end) {
        for (const auto& slice : events) {
            const auto time = end.at("ts").get<double>();
            if (slice.at("ph") == "X" && slice.at("pid") == end.at("pid") &&
                slice.at("tid") == end.at("tid") && slice.at("ts").get<double>() <= time &&
                (time < slice.at("ts").get<double>() + slice.at("dur").get<double>() ||
                 time == slice.at("ts").get<double>()) &&
                slice.at("cat") != "overcast_wait") {
                return slice.at("args").at("correlation").get<int>();
            }
        }
        return -1;
    };
    std::map<int, int> from;
    std::vector<std::string> arrows;
    for (const auto& event : events) {
        if (event.value("cat", "") != "overcast_dependency") continue;
        const auto id = event.at("id").get<int>();
        if (event.at("ph") == "s") {
            from[id] = operation_at(event);
        } else {
            arrows.push_back(fmt::format("{} -> {}: {}", from.at(id), operation_at(event),
                                         event.at("name").get<std::string>()));
        }
    }
    return arrows;
}

TEST(ChromeTimelineWriter, keeps_the_rules_of_the_format) {
    EXPECT_THAT(ChromeTimelineRules::broken_by(written(sample())), IsEmpty());
}

TEST(ChromeTimelineWriter, draws_an_arrow_from_what_was_waited_for) {
    EXPECT_THAT(dependency_arrows(written(sample())),
                ::testing::UnorderedElementsAre("0 -> 1: stream order", "0 -> 2: copy engine",
                                                "2 -> 3: stream order"));
}

TEST(ChromeTimelineWriter, draws_an_arrow_from_each_call_to_its_work) {
    const auto events = Json::parse(written(sample())).at("traceEvents");
    std::size_t starts = 0;
    for (const auto& event : events) {
        starts += event.at("ph") == "s" && event.at("cat") == "overcast_issue" ? 1U : 0U;
    }
    EXPECT_EQ(starts, 4U);
}

TEST(ChromeTimelineWriter, names_the_operation_in_the_arguments) {
    const auto events = Json::parse(written(sample())).at("traceEvents");
    std::vector<int> named;
    for (const auto& event : events) {
        if (event.value("cat", "") == "kernel") {
            EXPECT_EQ(event.at("args").at("overcast_waited_for"), "stream order");
            named.push_back(event.at("args").at("overcast_waited_for_operation").get<int>());
        }
    }
    EXPECT_THAT(named, ::testing::ElementsAre(0));
}

TEST(ChromeTimelineWriter, writes_hostile_names_as_valid_text) {
    auto hostile = sample();
    const auto name = hostile.workload.names.intern("<script>\"\\\xff\xc0\n\x01</script>");
    hostile.workload.kernels.front().name = name;
    hostile.workload.operations.front().name = name;
    const auto text = written(hostile, {"\"}]\xfe", "\xed\xa0\x80", "\n"});
    EXPECT_THAT(ChromeTimelineRules::broken_by(text), IsEmpty());
    EXPECT_NE(text.find(R"(<script>\"\\)"), std::string::npos);
}

TEST(ChromeTimelineWriter, draws_no_arrow_back_in_time) {
    // Recorded clocks may disagree: the work of operation 1 begins before its call.
    auto skewed = sample();
    skewed.timeline.entries[1].call_start = TimelineTime{1'500ns};
    skewed.timeline.entries[1].call_end = TimelineTime{1'510ns};
    EXPECT_THAT(ChromeTimelineRules::broken_by(written(skewed)), IsEmpty());
}

TEST(ChromeTimelineRules, see_what_is_broken) {
    auto broken = Json::parse(written(sample()));
    for (auto& event : broken.at("traceEvents")) {
        if (event.at("ph") == "f" && event.at("id") == 0) event["ts"] = 1e6;
        if (event.at("ph") == "f" && event.at("id") == 1) event["id"] = 77;
        if (event.at("ph") == "M" && event.at("tid") == 1) event["name"] = "other";
    }
    const auto found = ChromeTimelineRules::broken_by(broken.dump());
    EXPECT_THAT(found, Contains("flow 0 hangs in the air"));
    EXPECT_THAT(found, Contains("flow 1 has no end"));
    EXPECT_THAT(found, Contains("flow 77 has no start before its end"));
    EXPECT_THAT(found, Contains("track 0/1 has no name"));
    EXPECT_THAT(ChromeTimelineRules::broken_by("{"), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace overcast
