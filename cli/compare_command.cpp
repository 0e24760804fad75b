#include "cli/command_line.hpp"
#include "cli/compare_page.hpp"
#include "cli/output.hpp"
#include "cli/report_page.hpp"
#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "forecast/comparison.hpp"
#include "forecast/replay.hpp"
#include "formats/format_table.hpp"
#include "report/comparison_csv.hpp"
#include "report/comparison_json.hpp"
#include "report/comparison_table.hpp"
#include "report/html/html_page.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast compare: two runs side by side, operation by operation.

Usage: overcast compare TRACE --replayed [OPTIONS]
       overcast compare BEFORE AFTER [OPTIONS]

With --replayed, a recording against itself, played once more by the simulator:
order of calls, host time and durations come from the recording; when the device
does what, and every wait, is simulated. How far the two are apart says how far
a prediction from this trace can be trusted.

With two traces, what a change of the program did. Operations are matched by
what they are (kind, name, bytes or blocks) and by how many of their like came
before them, whatever stream they are in; what one trace alone has is listed.

Options:
  --replayed             compare TRACE with its own replay
  --rows N               rows of the lists of operations [8]
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device ID            one of several GPUs [the busiest]
  --process ID           one of several processes [the busiest]
  --device-model MODEL   a name such as nvidia-h200, or a file
                         [by the GPU's name]
  --without RULE         switches a hardware rule off in the replay; may be
                         given several times
  --format FORMAT        table, json or csv: a line for each operation [table]
  -o, --output FILE      instead of standard output
  --html FILE            also all of it as one page for a browser: the figures,
                         both timelines to zoom; opens without a network
  -h, --help             this text

Examples:
  overcast compare run.json.gz --replayed
  overcast compare before.json.gz after.json.gz --format csv -o moved.csv
  overcast compare before.json.gz after.json.gz --html compared.html
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "replayed", .takes_value = false},
    {.name = "rows"},
    {.name = "range"},
    {.name = "device"},
    {.name = "process"},
    {.name = "device-model"},
    {.name = "without", .repeatable = true},
    {.name = "format"},
    {.name = "output", .letter = 'o'},
    {.name = "html"},
});

constexpr std::uint32_t kMostRows = 1'000'000;

void add_warnings(const Warnings& from, Warnings& to) {
    for (const auto& warning : from) {
        add_warning(to, warning);
    }
}

/// Takes what the page needs while both runs are there.
using PageWriter =
    std::function<void(const Comparison&, const ComparedRun& left, const ComparedRun& right)>;

Comparison compare_with_replay(const CommandLine& line, const PageWriter& write_page) {
    const auto& file = line.words().front();
    const auto trace = read_trace(file);
    Warnings warnings;
    const auto model = device_model_for(line, trace, warnings);
    const ReplayOptions options{.extract = extract_options(line), .rules = rules_of(line)};
    const auto [workload, recorded, replayed] = replay(trace, model, options);
    auto comparison = compare({workload, recorded, "recorded", file},
                              {workload, replayed, "replayed",
                               fmt::format("the same, played with device model {}", model.name)});
    for (const auto* each :
         {&trace.warnings, &std::as_const(warnings), &workload.warnings, &replayed.warnings}) {
        add_warnings(*each, comparison.warnings);
    }
    write_page(comparison, {workload, recorded, provenance_of(trace)}, {workload, replayed, {}});
    return comparison;
}

/// One of two recordings; its doubts are said with its name.
struct Side {
    Extraction recorded;
    Warnings warnings;
    std::vector<ProvenanceRow> provenance;

    [[nodiscard]] ComparedRun run() const {
        return {recorded.workload, recorded.measured, provenance};
    }
};

Side read_side(const CommandLine& line, const std::string& file, std::string_view label) {
    const auto trace = read_trace(file);
    Warnings warnings;
    const auto model = device_model_for(line, trace, warnings);
    Side side{recorded_run(trace, model, extract_options(line)), {}, provenance_of(trace)};
    // No model has a say in what was recorded: its doubts are left out.
    for (const auto* each : {&trace.warnings, &std::as_const(side.recorded.workload.warnings)}) {
        for (const auto& warning : *each) {
            add_warning(side.warnings, {fmt::format("{}:{}", label, warning.code),
                                        fmt::format("{}: {}", label, warning.text)});
        }
    }
    return side;
}

Comparison compare_two(const CommandLine& line, const PageWriter& write_page) {
    const auto& files = line.words();
    const auto before = read_side(line, files[0], "before");
    const auto after = read_side(line, files[1], "after");
    auto comparison =
        compare({before.recorded.workload, before.recorded.measured, "before", files[0]},
                {after.recorded.workload, after.recorded.measured, "after", files[1]});
    add_warnings(before.warnings, comparison.warnings);
    add_warnings(after.warnings, comparison.warnings);
    write_page(comparison, before.run(), after.run());
    return comparison;
}

void refuse_what_does_not_fit(const CommandLine& line) {
    const auto traces = line.words().size();
    if (line.has("replayed") ? traces != 1 : traces != 2) {
        throw UsageError(line.has("replayed") ? "--replayed takes one trace"
                                              : "two traces are needed, or one with --replayed");
    }
    if (line.has("without") && !line.has("replayed")) {
        throw UsageError("--without needs --replayed: two recordings are compared as they are");
    }
    if (line.has("html")) {
        require_html();
    }
}

int compare_traces(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    refuse_what_does_not_fit(line);
    const auto format = parse_output_format(line.value("format").value_or("table"));
    const auto rows = parse_number("--rows", line.value("rows").value_or("8"), 0, kMostRows);
    const auto output = line.value("output");
    const auto write_page = [&](const Comparison& compared, const ComparedRun& left,
                                const ComparedRun& right) {
        if (const auto page = line.value("html")) {
            write_output(compare_page(compared, left, right, rows, arguments), page);
        }
    };
    const auto comparison = line.has("replayed") ? compare_with_replay(line, write_page)
                                                 : compare_two(line, write_page);
    switch (format) {
        case OutputFormat::json: write_output(comparison_json(comparison), output); break;
        case OutputFormat::csv: write_output(comparison_csv(comparison), output); break;
        case OutputFormat::table:
            write_output(comparison_table(comparison, rows, output_style(output.has_value())),
                         output);
            break;
    }
    return kSuccess;
}

}  // namespace

Subcommand compare_subcommand() {
    return {"compare", "put two runs side by side", kHelp, compare_traces};
}

}  // namespace overcast
