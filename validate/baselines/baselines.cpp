#include "validate/baselines/baseline.hpp"

#include "core/error.hpp"
#include "validate/baselines/ideal_overlap.hpp"
#include "validate/baselines/serial.hpp"
#include "validate/baselines/trans_kernel_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace overcast {
namespace {

constexpr std::array kBaselines{
    Baseline{"serial", "one operation after the other, whatever the streams", predict_serial},
    Baseline{"ideal-overlap", "the busiest engine or the longest stream, nothing else",
             predict_ideal_overlap},
    Baseline{"trans-kernel-model", "the model of L. Yu's trans_kernel_model (2017)",
             predict_trans_kernel_model},
};

}  // namespace

std::span<const Baseline> baselines() { return kBaselines; }

const Baseline& find_baseline(std::string_view name) {
    const auto known = std::find_if(kBaselines.begin(), kBaselines.end(),
                                    [&](const Baseline& one) { return one.name == name; });
    if (known == kBaselines.end()) {
        std::string names;
        for (const auto& one : kBaselines) {
            names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
        }
        throw UsageError(fmt::format("there is no baseline '{}'; known are {}", name, names));
    }
    return *known;
}

}  // namespace overcast
