#include "report/function_name.hpp"

#include <cstddef>
#include <string_view>

namespace overcast {

std::string function_name(std::string name) {
    constexpr std::string_view kVoid = "void ";
    if (name.starts_with(kVoid)) {
        name.erase(0, kVoid.size());
    }
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    for (auto at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed)) {
        name.erase(at, kUnnamed.size());
    }
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (name[i] == '(' && depth == 0) {
            return name.substr(0, i);
        }
    }
    return name;
}

}  // namespace overcast
