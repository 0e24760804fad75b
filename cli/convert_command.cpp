#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "core/error.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/format_table.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast convert: any trace that is read, as Overcast's own.

Usage: overcast convert IN OUT

IN is a recording of 'overcast trace', a PyTorch trace (.json or .json.gz), an
Nsight Systems export (nsys export --type sqlite) or what nvprof
--print-gpu-trace --csv printed. OUT is a .json or .json.gz file.

What is written is Chrome trace JSON with the names of PyTorch's profiler: it
opens in ui.perfetto.dev, chrome://tracing and tools for PyTorch traces as well.
It holds all that Overcast reads of IN, no less: predictions stay the same. What
IN does not hold (channels, say) is named in warnings, which are kept in OUT.

Options:
  -h, --help             this text

Examples:
  overcast convert report.sqlite report.json.gz
  overcast convert run.csv run.json
)";

constexpr std::array<Option, 0> kOptions{};

bool is_trace_name(const std::string& file) {
    return file.ends_with(".json") || file.ends_with(".json.gz");
}

void check_output(const std::string& input, const std::string& output) {
    if (!is_trace_name(output)) {
        throw UsageError(fmt::format(
            "'{}': must end in .json or .json.gz, the one format that is written", output));
    }
    std::error_code ignored;
    if (std::filesystem::equivalent(input, output, ignored)) {
        throw UsageError(fmt::format("'{}' would replace what it is made from", output));
    }
}

std::string report_of(const Trace& trace, const std::string& output, const TerminalStyle& style) {
    return fmt::format("{}: {} device operations, {} calls, {} waits, {} ranges\n{}", output,
                       trace.activities.size(), trace.api_calls.size(),
                       trace.synchronisations.size(), trace.ranges.size(),
                       warning_paragraphs(trace.warnings, style));
}

int convert(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (line.words().size() != 2) {
        throw UsageError("needs two files: IN OUT");
    }
    const auto& input = line.words()[0];
    const auto& output = line.words()[1];
    check_output(input, output);
    const auto trace = read_trace(input);
    write_chrome_trace(trace, std::filesystem::path{output});
    write_output(report_of(trace, output, output_style(false)), {});
    return kSuccess;
}

}  // namespace

Subcommand convert_subcommand() {
    return {"convert", "write any trace in Overcast's own format", kHelp, convert};
}

}  // namespace overcast
