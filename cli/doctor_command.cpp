#include "cli/command_line.hpp"
#include "cli/doctor_report.hpp"
#include "cli/output.hpp"
#include "cli/subcommand.hpp"
#include "cli/values.hpp"
#include "core/error.hpp"
#include "model/device_model.hpp"
#include "tracer/doctor/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast doctor: what this machine offers, and what stands in the way.

Usage: overcast doctor [OPTIONS]

Looks at the GPU and its link, the driver, the tracer and CUPTI, the permission
to read hardware counters, the parameters that Overcast has for this GPU, and
the variables that change what CUDA programs do. Each line is ok, a warning or a
fault; what can be done about it stands below. Exit status 1 if there is a fault.

Options:
  --format FORMAT    table, json or csv [table]
  -o, --output FILE  instead of standard output
  -h, --help         this text

Examples:
  overcast doctor
  overcast doctor && overcast validate --case pipeline
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "format"},
    {.name = "output", .letter = 'o'},
});

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

int doctor(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (!line.words().empty()) {
        throw UsageError(fmt::format("'{}': doctor takes no argument", line.words().front()));
    }
    const auto format = parse_output_format(line.value("format").value_or("table"));
    const auto facts = machine_facts();
    auto found = findings(facts);
    add_device_models(facts, found);
    write_output(doctor_report(found, format, output_style(line.has("output"))),
                 line.value("output"));
    const bool faulty = std::ranges::any_of(
        found, [](const auto& finding) { return finding.health == Health::fault; });
    return faulty ? kFailure : kSuccess;
}

}  // namespace

Subcommand doctor_subcommand() {
    return {"doctor", "what this machine offers, and what is in the way", kHelp, doctor};
}

}  // namespace overcast
