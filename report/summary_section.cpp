#include "report/summary_section.hpp"

#include "report/human_units.hpp"

#include <fmt/format.h>

namespace overcast {

std::string section(std::string_view title, const std::vector<Column>& columns, const Rows& rows,
                    std::size_t left_out, const TerminalStyle& style) {
    if (rows.empty()) {
        return "";
    }
    auto result =
        '\n' + emphasised(title, Emphasis::strong, style) + '\n' + text_table(columns, rows, style);
    if (left_out > 0) {
        result += fmt::format("and {} more\n", human_count(left_out));
    }
    return result;
}

std::string extent(const Extent& e) {
    auto text = std::to_string(e.x);
    if (e.y > 1 || e.z > 1) {
        text += fmt::format("x{}", e.y);
    }
    if (e.z > 1) {
        text += fmt::format("x{}", e.z);
    }
    return text;
}

}  // namespace overcast
