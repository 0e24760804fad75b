#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "tracer/launcher/launcher.hpp"

#include <algorithm>
#include <iterator>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast trace: run a CUDA program and record what it does on the GPU.

Usage: overcast trace [OPTIONS] -- PROGRAM [ARGUMENTS…]
       overcast trace --counters-into TRACE -- PROGRAM [ARGUMENTS…]

The program needs no change. Its input, output, signals and exit status pass
through; killed by signal n, the status is 128 + n. If the recording itself cannot
be started, the program is not run and the status is 125 (127: program not found,
126: not executable). Without a GPU, or without CUPTI, the program runs unrecorded
and one line says so.

Options:
  -o, --output FILE   where the trace goes, .json or .json.gz; %p in the name
                      is the process id [PROGRAM.overcast.json.gz]
  --range RANGE       what is kept: all, profiler-api (from cudaProfilerStart to
                      cudaProfilerStop) or nvtx:NAME [all]
  --record MODE       light, full or minimal: what is recorded [light]. full
                      adds what CUPTI itself says of events and waits, and
                      makes every call slower; minimal leaves out all but
                      device work and runtime calls
  --counters-into TRACE
                      instead of a recording: run the program once more, read
                      hardware counters, and add them to TRACE
  -h, --help          this text

--counters-into tells predict what each kernel asks of the GPU's units, so that it
knows which kernels can run side by side. It is a second run of the same program,
and a slow one: the first two launches of each kernel are run five times each, one
at a time, with what they wrote put back in between, which takes 0.03 to 0.2 s a
launch; all other launches run as always, and the program's results do not
change. Kernels that wait for one another or for the host would hang. Many systems
let only root read counters; where they cannot be read the program still runs, and
TRACE stays as it is.

Several processes give one trace each.

Examples:
  overcast trace -- ./app --size 4096
  overcast trace -o run.json.gz --range profiler-api -- python train.py
  overcast trace --counters-into run.json.gz -- python train.py
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "output", .letter = 'o'},
    {.name = "range"},
    {.name = "record"},
    {.name = "counters-into"},
});

using Arguments = std::vector<std::string>;

bool takes_the_next_word(const std::string& argument) {
    return std::ranges::any_of(kOptions, [&](const Option& option) {
        return argument == "--" + std::string{option.name} ||
               (option.letter != 0 && argument == std::string{'-', option.letter});
    });
}

/// Where the traced program's own command line begins: behind "--", else at the first word that is
/// neither an option nor the value of one.
Arguments::const_iterator program_begin(const Arguments& arguments) {
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        if (*at == "--" || !at->starts_with('-')) {
            return at;
        }
        if (takes_the_next_word(*at) && std::next(at) != arguments.end()) {
            ++at;
        }
    }
    return arguments.end();
}

RecordMode parse_record_mode(const std::string& text) {
    const auto mode = record_mode(text);
    if (!mode) {
        throw UsageError("--record '" + text + "': expected light, full or minimal");
    }
    return *mode;
}

int count(const std::string& file, const CommandLine& line, Arguments command) {
    for (const auto* other : {"output", "range", "record"}) {
        if (line.value(other)) {
            throw UsageError(std::string{"--counters-into records nothing: it has no --"} + other);
        }
    }
    if (!file.ends_with(".json") && !file.ends_with(".json.gz")) {
        throw UsageError("--counters-into '" + file +
                         "': counters can only be added to a .json "
                         "or .json.gz trace");
    }
    CountOptions options;
    options.command = std::move(command);
    options.trace = file;
    return run_counted(options);
}

int trace(const Arguments& arguments) {
    auto program = program_begin(arguments);
    const CommandLine line{kOptions, {arguments.begin(), program}};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (program != arguments.end() && *program == "--") {
        ++program;
    }
    if (program == arguments.end()) {
        throw UsageError("no program given: overcast trace -- PROGRAM [ARGUMENTS…]");
    }
    if (const auto file = line.value("counters-into")) {
        return count(*file, line, {program, arguments.end()});
    }
    TraceOptions options;
    options.command = {program, arguments.end()};
    if (const auto file = line.value("output")) {
        options.output = *file;
    }
    if (const auto range = line.value("range")) {
        parse_range(*range);  // refuses what is none
        options.range = *range;
    }
    if (const auto mode = line.value("record")) {
        options.mode = parse_record_mode(*mode);
    }
    return run_traced(options);
}

}  // namespace

Subcommand trace_subcommand() {
    return {"trace",
            "run a CUDA program on a GPU and record it",
            kHelp,
            trace,
            kLauncherFailure,
            kLauncherFailure};
}

}  // namespace overcast
