// `overcast show` for programs; docs/output-format.md.
#pragma once

#include "report/trace_summary.hpp"

#include <string>
#include <vector>

namespace overcast {

/// One trace with all that `overcast show` says of it.
struct SummarisedTrace {
    Trace trace;
    std::optional<RegionSummary> region;  ///< absent where there is nothing to predict
    Warnings warnings;                    ///< of the trace, the region and the device model
};

/// One object.
std::string trace_summary_json(const SummarisedTrace& summarised);

/// {"schema_version", "results": […]} of what trace_summary_json() gave for each.
std::string trace_summaries_json(const std::vector<std::string>& objects);

/// The header of the CSV.
std::string trace_summary_csv_titles();

/// A row for each kind of work, kernel, stream and host call.
std::string trace_summary_csv_rows(const SummarisedTrace& summarised);

}  // namespace overcast
