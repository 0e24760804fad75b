// Chains of the probes gaps*: a short and a long one, so that what both have in common drops out.
#pragma once

#include "calibrate/probe_output.hpp"

#include <fmt/format.h>

#include <string>

namespace overcast {

inline constexpr double kUnitsOfShortChain = 6;
inline constexpr double kUnitsOfLongChain = 26;
/// By how many the longer chain of copies is longer (kManyCopies - kFewCopies of the probes).
inline constexpr double kFurtherCopies = 40 - 8;

/// Wall time in ns per further unit of a chain while `waiting` channels wait.
inline double chain_period(const ProbeOutput& output, const std::string& chain, double waiting) {
    return (output.median(fmt::format("{}_{}", chain, kUnitsOfLongChain), waiting) -
            output.median(fmt::format("{}_{}", chain, kUnitsOfShortChain), waiting)) /
           (kUnitsOfLongChain - kUnitsOfShortChain);
}

/// Likewise of a chain that a probe made twice, as `chain`_few and, with `further` units more, as
/// `chain`_many.
inline double further_period(const ProbeOutput& output, const std::string& chain, double x,
                             double further) {
    return (output.median(chain + "_many", x) - output.median(chain + "_few", x)) / further;
}

}  // namespace overcast
