#include "cli/validate_inputs.hpp"

#include "cli/output.hpp"
#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "core/error.hpp"
#include "model/device_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace overcast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTruth = "measured.json";
constexpr std::string_view kSameSitting = "device-model.json";
constexpr std::string_view kTolerances = "tolerances.json";

std::vector<fs::path> cases_in(const fs::path& folder) {
    std::error_code failed;
    if (fs::exists(folder / kTruth, failed)) {
        return {folder};
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator{folder, failed}) {
        if (fs::exists(entry.path() / kTruth, failed)) {
            found.push_back(entry.path());
        }
    }
    if (found.empty()) {
        throw Error(fmt::format(
            "{} holds no recorded case: give a folder with trace.json.gz and measured.json, or a "
            "folder of such folders",
            folder.string()));
    }
    std::ranges::sort(found);
    return found;
}

std::string name_of(const fs::path& folder) {
    const auto path = folder.lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// A file of that name in a case's folder or beside it, if there is one.
std::optional<fs::path> beside(const fs::path& folder, std::string_view name) {
    std::error_code failed;
    const auto parent = fs::absolute(folder / "..", failed).lexically_normal();
    for (const auto& place : {folder, parent}) {
        if (fs::exists(place / name, failed)) {
            return place / name;
        }
    }
    return std::nullopt;
}

/// Of the command line alone.
ForecastOptions options_of(const CommandLine& line) {
    ForecastOptions options;
    options.extract = extract_options(line);
    options.unit = unit_choice(line);
    options.rules = rules_of(line);
    return options;
}

ForecastOptions options_for(const CommandLine& line, const RecordedTruth& truth) {
    auto options = options_of(line);
    if (!line.has("unit")) {
        options.unit = parse_unit_choice(truth.unit);
    }
    return options;
}

struct Judged {
    CaseAccuracy ours;
    std::optional<CaseAccuracy> with_installed_parameters;
};

Judged judge_case(const CommandLine& line, const fs::path& folder, const CaseTimelineKeeper& keep) {
    const auto recorded = read_recorded_case(folder);
    const auto options = options_for(line, recorded.truth);
    Warnings warnings;
    const auto installed = device_model_for(line, recorded.trace, warnings);
    const auto own = line.has("device-model") ? std::nullopt : beside(folder, kSameSitting);
    TimelineKeeper keep_of_case;
    if (keep) {
        keep_of_case = [&](const RecordedRun& run, Extraction actual,
                           PlayedConfiguration predicted) {
            keep(name_of(folder), run, std::move(actual), std::move(predicted));
        };
    }
    Judged judged{measure_accuracy(recorded, own ? load_device_model(own->string()) : installed,
                                   options, keep_of_case),
                  std::nullopt};
    for (const auto& warning : warnings) {
        add_warning(judged.ours.warnings, warning);
    }
    if (own) {
        judged.with_installed_parameters = measure_accuracy(recorded, installed, options);
    }
    return judged;
}

}  // namespace

void refuse_wrong_inputs(const CommandLine& line) {
    options_of(line);
    if (const auto model = line.value("device-model")) {
        load_device_model(*model);
    }
    if (const auto file = line.value("tolerances"); file && !line.has("no-tolerances")) {
        read_tolerances(*file);
    }
}

std::vector<fs::path> case_folders(const std::vector<std::string>& folders,
                                   const std::vector<std::string>& names) {
    std::vector<fs::path> found;
    for (const auto& folder : folders) {
        const auto cases = cases_in(folder);
        found.insert(found.end(), cases.begin(), cases.end());
    }
    if (names.empty()) {
        return found;
    }
    std::vector<fs::path> chosen;
    for (const auto& name : names) {
        const auto place = std::ranges::find(found, name, name_of);
        if (place == found.end()) {
            std::string known;
            for (const auto& folder : found) {
                known += (known.empty() ? "" : ", ") + name_of(folder);
            }
            throw UsageError(
                fmt::format("--case '{}': there is no such case; known: {}", name, known));
        }
        chosen.push_back(*place);
    }
    return chosen;
}

AccuracyReport judged_cases(const CommandLine& line, const std::vector<fs::path>& folders,
                            int& status, const CaseTimelineKeeper& keep) {
    std::vector<CaseAccuracy> cases;
    std::vector<CaseAccuracy> with_installed;
    std::set<std::string> said;  // what they have in common, such as a device model, once
    for (const auto& folder : folders) {
        try {
            auto judged = judge_case(line, folder, keep);
            cases.push_back(std::move(judged.ours));
            if (judged.with_installed_parameters) {
                with_installed.push_back(*std::move(judged.with_installed_parameters));
            }
        } catch (const UsageError&) {
            throw;
        } catch (const Error& error) {
            if (folders.size() == 1) {
                throw;
            }
            if (said.insert(error.what()).second) {
                print_error(error.what());
            }
            status = kFailure;
        }
    }
    if (cases.empty()) {
        throw Error(fmt::format("none of the {} cases could be read", folders.size()));
    }
    return make_report(std::move(cases), with_installed);
}

std::optional<Tolerances> tolerances_beside(const std::vector<fs::path>& folders) {
    std::optional<fs::path> common;
    for (const auto& folder : folders) {
        const auto file = beside(folder, kTolerances);
        if (!file || (common && *common != *file)) {
            return std::nullopt;
        }
        common = file;
    }
    return common ? std::optional{read_tolerances(*common)} : std::nullopt;
}

}  // namespace overcast
