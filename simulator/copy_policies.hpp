// In which order a copy engine serves what is ready: one row for each policy (9). Which one holds
// is a parameter of the device model (copy_engine.service).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "simulator/flight.hpp"

#include <cstdint>

namespace overcast {

/// A copy at the head of its channel, which could start.
struct ReadyCopy {
    FlightIndex flight = kNoFlight;
    Duration late{};          ///< too late for the engine's choice, by so much
    std::uint32_t steps = 0;  ///< from the engine's channel up, in ascending cyclic order of ids
    TimelineTime ready;
    TimelineTime issued;
    std::uint32_t operation = 0;  ///< breaks ties
};

struct CopyPolicy {
    /// True where `left` is served before `right`.
    bool (*before)(const ReadyCopy& left, const ReadyCopy& right);
    bool nearest;  ///< that is: of those that are not late, the one with the fewest steps
    bool shares;   ///< copies of different channels run at once, each at its share of the rate
};

const CopyPolicy& copy_policy(CopyService service);

}  // namespace overcast
