#include "model/calibration/median_fit.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

constexpr double kNormal95 = 1.6448536269514722;

void must_not_be_empty(bool empty) {
    if (empty) {
        throw ModelFileError("a fit needs at least one measurement");
    }
}

}  // namespace

double student_t_95(std::size_t degrees_of_freedom) {
    // Tables for few degrees; the Cornish-Fisher expansion is within 0.1 % from five on.
    constexpr std::array<double, 5> kFew{12.0, 6.3138, 2.9200, 2.3534, 2.1318};
    if (degrees_of_freedom < kFew.size()) {
        return kFew[degrees_of_freedom];
    }
    const double z = kNormal95;
    const auto n = static_cast<double>(degrees_of_freedom);
    const double first = (z * z * z + z) / 4;
    const double second = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
    const double third = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * z * z * z - 15 * z) / 384;
    return z + first / n + second / (n * n) + third / (n * n * n);
}

Estimate fit_median(std::vector<double> samples) {
    must_not_be_empty(samples.empty());
    std::ranges::sort(samples);
    const auto n = samples.size();
    Estimate found;
    found.value = median_of(samples);
    std::vector<double> distances;
    for (const double sample : samples) {
        distances.push_back(std::abs(sample - found.value));
    }
    found.residual = 1.4826 * median_of(std::move(distances));
    const double half = static_cast<double>(n) / 2;
    const double spread = kNormal95 * std::sqrt(static_cast<double>(n)) / 2;
    const auto below = static_cast<std::size_t>(std::max(0.0, std::floor(half - spread)));
    const auto lowest = n < 6 ? 0 : below;
    found.low = samples[lowest];
    found.high = samples[n - 1 - lowest];
    found.points = n;
    return found;
}

Estimate fit_mean(const std::vector<double>& figures) {
    must_not_be_empty(figures.empty());
    const auto n = static_cast<double>(figures.size());
    Estimate found;
    for (const double figure : figures) {
        found.value += figure / n;
    }
    double squares = 0;
    for (const double figure : figures) {
        squares += (figure - found.value) * (figure - found.value);
    }
    found.residual = std::sqrt(squares / n);
    const double error = figures.size() > 1 ? student_t_95(figures.size() - 1) *
                                                  std::sqrt(squares / (n - 1)) / std::sqrt(n)
                                            : 0;
    found.low = found.value - error;
    found.high = found.value + error;
    found.points = figures.size();
    return found;
}

Estimate fit_trimmed_mean(std::vector<double> samples) {
    must_not_be_empty(samples.empty());
    std::ranges::sort(samples);
    const auto cut = samples.size() / 20;
    samples.resize(samples.size() - cut);
    samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(cut));
    return fit_mean(samples);
}

}  // namespace overcast
