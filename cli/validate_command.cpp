#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/quiet_machine.hpp"
#include "cli/subcommand.hpp"
#include "cli/trace_selection.hpp"
#include "cli/validate_inputs.hpp"
#include "cli/validate_page.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "report/html/html_page.hpp"
#include "tracer/launcher/cuda_driver.hpp"
#include "validate/accuracy/accuracy_report.hpp"
#include "validate/accuracy/tolerances.hpp"
#include "validate/live/recorder.hpp"
#include "validate/report/accuracy_csv.hpp"
#include "validate/report/accuracy_json.hpp"
#include "validate/report/accuracy_markdown.hpp"
#include "validate/report/accuracy_table.hpp"
#include "validate/report/error_plot.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>

namespace overcast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHelp =
    R"(overcast validate: how far predictions are from what a real GPU does.

Usage: overcast validate [OPTIONS]
       overcast validate --replay DIR… [OPTIONS]

Without --replay: runs the CUDA workloads of overcast-cases on this machine's
GPU, records each on one stream, measures it untraced on several, predicts the
measured runs from the recording alone, and shows the error beside the noise of
the measurement. With --replay: the same from recorded runs, without a GPU. Runs
on one stream count in no figure.

Options:
  --replay               DIR holds a recorded case (trace.json.gz and
                         measured.json), or folders with one each
  --case NAME            only this case; may be given several times [all but the
                         pairs of kernels, co_run_pairs_a and co_run_pairs_b]
  --preset PRESET        sizes of the cases: h200, seed (as published) or small
                         (the least that shows every path) [h200]
  --streams LIST         1,2,4,8 or 1..16 instead of the suite's
  --repetitions N        runs of one series; each series is run at least twice
                         [15]
  --record DIR           keep traces, measured times and timelines in DIR
  --counters             run each case once more and add hardware counters to its
                         trace (as trace --counters-into does), by which kernels
                         side by side are predicted best; a case for which there
                         are none is kept without

  --unit CHOICE          auto, whole, nvtx:NAME or count:K [what was recorded]
  --range RANGE          all, profiler-api or nvtx:NAME [what was recorded]
  --device-model MODEL   a name such as nvidia-h200, or a file [device-model.json
                         beside the recorded cases, else by the GPU's name]
  --without RULE         switches a hardware rule off, to see what it is worth;
                         may be given several times
  --ignore-counters      predict as if the traces had no hardware counters
  --ignore-code          predict as if they had no machine code of the kernels
  --tolerances FILE      exit status 3 if an error is larger than this file
                         allows [tolerances.json beside the recorded cases]
  --no-tolerances        do not judge

  --format FORMAT        table, json, csv or markdown [table]
  --summary              table: without a line for every run
  --plot FILE            also draw the errors by family (SVG)
  --html FILE            also all of it as one page for a browser: predicted and
                         measured times against streams, timelines side by side
  -o, --output FILE      instead of standard output
  -h, --help             this text

Examples:
  overcast validate --case pipeline --streams 1,2,4
  overcast validate --record my-gpu
  overcast validate --replay traces/h200 --summary
  overcast validate --replay traces/h200/pipeline --without duplex
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "replay", .takes_value = false},
    {.name = "case", .repeatable = true},
    {.name = "preset"},
    {.name = "streams"},
    {.name = "repetitions"},
    {.name = "record"},
    {.name = "unit"},
    {.name = "range"},
    {.name = "device-model"},
    {.name = "without", .repeatable = true},
    {.name = "counters", .takes_value = false},
    {.name = "ignore-counters", .takes_value = false},
    {.name = "ignore-code", .takes_value = false},
    {.name = "tolerances"},
    {.name = "no-tolerances", .takes_value = false},
    {.name = "format"},
    {.name = "summary", .takes_value = false},
    {.name = "plot"},
    {.name = "html"},
    {.name = "output", .letter = 'o'},
});

constexpr std::uint32_t kMostRepetitions = 10'000;

enum class ReportFormat : std::uint8_t { table, json, csv, markdown };

ReportFormat report_format(const CommandLine& line) {
    const auto text = line.value("format").value_or("table");
    if (text == "markdown") {
        return ReportFormat::markdown;
    }
    switch (parse_output_format(text)) {
        case OutputFormat::json: return ReportFormat::json;
        case OutputFormat::csv: return ReportFormat::csv;
        case OutputFormat::table: break;
    }
    return ReportFormat::table;
}

void refuse_what_does_not_fit(const CommandLine& line) {
    const bool replays = line.has("replay");
    if (replays && line.words().empty()) {
        throw UsageError("--replay: no folder with recorded cases given");
    }
    if (!replays && !line.words().empty()) {
        throw UsageError(
            fmt::format("'{}': folders with recorded cases need --replay", line.words().front()));
    }
    for (const auto* option : {"preset", "streams", "repetitions", "record", "counters"}) {
        if (replays && line.has(option)) {
            throw UsageError(
                fmt::format("--{} belongs to a run on a GPU, not to --replay", option));
        }
    }
}

// A signal handler can reach nothing else.
std::atomic<bool> g_stop{false};

/// While it lives, Ctrl-C ends the measuring, not the program.
class StopOnInterrupt {
public:
    StopOnInterrupt() {
        struct sigaction action {};
        action.sa_handler = [](int) { g_stop = true; };
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, &before_);
    }
    ~StopOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

private:
    struct sigaction before_ {};
};

RecordOptions record_options(const CommandLine& line) {
    RecordOptions options;
    options.cases = line.values("case");
    options.preset = line.value("preset").value_or("h200");
    if (options.preset != "h200" && options.preset != "seed" && options.preset != "small") {
        throw UsageError(
            fmt::format("--preset '{}': expected h200, seed or small", options.preset));
    }
    if (const auto text = line.value("streams")) {
        options.streams = parse_stream_list(*text);
    }
    if (const auto text = line.value("repetitions")) {
        options.repetitions = parse_number("--repetitions", *text, 1, kMostRepetitions);
    }
    options.timelines = line.has("record");
    options.counters = line.has("counters");
    return options;
}

/// Measures on this machine's GPU into `folder`.
std::vector<fs::path> record_here(const CommandLine& line, const fs::path& folder, int& status) {
    const auto options = record_options(line);
    chosen_cases(options.cases);  // refuses a wrong name before anything is run
    const auto programs = Programs::beside_this_one();
    if (const auto reason = why_no_device()) {
        throw Error(fmt::format(
            "nothing can be measured here: {}; --replay DIR works without a GPU", *reason));
    }
    warn_of_disturbed_cpus();
    const StopOnInterrupt interruptible;
    ProgressLine progress;
    const auto recorded = record_suite(
        options, programs, folder,
        [&](std::size_t done, std::size_t steps, const std::string& next) {
            progress.show(done, steps, next);
        },
        [&](const std::string& complaint) {
            progress.clear();
            print_error(complaint);
            status = kFailure;
        },
        g_stop);
    progress.clear();
    if (g_stop) {
        print_error("interrupted: what follows is about the runs that were finished");
        status = kFailure;
    }
    if (recorded.empty()) {
        throw Error("no case was measured");
    }
    return recorded;
}

std::string written(const AccuracyReport& report, const CommandLine& line, ReportFormat format) {
    const auto plot = line.value("plot");
    switch (format) {
        case ReportFormat::json: return accuracy_json(report);
        case ReportFormat::csv: return accuracy_csv(report);
        case ReportFormat::markdown: {
            std::string command = "overcast validate --replay";
            for (const auto& word : line.words()) {
                command += " " + word;
            }
            command += " --format markdown";
            if (plot) {
                command += " --plot " + *plot;
            }
            if (const auto output = line.value("output")) {
                command += " -o " + *output;
            }
            return accuracy_markdown(report, command,
                                     plot ? fs::path{*plot}.filename().string() : "");
        }
        case ReportFormat::table: break;
    }
    AccuracyTableOptions options;
    options.every_run = !line.has("summary");
    return accuracy_table(report, options, output_style(line.has("output")));
}

int judge(const CommandLine& line, const std::vector<fs::path>& folders,
          const AccuracyReport& report, int status) {
    if (line.has("no-tolerances")) {
        return status;
    }
    const auto file = line.value("tolerances");
    const auto tolerances =
        file ? std::optional{read_tolerances(*file)} : tolerances_beside(folders);
    if (!tolerances) {
        return status;
    }
    const auto found = violations(report, *tolerances);
    for (const auto& violation : found) {
        print_error(violation);
    }
    return status == kSuccess && !found.empty() ? kOutsideTolerance : status;
}

int validate(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    refuse_what_does_not_fit(line);
    refuse_wrong_inputs(line);
    if (line.has("html")) {
        require_html();
    }
    const auto format = report_format(line);
    int status = kSuccess;
    std::vector<fs::path> folders;
    std::optional<TemporaryFolder> temporary;
    if (line.has("replay")) {
        folders = case_folders(line.words(), line.values("case"));
    } else {
        const auto kept = line.value("record");
        if (!kept) {
            temporary.emplace();
        }
        folders = record_here(line, kept ? fs::path{*kept} : temporary->path(), status);
    }
    ComparedTimelines timelines;
    const auto report = judged_cases(line, folders, status,
                                     line.has("html") ? timelines.keeper() : CaseTimelineKeeper{});
    write_output(written(report, line, format), line.value("output"));
    if (const auto plot = line.value("plot")) {
        write_output(error_plot(report), plot);
    }
    if (const auto page = line.value("html")) {
        write_output(validate_page(report, timelines, arguments), page);
    }
    return judge(line, folders, report, status);
}

}  // namespace

Subcommand validate_subcommand() {
    return {"validate", "compare predictions with real runs", kHelp, validate};
}

}  // namespace overcast
