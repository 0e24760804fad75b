// Whatever the program and the configuration: no work is lost or added, and each unit's own order
// stays.
#include "core/error.hpp"
#include "tests/support/trace_builder.hpp"
#include "workload/extract.hpp"
#include "workload/transform.hpp"
#include "workload/units.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace overcast::testing;

constexpr std::uint32_t kSeeds = 200;

class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_{seed} {}
    std::uint32_t below(std::uint32_t limit) {
        // Not a distribution of the library: those differ from one library to the next.
        return static_cast<std::uint32_t>(engine_() % limit);
    }

private:
    std::mt19937 engine_;
};

Work random_work(Dice& dice) {
    const auto bytes = Bytes{1 + dice.below(1U << 22U)};
    switch (dice.below(5)) {
        case 0: return h2d(bytes);
        case 1: return h2d(bytes).blocking();
        case 2: return d2h(bytes);
        case 3: return memset(bytes);
        default:
            return kernel("k" + std::to_string(dice.below(3)))
                .grid(1 + dice.below(300), 1 + dice.below(3));
    }
}

void random_step(TraceBuilder& trace, Dice& dice) {
    switch (dice.below(6)) {
        case 0: trace.synchronise_stream(7); break;
        case 1: trace.synchronise_device(); break;
        case 2: trace.record_event(dice.below(3), 7); break;
        case 3: trace.call("cudaMalloc", std::chrono::microseconds{3}); break;
        case 4: trace.call("cudaFree", std::chrono::microseconds{3}); break;
        default: trace.host_time(Duration{dice.below(20'000)}); break;
    }
}

/// Some work, then equal units with steps of the host between them, then some work.
Workload random_workload(Dice& dice) {
    TraceBuilder trace;
    for (auto i = dice.below(2); i > 0; --i) {
        trace.issue(random_work(dice));
    }
    std::vector<Work> unit;
    for (auto i = 1 + dice.below(5); i > 0; --i) {
        unit.push_back(random_work(dice));
    }
    for (auto units = 1 + dice.below(7); units > 0; --units) {
        for (const auto& work : unit) {
            trace.issue(work);
            if (dice.below(3) == 0) {
                random_step(trace, dice);
            }
        }
    }
    for (auto i = dice.below(3); i > 0; --i) {
        trace.issue(random_work(dice));
    }
    trace.synchronise_device();
    auto workload = extract(trace.build(), {}, {}).workload;
    find_units(workload, parse_unit_choice(dice.below(4) == 0 ? "whole" : "auto"));
    return workload;
}

Configuration random_configuration(Dice& dice) {
    Configuration result;
    result.transform = static_cast<Transform>(dice.below(4));
    result.order = static_cast<IssueOrder>(dice.below(3));
    result.sync = static_cast<SyncPolicy>(dice.below(2));
    result.streams = 1 + dice.below(6);
    result.parts = result.transform == Transform::split ? 1 + dice.below(5) : 1;
    result.split_kernels = static_cast<SplitKernels>(dice.below(2));
    return result;
}

/// What an operation asks of the device, save the amount.
std::string kind_of(const Workload& workload, const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return copy->kind == CopyKind::host_to_device ? "h2d" : "d2h";
    }
    if (const auto* launch = std::get_if<KernelLaunch>(&action)) {
        return std::string{workload.names[workload.kernels[index(launch->kernel)].name]};
    }
    return "memset";
}

std::uint64_t amount_of(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        return copy->bytes.count();
    }
    if (const auto* memset = std::get_if<Memset>(&action)) {
        return memset->bytes.count();
    }
    return 0;
}

struct Total {
    std::uint64_t amount = 0;
    std::uint64_t operations = 0;
    bool operator==(const Total&) const = default;
};

std::map<std::string, Total> work_by_kind(const Workload& workload) {
    std::map<std::string, Total> result;
    for (const auto& operation : workload.operations) {
        if (enqueues_work(operation.action)) {
            auto& total = result[kind_of(workload, operation.action)];
            total.amount += amount_of(operation.action);
            ++total.operations;
        }
    }
    return result;
}

Duration host_time(const Workload& workload) {
    Duration total{};
    for (const auto& operation : workload.operations) {
        total += operation.host_before;
    }
    return total;
}

/// Kinds of the steps that each (unit, stream) makes, in issue order.
std::map<std::uint32_t, std::vector<std::string>> steps_by_unit(const Workload& workload) {
    std::map<std::uint32_t, std::vector<std::string>> result;
    for (const auto& operation : workload.operations) {
        if (operation.unit && enqueues_work(operation.action)) {
            result[number(*operation.unit)].push_back(kind_of(workload, operation.action));
        }
    }
    return result;
}

TEST(TransformProperty, no_work_is_lost_or_added) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice{seed};
        const auto workload = random_workload(dice);
        const auto wanted = random_configuration(dice);
        const auto result = transform(workload, wanted);
        const auto copies = wanted.transform == Transform::replicate ? wanted.streams : 1U;
        auto expected = work_by_kind(workload);
        auto actual = work_by_kind(result);
        for (auto& [kind, total] : expected) {
            EXPECT_EQ(actual[kind].amount, total.amount * copies) << kind;
            if (wanted.transform != Transform::split) {
                EXPECT_EQ(actual[kind].operations, total.operations * copies) << kind;
            }
        }
        EXPECT_EQ(actual.size(), expected.size());
        EXPECT_EQ(result.units, workload.units * copies);
    }
}

TEST(TransformProperty, each_unit_keeps_its_own_order) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice{seed};
        const auto workload = random_workload(dice);
        const auto wanted = random_configuration(dice);
        if (wanted.transform == Transform::split) {
            continue;  // its parts are interleaved within a unit
        }
        const auto result = transform(workload, wanted);
        const auto expected = steps_by_unit(workload);
        for (const auto& [unit, steps] : steps_by_unit(result)) {
            EXPECT_EQ(steps, expected.at(unit % workload.units)) << "unit " << unit;
        }
    }
}

TEST(TransformProperty, every_step_has_a_place) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice{seed};
        const auto workload = random_workload(dice);
        const auto result = transform(workload, random_configuration(dice));
        std::vector<bool> recorded(result.events, false);
        for (const auto& operation : result.operations) {
            ASSERT_LT(index(operation.stream), result.streams.size());
            ASSERT_LT(index(operation.thread), result.threads);
            ASSERT_TRUE(!operation.unit || index(*operation.unit) < result.units);
            if (const auto* record = std::get_if<EventRecord>(&operation.action)) {
                ASSERT_LT(index(record->event), recorded.size());
                EXPECT_FALSE(recorded[index(record->event)]);
                recorded[index(record->event)] = true;
            } else if (const auto* wait = std::get_if<EventWait>(&operation.action)) {
                EXPECT_TRUE(recorded.at(index(wait->event)));
            }
        }
    }
}

TEST(TransformProperty, the_hosts_own_time_stays) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice{seed};
        const auto workload = random_workload(dice);
        auto wanted = random_configuration(dice);
        wanted.sync = SyncPolicy::defer;
        const auto copies = wanted.transform == Transform::replicate ? wanted.streams : 1U;
        EXPECT_EQ(host_time(transform(workload, wanted)), host_time(workload) * copies);
    }
}

TEST(UnitsProperty, any_interleaving_of_units_of_different_steps_is_found) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice{seed};
        const auto units = 2 + dice.below(6);
        const auto length = 1 + dice.below(5);
        std::vector<std::uint32_t> progress(units, 0);
        TraceBuilder trace;
        for (auto left = units * length; left > 0; --left) {
            auto unit = dice.below(units);
            while (progress[unit] == length) {
                unit = (unit + 1) % units;
            }
            trace.issue(kernel("step" + std::to_string(progress[unit]++)));
        }
        auto workload = extract(trace.build(), {}, {}).workload;
        find_units(workload, {});
        ASSERT_EQ(workload.units, units);
        const auto steps = steps_by_unit(workload);
        for (const auto& [unit, found] : steps) {
            EXPECT_EQ(found, steps.at(0));
            EXPECT_EQ(found.size(), length);
        }
    }
}

}  // namespace
}  // namespace overcast
