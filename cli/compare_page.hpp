// `compare --html`: the page of two runs side by side.
#pragma once

#include "core/comparison.hpp"
#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "report/html/plain_sections.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace overcast {

/// One side of a Comparison.
struct ComparedRun {
    const Workload& workload;
    const Timeline& timeline;
    std::vector<ProvenanceRow> provenance;  ///< of the recording; empty for its replay
};

/// `rows`: most rows of a list of operations. `arguments` are those of the subcommand.
std::string compare_page(const Comparison& comparison, const ComparedRun& left,
                         const ComparedRun& right, std::size_t rows,
                         const std::vector<std::string>& arguments);

}  // namespace overcast
