// What holds for every workload, checked on seeded random ones. A failure prints its seed.

#include "model/transfer_model.hpp"
#include "simulator/simulator.hpp"
#include "tests/support/counters.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

constexpr std::uint32_t kSeeds = 150;

/// A random program on 1 to 8 streams; every event is recorded before it is waited for.
Workload random_program(std::uint32_t seed) {
    std::mt19937 random{seed};
    const auto below = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    const auto streams = 1 + below(8);
    WorkloadBuilder program{streams,
                            below(2) == 0 ? StreamKind::blocking : StreamKind::non_blocking};
    if (below(3) == 0) {
        program.stream_kind(0, StreamKind::legacy_default);
    }
    if (below(3) == 0) {
        program.max_connections(1 + below(4));
    }
    program.calls_take(Duration{below(5000)});
    std::uint32_t events = 0;
    const auto steps = 20 + below(80);
    for (std::uint32_t step = 0; step < steps; ++step) {
        program.on(below(streams)).host_works(Duration{below(2000)});
        const auto host = below(5) == 0 ? MemoryKind::pageable : MemoryKind::pinned;
        switch (below(9)) {
            case 0:
            case 1: program.h2d(Bytes{1 + below(4 << 20)}, host, below(4) != 0); break;
            case 2:
            case 3: program.d2h(Bytes{1 + below(4 << 20)}, host, below(4) != 0); break;
            case 4:
            case 5:
                program.kernel(1 + below(3000), Duration{1000 + below(200'000)},
                               32 * (1 + below(32)), Bytes{below(60'000)});
                break;
            case 6:
                program.record();
                ++events;
                break;
            case 7:
                if (events > 0) {
                    program.wait_for(below(events));
                }
                break;
            default:
                below(2) == 0 ? program.memset(Bytes{1 + below(1 << 20)})
                              : program.d2d(Bytes{1 + below(1 << 20)});
        }
    }
    for (std::uint32_t stream = 0; stream < streams; ++stream) {
        program.synchronise(stream);
    }
    return program.workload();
}

/// The same, whose kernels have counters that say what they use of an SM and of the memory: some
/// calculate, some wait for loads, some do both, some never wait, and some are of clusters.
Workload counted_program(std::uint32_t seed) {
    auto workload = random_program(seed);
    std::mt19937 random{seed};
    const auto share = [&] { return static_cast<double>(random() % 1000) / 1000; };
    for (auto& kernel : workload.kernels) {
        const auto loads = random() % 3 > 0 ? share() : 0;
        const auto calculates = random() % 3 > 0 ? share() : 0.01;
        if (random() % 2 == 0) {  // few of them fill an SM
            kernel.shape.block.x = 512 + 32 * static_cast<std::uint32_t>(random() % 17);
            kernel.shape.dynamic_shared_memory = {};
        }
        if (random() % 3 == 0) {
            kernel.shape.cluster.x = 4U << random() % 3;
        }
        const auto dependent = random() % 2 == 0 ? 0.06 : share();
        kernel.counters = counters({{KernelCounter::warps_per_sm, 4 + 60 * share()},
                                    {KernelCounter::sm_active, 0.5 + share() / 2},
                                    {KernelCounter::duration_ns, 1'000 + 100'000 * share()},
                                    {KernelCounter::issue_slots, calculates},
                                    {KernelCounter::fma_pipe, calculates * share()},
                                    {KernelCounter::xu_pipe, calculates * share()},
                                    {KernelCounter::l2_requests, loads},
                                    {KernelCounter::l2, loads},
                                    {KernelCounter::l2_replies, loads * share()},
                                    {KernelCounter::l2_hit_rate, share()},
                                    {KernelCounter::dram, loads * share()},
                                    {KernelCounter::stalled_by_other_warp, 4 * share()},
                                    {KernelCounter::stalled_by_dependency, dependent},
                                    {KernelCounter::stalled_by_branch, 0.04},
                                    {KernelCounter::stalled_by_global_queue, 20 * share()}});
    }
    return workload;
}

class SimulatorProperty : public ::testing::TestWithParam<std::uint32_t> {
protected:
    Workload workload = random_program(GetParam());
    DeviceModel model = load_device_model("nvidia-h200");
    Timeline timeline = simulate(workload, model);
};

TEST_P(SimulatorProperty, operations_of_one_stream_never_overlap) {
    std::map<StreamIndex, TimelineTime> free;
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& entry = timeline.entries[i];
        if (entry.on_device) {
            auto& from = free[workload.operations[i].stream];
            EXPECT_GE(entry.device_start, from) << "operation " << i;
            EXPECT_GE(entry.device_end, entry.device_start) << "operation " << i;
            from = entry.device_end;
        }
    }
}

TEST_P(SimulatorProperty, a_copy_engine_never_holds_two_copies) {
    for (const auto engine : {Engine::h2d, Engine::d2h}) {
        std::vector<std::pair<TimelineTime, TimelineTime>> held;
        for (const auto& entry : timeline.entries) {
            if (entry.on_device && entry.engine == engine) {
                held.emplace_back(entry.device_start, entry.device_end);
            }
        }
        std::ranges::sort(held);
        for (std::size_t i = 1; i < held.size(); ++i) {
            EXPECT_GE(held[i].first, held[i - 1].second) << to_string(engine);
        }
    }
}

TEST_P(SimulatorProperty, nothing_starts_before_its_call_and_no_wait_ends_before_its_event) {
    std::map<EventIndex, TimelineTime> reached;
    std::map<StreamIndex, TimelineTime> waited;  // what a stream has waited for so far
    std::map<StreamIndex, TimelineTime> end;
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& operation = workload.operations[i];
        const auto& entry = timeline.entries[i];
        if (const auto* record = std::get_if<EventRecord>(&operation.action)) {
            reached[record->event] = end[operation.stream];
        } else if (const auto* wait = std::get_if<EventWait>(&operation.action)) {
            auto& until = waited[operation.stream];
            until = std::max(until, reached[wait->event]);
        } else if (entry.on_device) {
            EXPECT_GE(entry.device_start, entry.call_start) << "operation " << i;
            EXPECT_GE(entry.device_start, waited[operation.stream]) << "operation " << i;
            end[operation.stream] = entry.device_end;
        }
    }
}

TEST_P(SimulatorProperty, the_host_makes_its_calls_one_after_the_other) {
    TimelineTime last{};
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& entry = timeline.entries[i];
        EXPECT_EQ(entry.call_start, last + workload.operations[i].host_before);
        EXPECT_GE(entry.call_end, entry.call_start + workload.operations[i].call_cost);
        last = entry.call_end;
    }
    EXPECT_EQ(timeline.wall, std::max(last.time_since_epoch(), timeline.wall));
}

TEST_P(SimulatorProperty, no_engine_is_faster_than_its_work) {
    std::map<StreamIndex, Duration> chain;
    Duration h2d{};
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        const auto& operation = workload.operations[i];
        const auto length = timeline.entries[i].device_end - timeline.entries[i].device_start;
        if (const auto* copy = std::get_if<Copy>(&operation.action);
            copy != nullptr && timeline.entries[i].engine == Engine::h2d) {
            const auto alone = copy_duration(*copy, CopyPath::h2d_engine, model);
            EXPECT_GE(length, alone);
            h2d += alone;
        }
        chain[operation.stream] += length;
    }
    EXPECT_GE(timeline.wall, h2d);
    for (const auto& [stream, length] : chain) {
        EXPECT_GE(timeline.wall, length) << "stream " << number(stream);
    }
}

TEST_P(SimulatorProperty, the_same_input_gives_the_same_bytes) {
    const auto again = simulate(workload, model);
    ASSERT_EQ(again.entries.size(), timeline.entries.size());
    EXPECT_EQ(again.wall, timeline.wall);
    for (std::size_t i = 0; i < again.entries.size(); ++i) {
        EXPECT_EQ(again.entries[i].device_start, timeline.entries[i].device_start);
        EXPECT_EQ(again.entries[i].device_end, timeline.entries[i].device_end);
        EXPECT_EQ(again.entries[i].channel, timeline.entries[i].channel);
        EXPECT_EQ(again.entries[i].waited_for, timeline.entries[i].waited_for);
    }
}

TEST_P(SimulatorProperty, kernels_that_share_sms_and_memory_all_end) {
    const auto counted = counted_program(GetParam());
    const auto played = simulate(counted, model);
    for (std::size_t i = 0; i < counted.operations.size(); ++i) {
        if (std::holds_alternative<KernelLaunch>(counted.operations[i].action)) {
            EXPECT_GT(played.entries[i].device_end, played.entries[i].device_start);
        }
    }
    EXPECT_EQ(simulate(counted, model).wall, played.wall);
}

TEST_P(SimulatorProperty, every_rule_can_be_switched_off) {
    for (std::size_t rule = 0; rule < kRules; ++rule) {
        Rules rules;
        rules.switch_off(static_cast<Rule>(rule));
        EXPECT_GT(simulate(workload, model, rules).wall, 0ns) << to_string(static_cast<Rule>(rule));
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, SimulatorProperty, ::testing::Range(1U, kSeeds + 1),
                         [](const auto& instance) { return std::to_string(instance.param); });

}  // namespace
}  // namespace overcast
