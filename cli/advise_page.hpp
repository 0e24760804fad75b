// `advise --html`: the page of one recording's advice.
#pragma once

#include "advise/advise.hpp"
#include "core/trace.hpp"
#include "workload/extract.hpp"

#include <string>
#include <vector>

namespace overcast {

/// `recorded` is `trace` taken apart. `arguments` are those of the subcommand.
std::string advise_page(const Trace& trace, const Extraction& recorded, const PlayedAdvice& result,
                        const std::vector<std::string>& arguments);

}  // namespace overcast
