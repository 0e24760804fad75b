#include "cli/command_line.hpp"
#include "cli/each_input.hpp"
#include "cli/output.hpp"
#include "cli/predict_page.hpp"
#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/values.hpp"
#include "cli/what_if_options.hpp"
#include "core/error.hpp"
#include "forecast/predict.hpp"
#include "formats/chrome_timeline_writer.hpp"
#include "formats/format_table.hpp"
#include "report/html/html_page.hpp"
#include "report/prediction_csv.hpp"
#include "report/prediction_json.hpp"
#include "report/prediction_table.hpp"
#include "report/prediction_words.hpp"
#include "report/text_timeline.hpp"
#include "report/wall_time_chart.hpp"
#include "validate/baselines/add_baselines.hpp"
#include "validate/baselines/baseline.hpp"

#include <fmt/format.h>

#include <utility>

namespace overcast {
namespace {

constexpr std::string_view kHelpFrame =
    R"(overcast predict: what a recorded program will do on several streams, without a
GPU.

Usage: overcast predict TRACE… [OPTIONS]

TRACE is a recording of 'overcast trace', a PyTorch trace (.json or .json.gz),
an Nsight Systems export (nsys export --type sqlite) or what nvprof
--print-gpu-trace --csv printed.
Without options, the repeated units of the recorded work are dealt over 1, 2, 3,
4, 6, 8, 12 and 16 streams, depth-first and breadth-first; where there are no
repeated units, each stream runs the whole work once.

What is predicted:
  --streams LIST         1,2,4,8 or 1..16 or a mixture [1..4,6,8,12,16]
  --order LIST           issue order: depth (unit by unit), breadth (operation by
                         operation over all units), recorded [depth,breadth]
  --transform NAME       distribute (deal the units over the streams), replicate
                         (the whole work on every stream), split (cut each unit
                         into parts), as-recorded
                         [distribute if there are units, else replicate]
  --sync POLICY          waits of the program: defer (to the end) or keep
                         [defer; as-recorded: keep]
  --unit CHOICE          auto, whole, nvtx:NAME or count:K [auto]
  --parts P              split: parts of each unit [as many as streams]
  --split-kernels HOW    split: grid (fewer blocks) or duration [grid]

Which part of the trace:
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device ID            one of several GPUs [the busiest]
  --process ID           one of several processes [the busiest]

{what_if}
The model:
  --without RULE         switches a hardware rule off, to see what it is worth
  --no-interval          no 90 % intervals, which take most of the time
  --ignore-counters      predict as if the trace had no hardware counters (trace
                         --counters-into)
  --ignore-code          predict as if it had no machine code of its kernels

Other models, beside the prediction (they leave the host out, some more):
  --baseline NAME        serial: one operation after the other on any streams
                         ideal-overlap: the busiest engine or longest stream
                         trans-kernel-model: that of L. Yu's tool of 2017

Output:
  --format FORMAT        table, json or csv [table]
  -o, --output FILE      instead of standard output
  --chart                below the table: wall times against streams as bars
  --text-timeline        below the table: what streams, engines and host of the
                         best configuration do, from left to right
  --timeline FILE        the best configuration's predicted timeline as Chrome
                         JSON (.json or .json.gz), for ui.perfetto.dev
  --html FILE            all of it as one page for a browser: the figures, a
                         timeline to zoom, warnings; opens without a network
  -h, --help             this text

--kernel-scale, --overhead, --without and --baseline may be given several times.

Examples:
  overcast predict run.json.gz
  overcast predict run.json.gz --streams 1..8 --order breadth --format json
  overcast predict run.json.gz --streams 4 --order depth --text-timeline
  overcast predict run.json.gz --streams 4 --timeline four.json.gz
  overcast predict run.json.gz --html run.html
  overcast predict run.json.gz --pinned --kernel-scale scale=0.5
)";

const std::string& help() {
    static const std::string text = help_with_what_if(kHelpFrame);
    return text;
}

constexpr auto kOptions = with_what_if(std::to_array<Option>({
    {.name = "streams"},
    {.name = "order"},
    {.name = "transform"},
    {.name = "sync"},
    {.name = "unit"},
    {.name = "parts"},
    {.name = "split-kernels"},
    {.name = "range"},
    {.name = "device"},
    {.name = "process"},
    {.name = "without", .repeatable = true},
    {.name = "no-interval", .takes_value = false},
    {.name = "ignore-counters", .takes_value = false},
    {.name = "ignore-code", .takes_value = false},
    {.name = "baseline", .repeatable = true},
    {.name = "format"},
    {.name = "output", .letter = 'o'},
    {.name = "chart", .takes_value = false},
    {.name = "text-timeline", .takes_value = false},
    {.name = "timeline"},
    {.name = "html"},
}));

constexpr std::uint32_t kMostParts = 65'536;

ForecastOptions forecast_options(const CommandLine& line) {
    ForecastOptions options;
    options.extract = extract_options(line);
    options.unit = unit_choice(line);
    options.play_best = line.has("timeline") || line.has("text-timeline") || line.has("html");
    options.intervals = !line.has("no-interval");
    if (const auto text = line.value("transform")) {
        options.transform = parse_transform(*text);
    }
    if (const auto text = line.value("sync")) {
        options.sync = parse_sync_policy(*text);
    }
    if (const auto text = line.value("streams")) {
        options.streams = parse_stream_list(*text);
    }
    if (const auto text = line.value("order")) {
        options.orders = parse_order_list(*text);
    }
    if (const auto text = line.value("parts")) {
        options.parts = parse_number("--parts", *text, 1, kMostParts);
    }
    if (const auto text = line.value("split-kernels")) {
        options.split_kernels = parse_split_kernels(*text);
    }
    check_what_if(line);
    options.rules = rules_of(line);
    return options;
}

void refuse_what_does_not_fit(const CommandLine& line, const ForecastOptions& options) {
    if (line.words().empty()) {
        throw UsageError("no trace given");
    }
    for (const auto& name : line.values("baseline")) {
        find_baseline(name);
    }
    if (line.has("timeline") && line.words().size() > 1) {
        throw UsageError("--timeline takes one trace");
    }
    if (line.has("html") && line.words().size() > 1) {
        throw UsageError("--html takes one trace");
    }
    if (line.has("html")) {
        require_html();
    }
    if ((line.has("parts") || line.has("split-kernels")) && options.transform != Transform::split) {
        throw UsageError("--parts and --split-kernels need --transform split");
    }
    if ((line.has("streams") || line.has("order")) && options.transform == Transform::as_recorded) {
        throw UsageError(
            "--transform as-recorded keeps the recorded streams and order: leave out "
            "--streams and --order");
    }
}

struct Predicted {
    Forecast forecast;
    std::optional<std::string> page;  ///< of --html
};

Predicted predict_trace(const CommandLine& line, const std::string& file, ForecastOptions options,
                        const std::vector<std::string>& arguments) {
    const auto trace = read_trace(file);
    Warnings warnings;
    const auto model = read_what_if(line, trace, options, warnings);
    auto result = forecast(trace, model, options);
    add_baselines(trace, model, options, line.values("baseline"), result.sweep);
    for (const auto& warning : warnings) {
        add_warning(result.sweep.warnings, warning);
    }
    std::optional<std::string> page;
    if (line.has("html")) {
        const auto recorded = extract(trace, tracing_cost_of(trace, model), options.extract);
        page = predict_page(trace, recorded, result, arguments);
    }
    return {std::move(result), std::move(page)};
}

void write_timeline(const Forecast& forecast, const std::string& file) {
    const auto& sweep = forecast.sweep;
    const auto& configuration = sweep.predictions[*sweep.best].configuration;
    const auto scheme = configuration_in_words(configuration);
    TimelineLabels labels;
    labels.title = fmt::format("predicted from {}: {}", sweep.trace, scheme);
    labels.device = sweep.device;
    labels.configuration = fmt::format("{}, sync {}, device model {}", scheme,
                                       to_string(sweep.sync), sweep.device_model);
    write_chrome_timeline(forecast.best.workload, forecast.best.timeline, labels, file);
}

/// What is drawn below the table of one trace.
std::string pictures(const CommandLine& line, const Forecast& forecast,
                     const TerminalStyle& style) {
    const auto& sweep = forecast.sweep;
    std::string result;
    if (line.has("chart")) {
        result += '\n' + wall_time_chart(sweep, style);
    }
    if (line.has("text-timeline") && sweep.best) {
        result +=
            '\n' + text_timeline(
                       forecast.best.workload, forecast.best.timeline,
                       configuration_in_words(sweep.predictions[*sweep.best].configuration), style);
    }
    return result;
}

/// `below`: for each sweep what stands below its table.
std::string report(const std::vector<PredictionSweep>& sweeps,
                   const std::vector<std::string>& below, bool several, OutputFormat format,
                   const TerminalStyle& style) {
    switch (format) {
        case OutputFormat::json:
            return several ? prediction_json(sweeps) : prediction_json(sweeps.front());
        case OutputFormat::csv: return prediction_csv(sweeps);
        case OutputFormat::table: break;
    }
    std::string text;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        text += (text.empty() ? "" : "\n\n") + prediction_table(sweeps[i], style) + below[i];
    }
    return text;
}

int predict(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(help(), {});
        return kSuccess;
    }
    const auto options = forecast_options(line);
    refuse_what_does_not_fit(line, options);
    const auto format = parse_output_format(line.value("format").value_or("table"));
    const auto output = line.value("output");
    for (const auto* picture : {"chart", "text-timeline"}) {
        if (format != OutputFormat::table && line.has(picture)) {
            throw UsageError(fmt::format("--{} belongs to --format table", picture));
        }
    }
    const bool several = line.words().size() > 1;
    const auto style = output_style(output.has_value());

    std::vector<PredictionSweep> sweeps;
    std::vector<std::string> below;
    const int status = for_each_input(line.words(), [&](const std::string& file) {
        auto result = predict_trace(line, file, options, arguments);
        if (const auto timeline = line.value("timeline")) {
            write_timeline(result.forecast, *timeline);
        }
        if (result.page) {
            write_output(*result.page, line.value("html"));
        }
        below.push_back(pictures(line, result.forecast, style));
        sweeps.push_back(std::move(result.forecast.sweep));
    });
    if (!sweeps.empty()) {
        write_output(report(sweeps, below, several, format, style), output);
    }
    return status;
}

}  // namespace

Subcommand predict_subcommand() {
    return {"predict", "predict a recorded program on several streams", help(), predict};
}

}  // namespace overcast
