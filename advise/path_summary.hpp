// The critical path in words: what it is made of, and what waited for what.
#pragma once

#include "core/diagnosis.hpp"
#include "forecast/predict.hpp"

namespace overcast {

CriticalPath summarise_path(const PlayedConfiguration& played);

}  // namespace overcast
