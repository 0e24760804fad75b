#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "core/error.hpp"
#include "model/device_model.hpp"
#include "report/terminal_text.hpp"
#include "tracer/doctor/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast doctor: what this machine offers, and what stands in the way.

Usage: overcast doctor

Looks at the GPU and its link, the driver, the tracer and CUPTI, the permission
to read hardware counters, the parameters that Overcast has for this GPU, and
the variables that change what CUDA programs do. Each line is ok, a warning or a
fault; what can be done about it stands below. Exit status 1 if there is a fault.

Options:
  -o, --output FILE  instead of standard output
  -h, --help         this text

Examples:
  overcast doctor
  overcast doctor && overcast validate --case pipeline
)";

constexpr auto kOptions = std::to_array<Option>({{.name = "output", .letter = 'o'}});

/// Whether predictions for these GPUs rest on measured parameters.
void add_device_models(const MachineFacts& facts, std::vector<Finding>& found) {
    for (const auto& gpu : facts.gpus) {
        if (const auto model = find_device_model(gpu.name)) {
            found.push_back(
                {Health::ok, "parameters", fmt::format("{} for {}", model->name, gpu.name), ""});
        } else {
            found.push_back(
                {Health::warning, "parameters",
                 fmt::format("none for {}: predictions borrow those of another GPU", gpu.name),
                 "measure them: overcast calibrate; then --device-model FILE"});
        }
    }
}

std::string line_of(const Finding& finding, std::size_t width, const TerminalStyle& style) {
    constexpr std::size_t kHealthWidth = 9;
    const auto emphasis = finding.health == Health::ok        ? Emphasis::good
                          : finding.health == Health::warning ? Emphasis::strong
                                                              : Emphasis::alarming;
    const auto first = left_aligned(to_string(finding.health), kHealthWidth) +
                       left_aligned(finding.subject, width) + "  ";
    auto text = wrapped(printable(finding.found), first);
    text.replace(0, to_string(finding.health).size(),
                 emphasised(to_string(finding.health), emphasis, style));
    if (!finding.remedy.empty()) {
        text += wrapped(finding.remedy, std::string(kHealthWidth + width + 2, ' '));
    }
    return text;
}

int doctor(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (!line.words().empty()) {
        throw UsageError(fmt::format("'{}': doctor takes no argument", line.words().front()));
    }
    const auto facts = machine_facts();
    auto found = findings(facts);
    add_device_models(facts, found);
    std::size_t width = 0;
    for (const auto& finding : found) {
        width = std::max(width, display_width(finding.subject));
    }
    const auto style = output_style(line.has("output"));
    std::string text;
    for (const auto& finding : found) {
        text += line_of(finding, width, style);
    }
    write_output(text, line.value("output"));
    const bool faulty = std::ranges::any_of(
        found, [](const auto& finding) { return finding.health == Health::fault; });
    return faulty ? kFailure : kSuccess;
}

}  // namespace

Subcommand doctor_subcommand() {
    return {"doctor", "what this machine offers, and what is in the way", kHelp, doctor};
}

}  // namespace overcast
