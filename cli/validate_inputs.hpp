// What `validate` reads: recorded cases, their device model, the tolerances.
#pragma once

#include "cli/command_line.hpp"
#include "validate/accuracy/accuracy_report.hpp"
#include "validate/accuracy/tolerances.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// Throws Error or UsageError for what predictions could not be made or judged with: a wrong rule,
/// unit, device model or file of tolerances, before minutes are spent on measuring.
void refuse_wrong_inputs(const CommandLine& line);

/// Every recorded case in `folders`: a folder that holds measured.json, or those below it that do,
/// by name. `names`: only these, if any. Throws Error where a folder holds none, UsageError for a
/// name that no folder has.
std::vector<std::filesystem::path> case_folders(const std::vector<std::string>& folders,
                                                const std::vector<std::string>& names);

using CaseTimelineKeeper = std::function<void(const std::string& folder, const RecordedRun& run,
                                              Extraction actual, PlayedConfiguration predicted)>;

/// Predicts and judges each folder; with the parameters of the same sitting (device-model.json
/// beside the cases) also with the installed ones. A case that cannot be read is said, each reason
/// once, and left out, and `status` becomes kFailure. Throws Error where none can be. `keep` gets
/// the timelines of each case, under its folder.
AccuracyReport judged_cases(const CommandLine& line,
                            const std::vector<std::filesystem::path>& folders, int& status,
                            const CaseTimelineKeeper& keep = {});

/// Those of tolerances.json beside the cases; absent where one has none, or another one.
std::optional<Tolerances> tolerances_beside(const std::vector<std::filesystem::path>& folders);

}  // namespace overcast
