#include "validate/accuracy/error_summary.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace overcast {
namespace {

using Groups = std::map<std::string_view, std::vector<double>>;

double mean_of_means(const Groups& groups) {
    std::vector<double> means;
    means.reserve(groups.size());
    for (const auto& [name, errors] : groups) {
        means.push_back(mean_of(errors));
    }
    return mean_of(means);
}

}  // namespace

double mean_of(std::span<const double> values) {
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

ErrorSummary summarise(std::span<const ErrorSample> samples) {
    std::vector<double> sizes;
    std::vector<double> signed_errors;
    Groups by_case;
    Groups by_family;
    for (const auto& sample : samples) {
        const double size = std::abs(sample.error_percent);
        sizes.push_back(size);
        signed_errors.push_back(sample.error_percent);
        by_case[sample.case_name].push_back(size);
        by_family[sample.family].push_back(size);
    }
    ErrorSummary summary;
    summary.count = sizes.size();
    summary.mape_percent = mean_of(sizes);
    summary.case_mape_percent = mean_of_means(by_case);
    summary.family_mape_percent = mean_of_means(by_family);
    summary.median_percent = median_of(sizes);
    summary.p90_percent = percentile_of(sizes, 90);
    summary.p95_percent = percentile_of(sizes, 95);
    summary.max_percent = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
    summary.bias_percent = mean_of(signed_errors);
    return summary;
}

}  // namespace overcast
