// The kernels and references of the elementwise cases, apart from any memory.
#pragma once

#include "validate/cases/harness/elementwise.hpp"

namespace overcast::cases {

Elementwise pipeline_kind(const Values& values);
Elementwise balanced_kind(const Values& values);
Elementwise small_grid_kind(const Values& values);
Elementwise tiny_kind(const Values& values);
Elementwise vecadd_kind(const Values& values);

}  // namespace overcast::cases
