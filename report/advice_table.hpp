// Advice for people: the answer in a sentence, the causes by what they cost, the schedule and its
// critical path, in 80 columns.
#pragma once

#include "core/diagnosis.hpp"
#include "report/terminal_style.hpp"

#include <string>
#include <vector>

namespace overcast {

std::string advice_table(const Advice& advice, const TerminalStyle& style);

/// `overcast advise --list`.
std::string diagnosis_list(const std::vector<DiagnosisSummary>& summaries,
                           const TerminalStyle& style);

}  // namespace overcast
