#include "validate/cases/all_cases.hpp"

namespace overcast::cases {

std::span<const CaseDefinition> all_cases() {
    static const std::vector<CaseDefinition> cases{
        pipeline_case(),
        balanced_case(),
        small_grid_case(),
        tiny_case(),
        tiny_inline_case(),
        vecadd_case(),
        vecadd_heavy_case(),
        gnocchi_v3_case(),
        gnocchi_v4_case(),
        gnocchi_count_case(),
        gnocchi_count_event_case(),
        matmul_global_case(),
        matmul_register_case(),
        market_naive_case(),
        market_warps_case(),
        market_work_case(),
        colocation_chatty_case(),
        colocation_batched_case(),
        colocation_refine_case(),
        mixed_kinds_case(),
        mixed_sizes_case(),
        mixed_phases_case(),
        chain_case(),
        chain_memsets_case(),
        side_by_side_case(),
        side_by_side_waves_case(),
        co_run_a_case(),
        co_run_b_case(),
        co_run_pairs_a_case(),
        co_run_pairs_b_case(),
        co_run_products_a_case(),
        co_run_products_b_case(),
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
