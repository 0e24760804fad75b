#include "simulator/kernels/solo_runs.hpp"

#include "simulator/kernels/kernel_executor.hpp"

namespace overcast {
namespace {

constexpr Duration kBlockTime{1'000'000};  // long, so that whole nanoseconds do not matter

}  // namespace

const SoloRun& SoloRuns::of(std::uint32_t demand, std::uint64_t blocks) {
    const auto [found, is_new] = played_.try_emplace({demand, blocks});
    if (is_new) {
        found->second = play((*demands_)[demand], blocks);
    }
    return found->second;
}

SoloRun SoloRuns::play(KernelDemand demand, std::uint64_t blocks) const {
    demand.blocks = blocks;
    demand.round = {};  // it is taken apart as it was recorded
    const std::vector<KernelDemand> alone{demand};
    KernelExecutor executor{*model_, alone, rules_};
    constexpr auto unit = static_cast<double>(kBlockTime.count());
    TimelineTime now{};
    executor.submit(now, FlightIndex{0}, 0, kBlockTime);
    SoloRun run{.length = 0, .active = 0};
    const auto hear = [&] {
        for (const auto& news : executor.news()) {
            if (news.kind == KernelNews::Kind::placed) {
                run.placed = run.length;
            }
        }
        executor.clear_news();
    };
    hear();
    while (executor.next() != kNever) {
        const auto passed = static_cast<double>((executor.next() - now).count()) / unit;
        run.length += passed;
        run.active += passed * executor.active_share();
        now = executor.next();
        executor.advance();
        hear();
    }
    return run;
}

}  // namespace overcast
