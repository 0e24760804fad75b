// What a played configuration kept busy, and what therefore limits it.
#pragma once

#include "core/prediction.hpp"
#include "core/timeline.hpp"
#include "core/workload.hpp"

namespace overcast {

/// Share of time in which each engine worked, 0 to 1. Copy engines and SMs: the union of the times
/// in which they held an operation, over `timeline.device`. The host: the time that its busiest
/// thread spent in calls (without waiting for the device) or on its own, over `timeline.wall`.
Utilisation utilisation(const Workload& workload, const Timeline& timeline);

/// Engines (H2D, D2H, SMs) at work beside the first one, on average over the time in which any of
/// them works: 0 = never two at once, 2 = always all three.
double overlap(const Workload& workload, const Timeline& timeline);

/// Of a whole, 0 to 1; 0 of nothing.
double share_of(Duration part, Duration whole);

/// From this share upwards an engine counts as the limit.
///
/// A pipeline of three equal stages and K units keeps each engine busy for K / (K + 2) of the time:
/// 0.86 at 12 units, although nothing but the engines limits it. Work that leaves every engine idle
/// for more than that is held up by its own chain of dependencies.
constexpr double kBusyEnoughToBind = 0.85;

/// By so much the SMs must be busier than a copy engine that is busy enough, to be the limit. A
/// copy engine that holds a copy is used up; SMs with a block resident may have room for more.
constexpr double kResidencyMargin = 0.05;

/// The busiest engine if its share reaches kBusyEnoughToBind (the first of h2d, d2h, sm, host where
/// several are equal, and a copy engine rather than the SMs within kResidencyMargin), else `chain`.
Bound bound_by(const Utilisation& shares);

}  // namespace overcast
