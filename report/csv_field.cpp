#include "report/csv_field.hpp"

namespace overcast {

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string{text};
    }
    std::string result = "\"";
    for (const char c : text) {
        result += c == '"' ? std::string{"\"\""} : std::string{c};
    }
    return result + '"';
}

}  // namespace overcast
