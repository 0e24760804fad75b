// Time against streams, for the page.
#pragma once

#include "core/prediction.hpp"
#include "report/html/html_page.hpp"

namespace overcast {

/// The very object of `--format json`, and the words that stand beside it.
HtmlSection streams_section(const PredictionSweep& sweep);

}  // namespace overcast
