#include "cli/command_line.hpp"
#include "cli/each_input.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "report/trace_summary.hpp"

#include <algorithm>
#include <optional>

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
  -o, --output FILE      instead of standard output
  -h, --help             this text

--range, --device and --process choose the region, not what is counted.

Examples:
  overcast show run.json.gz
  overcast show run.json.gz --unit nvtx:iteration
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "range"},
    {.name = "device"},
    {.name = "process"},
    {.name = "unit"},
    {.name = "device-model"},
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

std::string summary_of(const std::string& file, const CommandLine& line,
                       const TerminalStyle& style) {
    const auto trace = read_trace(file);
    auto warnings = trace.warnings;
    std::optional<RegionSummary> region;
    if (!trace.activities.empty()) {
        const auto model = device_model_for(line, trace, warnings);
        region = region_of(trace, model, line, warnings);
    }
    return trace_summary(trace, region, warnings, style);
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
    const auto output = line.value("output");
    const auto style = output_style(output.has_value());
    std::string text;
    const int status = for_each_input(line.words(), [&](const std::string& file) {
        text += (text.empty() ? "" : "\n\n") + summary_of(file, line, style);
    });
    write_output(text, output);
    return status;
}

}  // namespace

Subcommand show_subcommand() { return {"show", "show what a trace holds", kHelp, show}; }

}  // namespace overcast
