#include "forecast/critical_path.hpp"

#include "simulator/simulator.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

std::vector<PathStretch> path_of(const Workload& workload, const DeviceModel& model) {
    return critical_path(workload, simulate(workload, model));
}

/// "operation kind length": one line for each stretch.
std::vector<std::string> in_words(const std::vector<PathStretch>& path) {
    constexpr std::array kKinds{"device", "gap", "call", "host", "wake-up"};
    std::vector<std::string> words;
    for (const auto& stretch : path) {
        words.push_back(std::to_string(stretch.operation) + ' ' +
                        kKinds[static_cast<std::size_t>(stretch.kind)] + ' ' +
                        std::to_string((stretch.end - stretch.begin) / 1us) + " us");
    }
    return words;
}

TEST(CriticalPath, runs_through_the_engine_that_is_always_busy) {
    // Two streams of (H2D 1000 us, kernel 100 us): the second H2D waits for the first, and only the
    // second kernel is on the path.
    WorkloadBuilder program{2};
    program.on(0).h2d(Bytes{1'000'000}).kernel(1, 100us);
    program.on(1).h2d(Bytes{1'000'000}).kernel(1, 100us);
    const auto path = path_of(program.workload(), round_model());
    EXPECT_EQ(in_words(path), (std::vector<std::string>{"0 device 1000 us", "2 device 1000 us",
                                                        "3 device 100 us"}));
    EXPECT_EQ(path[1].reason, WaitReason::copy_engine);
    EXPECT_EQ(path[1].waited_for, 0U);
    EXPECT_EQ(path[2].reason, WaitReason::stream_order);
}

TEST(CriticalPath, follows_an_event_to_the_stream_that_recorded_it) {
    WorkloadBuilder program{2};
    program.on(0).kernel(1, 300us).record();
    program.on(1).h2d(Bytes{100'000}).wait_for(0).kernel(1, 50us);
    EXPECT_EQ(in_words(path_of(program.workload(), round_model())),
              (std::vector<std::string>{"0 device 300 us", "4 device 50 us"}));
}

TEST(CriticalPath, holds_the_host_where_it_is_the_limit) {
    // Calls of 10 us, kernels of 1 us: the path is calls, and the last kernel.
    WorkloadBuilder program{1};
    program.calls_take(10us).kernel(1, 1us).kernel(1, 1us).host_works(5us).kernel(1, 1us);
    EXPECT_EQ(in_words(path_of(program.workload(), round_model())),
              (std::vector<std::string>{"0 call 10 us", "1 call 10 us", "2 host 5 us",
                                        "2 call 10 us", "2 device 1 us"}));
}

TEST(CriticalPath, goes_through_a_wait_of_the_host) {
    auto model = round_model();
    model.host.synchronise_wake_up = 7us;
    WorkloadBuilder program{2};
    program.on(0).kernel(1, 100us).synchronise(0).on(1).kernel(1, 40us);
    EXPECT_EQ(in_words(path_of(program.workload(), model)),
              (std::vector<std::string>{"0 device 100 us", "1 wake-up 7 us", "2 device 40 us"}));
}

TEST(CriticalPath, names_the_kernel_that_made_room) {
    // Blocks of 1024 threads, 2 SMs of two each: four blocks fill the device.
    WorkloadBuilder program{2};
    program.on(0).kernel(4, 100us).on(1).kernel(4, 100us);
    const auto path = path_of(program.workload(), round_model());
    EXPECT_EQ(in_words(path), (std::vector<std::string>{"0 device 100 us", "1 device 100 us"}));
    EXPECT_EQ(path[1].reason, WaitReason::sm_room);
}

TEST(CriticalPath, of_any_program_is_as_long_as_its_wall_time_and_has_no_holes) {
    std::mt19937 random{20'260'101};
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    auto model = round_model();
    model.host.copy_start_latency = 2us;
    model.host.kernel_start_latency = 3us;
    model.host.synchronise_wake_up = 4us;
    model.gaps.event = 1us;
    model.channels.queue_depth = 6;
    for (int round = 0; round < 300; ++round) {
        WorkloadBuilder program{3,
                                round % 2 == 0 ? StreamKind::blocking : StreamKind::non_blocking};
        if (round % 4 == 0) {
            program.stream_kind(0, StreamKind::legacy_default);
        }
        program.max_connections(1 + below(4));
        std::uint32_t events = 0;
        for (int i = 0; i < 40; ++i) {
            program.on(below(3)).calls_take(Duration{below(3000)}).host_works(Duration{below(900)});
            switch (below(9)) {
                case 0: program.h2d(Bytes{below(90'000) + 1}); break;
                case 1: program.d2h(Bytes{below(90'000) + 1}); break;
                case 2: program.h2d(Bytes{below(90'000) + 1}, MemoryKind::pageable); break;
                case 3: program.record(), ++events; break;
                case 4:
                    events > 0 ? program.wait_for(below(events)) : program.record();
                    events = std::max(events, 1U);
                    break;
                case 5: program.synchronise(below(3)); break;
                case 6:
                    below(3) == 0 ? program.synchronise_device() : program.release_memory();
                    break;
                default: program.kernel(1 + below(9), Duration{1000 + below(90'000)}); break;
            }
        }
        const auto timeline = simulate(program.workload(), model);
        const auto path = critical_path(program.workload(), timeline);
        ASSERT_FALSE(path.empty()) << "round " << round;
        EXPECT_EQ(path.front().begin, TimelineTime{}) << "round " << round;
        EXPECT_EQ(path.back().end, TimelineTime{timeline.wall}) << "round " << round;
        for (std::size_t i = 1; i < path.size(); ++i) {
            EXPECT_EQ(path[i].begin, path[i - 1].end) << "round " << round << ", stretch " << i;
        }
    }
}

}  // namespace
}  // namespace overcast
