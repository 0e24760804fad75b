// One function per case. To add a case: a file of its own, its line here, its row in all_cases.cu.
#pragma once

#include "validate/cases/harness/case.hpp"

namespace overcast::cases {

CaseDefinition pipeline_case();
CaseDefinition balanced_case();
CaseDefinition small_grid_case();
CaseDefinition tiny_case();
CaseDefinition tiny_inline_case();
CaseDefinition vecadd_case();
CaseDefinition vecadd_heavy_case();
CaseDefinition gnocchi_v3_case();
CaseDefinition gnocchi_v4_case();
CaseDefinition gnocchi_count_case();
CaseDefinition gnocchi_count_event_case();
CaseDefinition matmul_global_case();
CaseDefinition matmul_register_case();
CaseDefinition market_naive_case();
CaseDefinition market_warps_case();
CaseDefinition market_work_case();
CaseDefinition colocation_chatty_case();
CaseDefinition colocation_batched_case();
CaseDefinition colocation_refine_case();
CaseDefinition mixed_kinds_case();
CaseDefinition mixed_sizes_case();
CaseDefinition mixed_phases_case();
CaseDefinition chain_case();
CaseDefinition chain_memsets_case();
CaseDefinition side_by_side_case();
CaseDefinition side_by_side_waves_case();
CaseDefinition co_run_a_case();
CaseDefinition co_run_b_case();
CaseDefinition co_run_pairs_a_case();
CaseDefinition co_run_pairs_b_case();
CaseDefinition co_run_products_a_case();
CaseDefinition co_run_products_b_case();

}  // namespace overcast::cases
