// One line of comma-separated values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// The fields of one line without its end, without their quotes (RFC 4180: a quoted field may hold
/// commas, and "" for a quote). nullopt where a quote is not closed or text follows a closed one.
std::optional<std::vector<std::string>> split_csv_line(std::string_view line);

}  // namespace overcast
