// Sections that are text: warnings, and where the figures come from.
#pragma once

#include "core/warning.hpp"
#include "report/html/html_page.hpp"

#include <string>
#include <vector>

namespace overcast {

HtmlSection warnings_section(const Warnings& warnings);

struct ProvenanceRow {
    std::string label;  ///< "trace"
    std::string value;  ///< left out where empty
};

/// Trace, device, device model, version, command line: what it takes to make the page again.
HtmlSection provenance_section(const std::vector<ProvenanceRow>& rows);

}  // namespace overcast
