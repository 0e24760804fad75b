#include "core/waited_operations.hpp"

#include "tests/support/workload_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using test::WorkloadBuilder;
using ::testing::ElementsAre;
using namespace test;
using namespace std::chrono_literals;

constexpr std::nullopt_t kNothing = std::nullopt;

/// When an operation ran, where, and why not earlier.
struct Ran {
    Duration start{};
    Duration end{};
    Engine engine = Engine::h2d;
    WaitReason reason = WaitReason::none;
    std::uint32_t channel = 0;
};

TimelineEntry entry(const Ran& ran) {
    TimelineEntry result;
    result.device_start = TimelineTime{ran.start};
    result.device_end = TimelineTime{ran.end};
    result.engine = ran.engine;
    result.waited_for = ran.reason;
    result.channel = ChannelId{ran.channel};
    result.on_device = true;
    return result;
}

Timeline timeline(std::initializer_list<TimelineEntry> entries) {
    Timeline result;
    result.entries = entries;
    return result;
}

TEST(WaitedOperations, names_the_one_before_in_the_stream) {
    WorkloadBuilder program;
    program.on(0).h2d(1_B).on(1).h2d(1_B).on(0).d2h(1_B);
    EXPECT_THAT(
        waited_operations(program.workload(),
                          timeline({entry({0ns, 10ns}), entry({10ns, 20ns}),
                                    entry({10ns, 20ns, Engine::d2h, WaitReason::stream_order})})),
        ElementsAre(kNothing, kNothing, 0U));
}

TEST(WaitedOperations, names_the_last_one_before_the_recorded_event) {
    WorkloadBuilder program;
    program.on(0).h2d(1_B).h2d(1_B).record().h2d(1_B).on(1).wait_for(0).d2h(1_B);
    const TimelineEntry host_only;
    EXPECT_THAT(waited_operations(program.workload(),
                                  timeline({entry({0ns, 10ns}), entry({10ns, 20ns}), host_only,
                                            entry({20ns, 30ns}), host_only,
                                            entry({20ns, 30ns, Engine::d2h, WaitReason::event})})),
                ElementsAre(kNothing, kNothing, kNothing, kNothing, kNothing, 1U));
}

TEST(WaitedOperations, names_the_last_to_end_on_the_other_side_of_the_default_stream) {
    WorkloadBuilder program{3, StreamKind::blocking};
    program.stream_kind(0, StreamKind::legacy_default);
    program.on(1).h2d(1_B).on(2).d2h(1_B).on(0).h2d(1_B);
    EXPECT_THAT(
        waited_operations(program.workload(),
                          timeline({entry({0ns, 30ns}), entry({0ns, 20ns, Engine::d2h}),
                                    entry({30ns, 40ns, Engine::h2d, WaitReason::default_stream})})),
        ElementsAre(kNothing, kNothing, 0U));
}

TEST(WaitedOperations, names_the_one_before_in_the_channel) {
    WorkloadBuilder program;
    program.on(0).h2d(1_B).on(1).h2d(1_B).on(2).h2d(1_B);
    EXPECT_THAT(
        waited_operations(program.workload(),
                          timeline({entry({0ns, 10ns, Engine::h2d, WaitReason::none, 5}),
                                    entry({10ns, 20ns, Engine::h2d, WaitReason::none, 6}),
                                    entry({20ns, 30ns, Engine::h2d, WaitReason::channel, 5})})),
        ElementsAre(kNothing, kNothing, 0U));
}

TEST(WaitedOperations, names_the_copy_that_ended_last_before_it) {
    WorkloadBuilder program;
    program.on(0).h2d(1_B).on(1).h2d(1_B).on(2).h2d(1_B);
    // The third was served second.
    EXPECT_THAT(
        waited_operations(
            program.workload(),
            timeline({entry({0ns, 10ns}), entry({20ns, 30ns, Engine::h2d, WaitReason::copy_engine}),
                      entry({10ns, 20ns, Engine::h2d, WaitReason::copy_engine})})),
        ElementsAre(kNothing, 2U, 0U));
}

TEST(WaitedOperations, names_the_kernel_whose_blocks_came_first) {
    WorkloadBuilder program;
    program.on(0).kernel(1, 10ns).on(1).kernel(1, 10ns).on(2).kernel(1, 10ns);
    EXPECT_THAT(
        waited_operations(program.workload(),
                          timeline({entry({0ns, 50ns, Engine::sm}), entry({5ns, 40ns, Engine::sm}),
                                    entry({30ns, 60ns, Engine::sm, WaitReason::sm_room})})),
        ElementsAre(kNothing, kNothing, 1U));
}

TEST(WaitedOperations, knows_nothing_of_a_measured_wait) {
    WorkloadBuilder program;
    program.on(0).h2d(1_B).d2h(1_B);
    EXPECT_THAT(
        waited_operations(
            program.workload(),
            timeline({entry({0ns, 10ns}), entry({10ns, 20ns, Engine::d2h, WaitReason::unknown})})),
        ElementsAre(kNothing, kNothing));
}

}  // namespace
}  // namespace overcast
