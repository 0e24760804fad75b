#include "simulator/warps/remembered_rates.hpp"

namespace overcast {
namespace {

constexpr std::size_t kMost = 100'000;  // some 20 MB

}  // namespace

RememberedRates& RememberedRates::of_program() {
    static RememberedRates rates;
    return rates;
}

template <typename Value, typename Play>
Value RememberedRates::look_up(std::map<Key, Value>& found, std::span<const ScheduledBlock> blocks,
                               std::size_t once, const SchedulerParameters& parameters,
                               const Play& play) {
    Key key;
    {
        const std::scoped_lock lock{mutex_};
        key = {parameters, once, key_of(blocks)};
        if (const auto known = found.find(key); known != found.end()) {
            return known->second;
        }
    }
    auto value = play();  // others need not wait for it
    const std::scoped_lock lock{mutex_};
    if (found.size() < kMost) {
        found.emplace(std::move(key), value);
    }
    return value;
}

std::vector<double> RememberedRates::operator()(std::span<const ScheduledBlock> blocks,
                                                const SchedulerParameters& parameters) {
    return look_up(rates_, blocks, blocks.size(), parameters,
                   [&] { return issue_rates(blocks, parameters); });
}

double RememberedRates::to_run(std::span<const ScheduledBlock> blocks, std::size_t once,
                               const SchedulerParameters& parameters) {
    return look_up(runs_, blocks, once, parameters,
                   [&] { return cycles_to_run(blocks, once, parameters); });
}

std::size_t RememberedRates::size() const {
    const std::scoped_lock lock{mutex_};
    return rates_.size() + runs_.size();
}

RememberedRates::Blocks RememberedRates::key_of(std::span<const ScheduledBlock> blocks) {
    Blocks key;
    const WarpProgram* last = nullptr;
    for (const auto& block : blocks) {
        if (block.program == last) {
            key.emplace_back(key.back().first, block.warps);
            continue;
        }
        last = block.program;
        const auto next = static_cast<std::uint32_t>(numbers_.size());
        const auto [found, is_new] =
            numbers_.try_emplace({to_text(last->pass), last->load_cycles, last->begins}, next);
        key.emplace_back(found->second, block.warps);
    }
    return key;
}

}  // namespace overcast
