// Two runs side by side, for the page.
#pragma once

#include "core/comparison.hpp"
#include "report/html/html_page.hpp"

#include <cstddef>

namespace overcast {

/// The object of `compare --format json`, of whose lists of operations the page holds digests: the
/// `most` that moved and changed most, and what one side alone has, summed up.
HtmlSection comparison_section(const Comparison& comparison, std::size_t most);

}  // namespace overcast
