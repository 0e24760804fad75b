#include "formats/csv_line.hpp"

namespace overcast {
namespace {

/// Takes one quoted field from the start of `rest`, quotes included.
std::optional<std::string> take_quoted(std::string_view& rest) {
    std::string field;
    rest.remove_prefix(1);
    for (;;) {
        const auto quote = rest.find('"');
        if (quote == std::string_view::npos) {
            return std::nullopt;
        }
        field += rest.substr(0, quote);
        rest.remove_prefix(quote + 1);
        if (!rest.starts_with('"')) {
            return field;
        }
        field += '"';
        rest.remove_prefix(1);
    }
}

}  // namespace

std::optional<std::vector<std::string>> split_csv_line(std::string_view line) {
    std::vector<std::string> fields;
    for (;;) {
        if (line.starts_with('"')) {
            auto field = take_quoted(line);
            if (!field || (!line.empty() && line.front() != ',')) {
                return std::nullopt;
            }
            fields.push_back(std::move(*field));
        } else {
            const auto comma = line.find(',');
            fields.emplace_back(line.substr(0, comma));
            line.remove_prefix(fields.back().size());
        }
        if (line.empty()) {
            return fields;
        }
        line.remove_prefix(1);
    }
}

}  // namespace overcast
