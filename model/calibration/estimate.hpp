// What a fit found, and how sure it is.
#pragma once

#include <algorithm>
#include <cstddef>

namespace overcast {

/// A fitted number. Units are those of the data that it was fitted to.
struct Estimate {
    double value = 0;
    /// How far the data lie from the fit: root mean square, of the data's unit (relative where the
    /// fit says so).
    double residual = 0;
    double low = 0;         ///< 90 % confidence interval
    double high = 0;        ///< 90 % confidence interval
    double valid_from = 0;  ///< the range of x that was measured
    double valid_to = 0;
    std::size_t points = 0;
};

/// What is left of a time without `part` of it; never less than nothing.
inline Estimate without(Estimate time, double part) {
    for (auto* each : {&time.value, &time.low, &time.high}) {
        *each = std::max(0.0, *each - part);
    }
    return time;
}

/// A point of data: y(x).
struct DataPoint {
    double x = 0;
    double y = 0;
};

}  // namespace overcast
