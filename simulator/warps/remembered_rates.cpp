#include "simulator/warps/remembered_rates.hpp"

namespace overcast {
namespace {

constexpr std::size_t kMost = 100'000;  // some 20 MB

}  // namespace

RememberedRates& RememberedRates::of_program() {
    static RememberedRates rates;
    return rates;
}

std::vector<double> RememberedRates::operator()(std::span<const ScheduledBlock> blocks) {
    Key key;
    {
        const std::scoped_lock lock{mutex_};
        key = key_of(blocks);
        if (const auto found = rates_.find(key); found != rates_.end()) {
            return found->second;
        }
    }
    auto rates = issue_rates(blocks);  // others need not wait for it
    const std::scoped_lock lock{mutex_};
    if (rates_.size() < kMost) {
        rates_.emplace(std::move(key), rates);
    }
    return rates;
}

std::size_t RememberedRates::size() const {
    const std::scoped_lock lock{mutex_};
    return rates_.size();
}

RememberedRates::Key RememberedRates::key_of(std::span<const ScheduledBlock> blocks) {
    Key key;
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
