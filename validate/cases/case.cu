#include "validate/cases/case.hpp"

#include <array>

namespace overcast::cases {

std::span<const CaseDefinition> all_cases() {
    static const std::array<CaseDefinition, 5> cases{
        pipeline_case(), balanced_case(), small_grid_case(), tiny_case(), tiny_inline_case()};
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
