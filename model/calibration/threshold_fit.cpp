#include "model/calibration/threshold_fit.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <random>

namespace overcast {
namespace {

struct Threshold {
    double value = 0;
    std::size_t exceptions = 0;
};

/// Of decisions by rising x: between which two the fewest are on the wrong side.
Threshold best_threshold(const std::vector<Decision>& decisions) {
    // Before all of them, every yes is an exception.
    auto exceptions = static_cast<std::size_t>(std::ranges::count_if(decisions, &Decision::yes));
    Threshold best{decisions.front().x, exceptions};
    double until = best.value;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        exceptions = decisions[i].yes ? exceptions - 1 : exceptions + 1;
        const double from = decisions[i].x;
        const double to = i + 1 < decisions.size() ? decisions[i + 1].x : from;
        if (exceptions < best.exceptions) {
            best = {from, exceptions};
            until = to;
        } else if (exceptions == best.exceptions) {
            until = to;
        }
    }
    return {(best.value + until) / 2, best.exceptions};
}

}  // namespace

Estimate fit_threshold(std::vector<Decision> decisions) {
    const auto by_x = [](std::vector<Decision>& some) {
        std::ranges::stable_sort(some, {}, &Decision::x);
    };
    if (std::ranges::all_of(decisions, &Decision::yes) ||
        std::ranges::none_of(decisions, &Decision::yes)) {
        throw ModelFileError("no threshold: all decisions were the same");
    }
    by_x(decisions);
    const auto found = best_threshold(decisions);
    constexpr int kSamples = 200;
    std::mt19937 random{1};
    std::uniform_int_distribution<std::size_t> any{0, decisions.size() - 1};
    std::vector<double> others;
    for (int i = 0; i < kSamples; ++i) {
        std::vector<Decision> sample;
        for (std::size_t k = 0; k < decisions.size(); ++k) {
            sample.push_back(decisions[any(random)]);
        }
        by_x(sample);
        others.push_back(best_threshold(sample).value);
    }
    constexpr std::size_t kLow = 5;
    constexpr std::size_t kHigh = 95;
    return {found.value,
            static_cast<double>(found.exceptions) / static_cast<double>(decisions.size()),
            std::min(found.value, percentile_of(others, kLow)),
            std::max(found.value, percentile_of(others, kHigh)),
            decisions.front().x,
            decisions.back().x,
            decisions.size()};
}

}  // namespace overcast
