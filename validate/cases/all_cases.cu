#include "validate/cases/all_cases.hpp"

namespace overcast::cases {

std::span<const CaseDefinition> all_cases() {
    static const std::vector<CaseDefinition> cases{
        pipeline_case(),    balanced_case(),      small_grid_case(),          tiny_case(),
        tiny_inline_case(), vecadd_case(),        vecadd_heavy_case(),        gnocchi_v3_case(),
        gnocchi_v4_case(),  gnocchi_count_case(), gnocchi_count_event_case(),
    };
    return cases;
}

const CaseDefinition* find_case(std::string_view name) {
    for (const auto& candidate : all_cases()) {
        if (candidate.name == name) {
            return &candidate;
        }
    }
    return nullptr;
}

}  // namespace overcast::cases
