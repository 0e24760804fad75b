// What to change in a program, for the page.
#pragma once

#include "core/diagnosis.hpp"
#include "report/html/html_page.hpp"

namespace overcast {

/// The very object of `advise --format json`.
HtmlSection advice_section(const Advice& advice);

}  // namespace overcast
