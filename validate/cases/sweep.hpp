// Runs every configuration of a case in a process of its own and writes measured.json.
#pragma once

#include "validate/cases/options.hpp"

#include <span>
#include <string>
#include <vector>

namespace overcast::cases {

/// The repetitions of one configuration, series by series, in nanoseconds.
using Series = std::vector<std::vector<double>>;

/// One element of "runs". `streams` and `order` say which configuration it is.
std::string run_json(const Options& options, std::uint32_t streams, Order order,
                     const Series& series);

/// A fresh process for each configuration, since which stream owns which hardware channel depends
/// on all that a process did before. Series by series, so that slow drift shows as noise. Throws
/// std::runtime_error if a run fails.
void sweep(const Options& options);

double median(std::vector<double> values);

}  // namespace overcast::cases
