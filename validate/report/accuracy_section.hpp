// The accuracy of predictions, for the page of `validate --html`.
#pragma once

#include "report/html/html_page.hpp"
#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

/// The very object of `--format json`.
HtmlSection accuracy_section(const AccuracyReport& report);

/// "497 configurations of 54 cases: predictions are off by 6.37 % on average, …": one sentence.
std::string accuracy_in_words(const AccuracyReport& report);

/// How often the intervals hold the truth, and the noise of that truth.
std::string trust_in_words(const AccuracyReport& report);

}  // namespace overcast
