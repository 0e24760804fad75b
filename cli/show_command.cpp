#include "cli/command_line.hpp"
#include "cli/each_input.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "report/trace_summary.hpp"
#include "report/trace_summary_json.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast show: what a trace holds.

Usage: overcast show TRACE… [OPTIONS]

TRACE is a recording of 'overcast trace', a PyTorch trace (.json or .json.gz),
an Nsight Systems export (nsys export --type sqlite) or what nvprof
--print-gpu-trace --csv printed.

Prints the operations by kind, the kernels, streams and host calls, the repeated
units that were found, the overhead parameters (gaps between operations of one
stream) with their spread, and how far the recording can be trusted.

Options:
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device ID            one of several GPUs [the busiest]
  --process ID           one of several processes [the busiest]
  --unit CHOICE          auto, whole, nvtx:NAME or count:K [auto]
  --device-model MODEL   a name such as nvidia-h200, or a file [by the GPU's name]
  --format FORMAT        table, json or csv [table]
  -o, --output FILE      instead of standard output
  -h, --help             this text

--range, --device and --process choose the region, not what is counted.

Examples:
  overcast show run.json.gz
  overcast show run.json.gz --format json
  overcast show run.json.gz --unit nvtx:iteration
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "range"},
    {.name = "device"},
    {.name = "process"},
    {.name = "unit"},
    {.name = "device-model"},
    {.name = "format"},
    {.name = "output", .letter = 'o'},
});

RegionSummary region_of(const Trace& trace, const DeviceModel& model, const CommandLine& line,
                        Warnings& warnings) {
    auto extraction = extract(trace, tracing_cost_of(trace, model), extract_options(line));
    auto& workload = extraction.workload;
    find_units(workload, unit_choice(line));
    RegionSummary region;
    region.recorded_wall = extraction.measured.wall;
    region.setup = workload.setup;
    region.operations = static_cast<std::uint64_t>(std::ranges::count_if(
        workload.operations,
        [](const Operation& operation) { return enqueues_work(operation.action); }));
    region.units = workload.units;
    region.overheads = extraction.overheads;
    region.device_model = model.name;
    region.transfer_overlap_threshold = model.transfer_overlap_threshold;
    for (const auto& warning : workload.warnings) {
        add_warning(warnings, warning);
    }
    return region;
}

SummarisedTrace summarised(const std::string& file, const CommandLine& line) {
    SummarisedTrace result{read_trace(file), std::nullopt, {}};
    result.warnings = result.trace.warnings;
    if (!result.trace.activities.empty()) {
        const auto model = device_model_for(line, result.trace, result.warnings);
        result.region = region_of(result.trace, model, line, result.warnings);
    }
    return result;
}

/// One trace's share of the output: traces may be too large to hold several.
std::string report(const SummarisedTrace& trace, OutputFormat format, const TerminalStyle& style) {
    switch (format) {
        case OutputFormat::json: return trace_summary_json(trace);
        case OutputFormat::csv: return trace_summary_csv_rows(trace);
        case OutputFormat::table: break;
    }
    return trace_summary(trace.trace, trace.region, trace.warnings, style);
}

std::string joined(const std::vector<std::string>& reports, bool several, OutputFormat format) {
    if (format == OutputFormat::json) {
        return several ? trace_summaries_json(reports) : reports.front();
    }
    auto text = format == OutputFormat::csv ? trace_summary_csv_titles() : std::string{};
    for (std::size_t i = 0; i < reports.size(); ++i) {
        text += (i > 0 && format == OutputFormat::table ? "\n\n" : "") + reports[i];
    }
    return text;
}

int show(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (line.words().empty()) {
        throw UsageError("no trace given");
    }
    const auto format = parse_output_format(line.value("format").value_or("table"));
    const auto output = line.value("output");
    const auto style = output_style(output.has_value());
    std::vector<std::string> reports;
    const int status = for_each_input(line.words(), [&](const std::string& file) {
        reports.push_back(report(summarised(file, line), format, style));
    });
    if (!reports.empty()) {
        write_output(joined(reports, line.words().size() > 1, format), output);
    }
    return status;
}

}  // namespace

Subcommand show_subcommand() { return {"show", "show what a trace holds", kHelp, show}; }

}  // namespace overcast
