// A table of `overcast show` under its title.
#pragma once

#include "core/operation_kinds.hpp"
#include "report/terminal_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

inline constexpr std::size_t kSummaryKernels = 12;  ///< rows of a table of kernels

using Rows = std::vector<std::vector<std::string>>;

/// "" without rows. `left_out`: how many more there are.
std::string section(std::string_view title, const std::vector<Column>& columns, const Rows& rows,
                    std::size_t left_out, const TerminalStyle& style);

/// "528x2": without the dimensions that are 1.
std::string extent(const Extent& extent);

}  // namespace overcast
