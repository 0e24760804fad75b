// The known causes of missing overlap.
#pragma once

#include "advise/diagnosis_finding.hpp"
#include "core/diagnosis.hpp"

#include <span>
#include <vector>

namespace overcast {

/// All of them, in the order in which their changes are made where several are: memory before the
/// copies that need it, waits before streams, streams before their number, the issue as graphs
/// last.
std::span<const DiagnosisRow> diagnosis_table();

/// For --list.
std::vector<DiagnosisSummary> diagnosis_summaries();

}  // namespace overcast
