// One field of a CSV line (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace overcast {

/// In quotes where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace overcast
