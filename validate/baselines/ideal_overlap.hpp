// Everything that can overlap overlaps, for free.
#pragma once

#include "core/prediction.hpp"
#include "workload/extract.hpp"

#include <optional>

namespace overcast {

/// The longest of
///   * the recorded durations of all copies to the device,
///   * those of all copies to the host,
///   * the work of the SMs: per kernel its duration times the share of the device's block slots
///   that
///     its grid fills in its waves, blocks / (waves * slots); 90 blocks on 48 slots: 90 / 96,
///   * the durations of one stream, the longest (a unit lies in one stream, so no unit takes more).
/// Gaps, the host, channels and interference cost nothing. Parts of a split: copies by their bytes,
/// kernels by their waves. Memsets and copies inside the device count for their stream alone.
/// Limits of the device that were not recorded take the values of sm_limits. Absent where nothing
/// runs on the device.
std::optional<Duration> predict_ideal_overlap(const Extraction& recorded,
                                              const Configuration& configuration);

}  // namespace overcast
