// What schedulers were found to do is remembered for all simulations: a forecast plays a program
// many times, with other parameters, on which it does not depend.
#pragma once

#include "simulator/warps/warp_scheduler.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace overcast {

/// issue_rates() and cycles_to_start(), each played once. Threads may share it.
class RememberedRates {
public:
    /// That of the program that this is part of.
    static RememberedRates& of_program();

    std::vector<double> operator()(std::span<const ScheduledBlock> blocks,
                                   const SchedulerParameters& parameters);
    double to_start(std::span<const ScheduledBlock> others, const ScheduledBlock& starting,
                    const SchedulerParameters& parameters);
    /// How many it holds.
    [[nodiscard]] std::size_t size() const;

private:
    /// Of each block its program, by number, and its warps.
    using Blocks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    using Key = std::pair<SchedulerParameters, Blocks>;

    [[nodiscard]] Blocks key_of(std::span<const ScheduledBlock> blocks);
    /// What `found` holds for `key`, if need be what `play` gives.
    template <typename Value, typename Play>
    Value look_up(std::map<Key, Value>& found, std::span<const ScheduledBlock> blocks,
                  const SchedulerParameters& parameters, const Play& play);

    mutable std::mutex mutex_;
    std::map<std::pair<std::string, double>, std::uint32_t> numbers_;  ///< by pass and load_cycles
    std::map<Key, std::vector<double>> rates_;
    std::map<Key, double> starts_;  ///< those that start are the last of the key
};

}  // namespace overcast
