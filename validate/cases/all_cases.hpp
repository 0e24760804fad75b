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

}  // namespace overcast::cases
