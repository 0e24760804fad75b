// Finds where a JSON value ends, looking at nothing but quotes and brackets.
#pragma once

#include <string_view>

namespace overcast {

enum class ScanProblem : unsigned char { none, incomplete, too_deep, unbalanced };

struct ScanResult {
    const char* end = nullptr;  ///< one past the value; where the problem is otherwise
    ScanProblem problem = ScanProblem::none;
};

/// [begin, end) starts with '{' or '['.
ScanResult scan_container(const char* begin, const char* end, int deepest);

/// [begin, end) starts with '"'.
ScanResult scan_string(const char* begin, const char* end);

constexpr bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// True for what may follow a number, true, false or null.
constexpr bool ends_json_scalar(char c) {
    return is_json_space(c) || c == ',' || c == '}' || c == ']' || c == ':';
}

}  // namespace overcast
