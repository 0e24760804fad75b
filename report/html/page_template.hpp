// The page without data, put together at build time (cmake/OvercastHtml.cmake).
#pragma once

#include <string_view>

namespace overcast {

/// Markup, style, scripts and ECharts; empty where this program was built without.
std::string_view page_template();

}  // namespace overcast
