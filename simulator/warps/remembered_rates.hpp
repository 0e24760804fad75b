// What schedulers were found to do is remembered for all simulations: a forecast plays a program
// many times, with other parameters, on which it does not depend.
#pragma once

#include "simulator/warps/warp_scheduler.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace overcast {

/// issue_rates() and cycles_to_run(), each played once. Threads may share it.
class RememberedRates {
public:
    /// That of the program that this is part of.
    static RememberedRates& of_program();

    std::vector<double> operator()(std::span<const ScheduledBlock> blocks,
                                   const SchedulerParameters& parameters);
    double to_run(std::span<const ScheduledBlock> blocks, std::size_t once,
                  const SchedulerParameters& parameters);
    /// How many it holds.
    [[nodiscard]] std::size_t size() const;

private:
    /// Of each block its program, by number, and its warps.
    using Blocks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    /// And which of them runs once; so many as there are: none.
    using Key = std::tuple<SchedulerParameters, std::size_t, Blocks>;

    [[nodiscard]] Blocks key_of(std::span<const ScheduledBlock> blocks);
    /// What `found` holds for `key`, if need be what `play` gives.
    template <typename Value, typename Play>
    Value look_up(std::map<Key, Value>& found, std::span<const ScheduledBlock> blocks,
                  std::size_t once, const SchedulerParameters& parameters, const Play& play);

    mutable std::mutex mutex_;
    /// By what a WarpProgram has.
    std::map<std::tuple<std::string, double, bool>, std::uint32_t> numbers_;
    std::map<Key, std::vector<double>> rates_;
    std::map<Key, double> runs_;
};

}  // namespace overcast
