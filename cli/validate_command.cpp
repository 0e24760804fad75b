#include "cli/command_line.hpp"
#include "cli/each_input.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "validate/accuracy.hpp"
#include "validate/accuracy_json.hpp"
#include "validate/recorded_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast validate: how far predictions are from what a real GPU did.

Usage: overcast validate --replay DIR… [OPTIONS]

Each DIR holds a case: trace.json.gz, recorded on one stream, and measured.json,
the untraced times of real runs on several streams. Every measured run is
predicted from the trace, and its error is shown beside the noise of the
measurement. Runs on one stream do not count in the means.

Options:
  --replay               compare with recorded runs; needs no GPU
  --unit CHOICE          auto, whole, nvtx:NAME or count:K [auto]
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device-model MODEL   a name such as nvidia-h200, or a file [by the GPU's name]
  --without RULE         switches a hardware rule off, to see what it is worth;
                         may be given several times
  --mean-within PERCENT  exit status 3 if the mean error of a case is larger
  --each-within PERCENT  exit status 3 if the error of a run is larger
  --format FORMAT        table or json [table]
  -o, --output FILE      instead of standard output
  -h, --help             this text

Examples:
  overcast validate --replay traces/h200/*/
  overcast validate --replay traces/h200/pipeline --without duplex
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "replay", .takes_value = false},
    {.name = "unit"},
    {.name = "range"},
    {.name = "device-model"},
    {.name = "without", .repeatable = true},
    {.name = "mean-within"},
    {.name = "each-within"},
    {.name = "format"},
    {.name = "output", .letter = 'o'},
});

/// Absent: anything will do.
struct Tolerance {
    std::optional<double> mean_percent;
    std::optional<double> each_percent;
};

std::optional<double> percentage(const CommandLine& line, std::string_view option) {
    const auto text = line.value(option);
    return text ? std::optional{parse_percentage(fmt::format("--{}", option), *text)}
                : std::nullopt;
}

bool within(const Tolerance& tolerance, const CaseAccuracy& result) {
    if (tolerance.mean_percent && result.summary.mean_percent > *tolerance.mean_percent) {
        return false;
    }
    return !tolerance.each_percent || result.summary.max_percent <= *tolerance.each_percent;
}

/// The recording of a case, compressed or not.
std::filesystem::path trace_of(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder)) {
        throw Error(
            fmt::format("{} is not a folder: give one with trace.json.gz and "
                        "measured.json",
                        folder.string()));
    }
    const auto plain = folder / "trace.json";
    return std::filesystem::exists(plain) ? plain : folder / "trace.json.gz";
}

CaseAccuracy replay(const CommandLine& line, const std::filesystem::path& folder,
                    const ForecastOptions& options) {
    const auto trace = read_trace(trace_of(folder));
    const auto truth = read_recorded_truth(folder / "measured.json");
    Warnings warnings;
    const auto model = device_model_for(line, trace, warnings);
    auto result = measure_accuracy(trace, model, truth, options);
    for (const auto& warning : warnings) {
        add_warning(result.warnings, warning);
    }
    // One program may be recorded in several ways: the folder tells them apart.
    const auto path = folder.lexically_normal();
    result.case_name = (path.has_filename() ? path : path.parent_path()).filename().string();
    return result;
}

int validate(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (line.words().empty()) {
        throw UsageError("no folder with a recorded case given");
    }
    ForecastOptions options;
    options.extract = extract_options(line);
    options.unit = unit_choice(line);
    options.play_best = false;
    for (const auto& rule : line.values("without")) {
        options.rules.switch_off(parse_rule(rule));
    }
    const Tolerance tolerance{percentage(line, "mean-within"), percentage(line, "each-within")};
    const auto format = parse_output_format(line.value("format").value_or("table"));
    if (format == OutputFormat::csv) {
        throw UsageError("--format 'csv': expected table or json");
    }

    std::vector<CaseAccuracy> cases;
    const int status = for_each_input(line.words(), [&](const std::string& folder) {
        cases.push_back(replay(line, folder, options));
    });
    write_output(format == OutputFormat::json ? accuracy_json(cases) : accuracy_table(cases),
                 line.value("output"));
    const bool good =
        std::ranges::all_of(cases, [&](const auto& result) { return within(tolerance, result); });
    return status == kSuccess && !good ? kOutsideTolerance : status;
}

}  // namespace

Subcommand validate_subcommand() {
    return {"validate", "compare predictions with recorded runs", kHelp, validate};
}

}  // namespace overcast
