// Doubt is data: what makes a result less certain travels with it into every report.
#pragma once

#include <string>
#include <vector>

namespace overcast {

/// `code` is stable and meant for programs (`dropped-records`); `text` is one sentence for people
/// that says what was seen and what to do about it.
struct Warning {
    std::string code;
    std::string text;

    bool operator==(const Warning&) const = default;
};

using Warnings = std::vector<Warning>;

/// Adds a warning unless one with the same code and text is there already.
inline void add_warning(Warnings& warnings, Warning warning) {
    for (const auto& known : warnings) {
        if (known == warning) {
            return;
        }
    }
    warnings.push_back(std::move(warning));
}

}  // namespace overcast
