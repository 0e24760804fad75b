// Errors of many predictions in a few figures.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace overcast {

/// The error of one prediction: (predicted - measured) / measured; positive = predicted too slow.
struct ErrorSample {
    std::string_view case_name;
    std::string_view family;
    double error_percent = 0;
};

/// All but `bias_percent` are of the errors' sizes, without sign. All zero where there is none.
struct ErrorSummary {
    std::size_t count = 0;
    double mape_percent = 0;  ///< mean absolute percentage error over all predictions
    /// Mean of the means of the cases: many stream counts with one and the same time count once.
    double case_mape_percent = 0;
    double family_mape_percent = 0;  ///< mean of the means of the families
    double median_percent = 0;
    double p90_percent = 0;  ///< nearest rank: the smallest that 90 % of the errors do not exceed
    double p95_percent = 0;
    double max_percent = 0;
    double bias_percent = 0;  ///< mean of the signed errors
};

ErrorSummary summarise(std::span<const ErrorSample> samples);

/// Of any values; 0 where there is none.
double mean_of(std::span<const double> values);

}  // namespace overcast
