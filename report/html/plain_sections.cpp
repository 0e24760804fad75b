#include "report/html/plain_sections.hpp"

#include "formats/chrome_event_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace overcast {

HtmlSection warnings_section(const Warnings& warnings) {
    std::vector<std::string> rows;
    for (const auto& warning : warnings) {
        rows.push_back(fmt::format(R"({{"code":{},"text":{}}})", json_string(warning.code),
                                   json_string(warning.text)));
    }
    return {"warnings", fmt::format("[{}]", fmt::join(rows, ","))};
}

HtmlSection provenance_section(const std::vector<ProvenanceRow>& rows) {
    std::vector<std::string> known;
    for (const auto& row : rows) {
        if (!row.value.empty()) {
            known.push_back(fmt::format(R"({{"label":{},"value":{}}})", json_string(row.label),
                                        json_string(row.value)));
        }
    }
    return {"provenance", fmt::format("[{}]", fmt::join(known, ","))};
}

}  // namespace overcast
