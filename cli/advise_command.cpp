#include "advise/advise.hpp"
#include "advise/diagnosis_table.hpp"
#include "cli/advise_page.hpp"
#include "cli/command_line.hpp"
#include "cli/each_input.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/values.hpp"
#include "cli/what_if_options.hpp"
#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "report/advice_csv.hpp"
#include "report/advice_json.hpp"
#include "report/advice_table.hpp"
#include "report/html/html_page.hpp"

#include <fmt/format.h>

#include <utility>

namespace overcast {
namespace {

constexpr std::string_view kHelpFrame =
    R"(overcast advise: what keeps a recorded program from overlapping, and what each
cause costs.

Usage: overcast advise TRACE… [OPTIONS]
       overcast advise --list

For each cause that is found the program is played again without it: alone, and
with all other causes gone. Then the best schedule is searched (streams, order,
units in turn, CUDA_DEVICE_MAX_CONNECTIONS, units cut into parts); the critical
path shows what limits it.

  --list                 the causes that are looked for
  --streams LIST         numbers of streams to try [1..4,6,8,12,16]
  --order LIST           orders to try: depth, breadth [depth,breadth]
  --made LIST            causes that count as removed already, such as
                         unit-waits,one-stream: savings are beyond theirs
  --no-cut               do not try to cut units into parts
  --unit CHOICE          auto, whole, nvtx:NAME or count:K [auto]
  --no-interval          no 90 % intervals

Which part of the trace:
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device ID            one of several GPUs [the busiest]
  --process ID           one of several processes [the busiest]
  --ignore-counters      as if the trace had no hardware counters
  --ignore-code          as if the trace had no machine code of its kernels

{what_if}
Output:
  --format FORMAT        table, json or csv [table]
  -o, --output FILE      instead of standard output
  --html FILE            also all of it as one page for a browser: what to
                         change, the schedule, a timeline to zoom; opens
                         without a network
  -h, --help             this text

Examples:
  overcast advise run.json.gz
  overcast advise run.json.gz --pinned --streams 1..8
  overcast advise run.json.gz --html advice.html
)";

const std::string& help() {
    static const std::string text = help_with_what_if(kHelpFrame);
    return text;
}

constexpr auto kOptions = with_what_if(std::to_array<Option>({
    {.name = "list", .takes_value = false},
    {.name = "streams"},
    {.name = "order"},
    {.name = "made"},
    {.name = "no-cut", .takes_value = false},
    {.name = "unit"},
    {.name = "no-interval", .takes_value = false},
    {.name = "range"},
    {.name = "device"},
    {.name = "process"},
    {.name = "ignore-counters", .takes_value = false},
    {.name = "ignore-code", .takes_value = false},
    {.name = "format"},
    {.name = "output", .letter = 'o'},
    {.name = "html"},
}));

AdviseOptions advise_options(const CommandLine& line) {
    AdviseOptions options;
    options.extract = extract_options(line);
    options.unit = unit_choice(line);
    options.intervals = !line.has("no-interval");
    if (const auto text = line.value("streams")) {
        options.search.streams = parse_stream_list(*text);
    }
    if (const auto text = line.value("order")) {
        options.search.orders = parse_order_list(*text);
    }
    if (const auto text = line.value("made")) {
        options.made = parse_words(*text);
    }
    if (line.has("no-cut")) {
        options.search.parts.clear();
    }
    check_what_if(line);
    return options;
}

Advice advise_on(const CommandLine& line, const std::string& file, AdviseOptions options,
                 const std::vector<std::string>& arguments) {
    const auto trace = read_trace(file);
    Warnings warnings;
    const auto model = read_what_if(line, trace, options, warnings);
    auto result = advise_and_play(trace, model, options);
    for (const auto& warning : warnings) {
        add_warning(result.advice.warnings, warning);
    }
    if (const auto page = line.value("html")) {
        const auto recorded = extract(trace, tracing_cost_of(trace, model), options.extract);
        write_output(advise_page(trace, recorded, result, arguments), page);
    }
    return std::move(result.advice);
}

void refuse_what_does_not_fit(const CommandLine& line) {
    if (line.words().empty()) {
        throw UsageError("no trace given");
    }
    if (line.has("html")) {
        if (line.words().size() > 1) {
            throw UsageError("--html takes one trace");
        }
        require_html();
    }
}

std::string report(const std::vector<Advice>& advice, OutputFormat format,
                   const TerminalStyle& style) {
    switch (format) {
        case OutputFormat::json: return advice_json(advice);
        case OutputFormat::csv: return advice_csv(advice);
        case OutputFormat::table: break;
    }
    std::string text;
    for (const auto& one : advice) {
        text += (text.empty() ? "" : "\n\n") + advice_table(one, style);
    }
    return text;
}

int advise_command(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(help(), {});
        return kSuccess;
    }
    const auto output = line.value("output");
    const auto style = output_style(output.has_value());
    if (line.has("list")) {
        write_output(diagnosis_list(diagnosis_summaries(), style), output);
        return kSuccess;
    }
    const auto options = advise_options(line);
    refuse_what_does_not_fit(line);
    const auto format = parse_output_format(line.value("format").value_or("table"));
    std::vector<Advice> advice;
    const int status = for_each_input(line.words(), [&](const std::string& file) {
        advice.push_back(advise_on(line, file, options, arguments));
    });
    if (!advice.empty()) {
        write_output(report(advice, format, style), output);
    }
    return status;
}

}  // namespace

Subcommand advise_subcommand() {
    return {"advise", "say what keeps a program from overlapping", help(), advise_command};
}

}  // namespace overcast
