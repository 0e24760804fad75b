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
                               const SchedulerParameters& parameters, const Play& play) {
    Key key;
    {
        const std::scoped_lock lock{mutex_};
        key = {parameters, key_of(blocks)};
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
    return look_up(rates_, blocks, parameters, [&] { return issue_rates(blocks, parameters); });
}

double RememberedRates::to_start(std::span<const ScheduledBlock> others,
                                 const ScheduledBlock& starting,
                                 const SchedulerParameters& parameters) {
    std::vector<ScheduledBlock> blocks{others.begin(), others.end()};
    blocks.push_back(starting);
    return look_up(starts_, blocks, parameters,
                   [&] { return cycles_to_start(others, starting, parameters); });
}

std::size_t RememberedRates::size() const {
    const std::scoped_lock lock{mutex_};
    return rates_.size() + starts_.size();
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
            numbers_.try_emplace({to_text(last->pass), last->load_cycles}, next);
        key.emplace_back(found->second, block.warps);
    }
    return key;
}

}  // namespace overcast
