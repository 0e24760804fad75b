#include "simulator/kernels/kernel_executor.hpp"
#include "simulator/kernels/solo_runs.hpp"
#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <tuple>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::round_model;

using Heard = std::tuple<std::int64_t, KernelNews::Kind, FlightIndex>;

constexpr auto kWork = 1000ns;

/// Blocks of 1024 threads, two on each of two SMs, where one asks for 0.75 of its SM.
DeviceModel crowded_model() {
    auto model = round_model();
    model.kernels.saturating_warps = 32 / 0.75;
    return model;
}

KernelDemand blocks_of(std::uint32_t blocks, const DeviceModel& model) {
    KernelShape shape;
    shape.grid.x = blocks;
    shape.block.x = 1024;
    shape.registers_per_thread = 16;
    return kernel_demand(shape, model);
}

/// What is heard of kernel 0, which comes at 50 ns, and of kernel 1, which comes at `second`.
std::vector<Heard> heard(const std::vector<KernelDemand>& demands, Duration second, bool alone) {
    const auto model = crowded_model();
    KernelExecutor executor{model, demands, {}};
    SoloRuns solo{model, demands, {}};
    std::vector<Heard> all;
    const auto hear = [&](TimelineTime now) {
        for (const auto& news : executor.news()) {
            all.emplace_back(now.time_since_epoch().count(), news.kind, news.flight);
        }
        executor.clear_news();
    };
    const auto play_until = [&](TimelineTime time) {
        while (executor.next() < time) {
            const auto now = executor.next();
            executor.advance();
            hear(now);
        }
    };
    const auto submit = [&](TimelineTime now, std::uint32_t kernel) {
        if (alone && executor.idle()) {
            executor.submit_alone(now, FlightIndex{kernel}, kernel, kWork,
                                  solo.of(kernel, demands[kernel].blocks));
        } else {
            executor.submit(now, FlightIndex{kernel}, kernel, kWork);
        }
        hear(now);
    };
    submit(TimelineTime{50ns}, 0);
    play_until(TimelineTime{second});
    submit(TimelineTime{second}, 1);
    play_until(kNever);
    return all;
}

TEST(KernelAlone, is_as_if_it_had_been_played_whenever_another_one_comes) {
    const auto model = crowded_model();
    // A block for one SM; those of one wave, that end one after the other; some waves and a rest.
    for (const std::uint32_t first : {1U, 4U, 23U}) {
        const std::vector demands{blocks_of(first, model), blocks_of(3, model)};
        for (auto second = 60ns; second < 16us; second += 370ns) {
            EXPECT_EQ(heard(demands, second, true), heard(demands, second, false))
                << first << " blocks, the next kernel after " << second.count() << " ns";
        }
    }
}

TEST(KernelAlone, is_played_where_copies_slow_it) {
    auto model = crowded_model();
    model.memory_kernels.read_beside_h2d = 2;
    std::vector demands{blocks_of(4, model)};
    demands[0].dram_share = 0.5;
    KernelExecutor executor{model, demands, {}};
    SoloRuns solo{model, demands, {}};
    executor.submit_alone(TimelineTime{}, FlightIndex{0}, 0, kWork, solo.of(0, 4));
    EXPECT_EQ(executor.next(), TimelineTime{1us});
    executor.set_copies(TimelineTime{400ns}, true, false);
    EXPECT_EQ(executor.next(), TimelineTime{400ns + 750ns});  // 1.25 times as long for what is left
}

TEST(KernelAlone, costs_two_steps_however_many_waves_it_has) {
    const auto model = crowded_model();
    const std::vector demands{blocks_of(4'000'003, model)};
    KernelExecutor executor{model, demands, {}};
    SoloRuns solo{model, demands, {}};
    executor.submit_alone(TimelineTime{}, FlightIndex{0}, 0, kWork, solo.of(0, 4'000'003));
    executor.advance();
    EXPECT_EQ(executor.news().back().kind, KernelNews::Kind::placed);
    EXPECT_FALSE(executor.idle());
    executor.advance();
    EXPECT_EQ(executor.news().back().kind, KernelNews::Kind::ended);
    EXPECT_TRUE(executor.idle());
    EXPECT_EQ(executor.next(), kNever);
}

}  // namespace
}  // namespace overcast
