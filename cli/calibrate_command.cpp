#include "calibrate/calibration.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/quiet_machine.hpp"
#include "cli/subcommand.hpp"
#include "core/error.hpp"
#include "core/utc_time.hpp"
#include "model/device_model_json.hpp"
#include "tracer/launcher/cuda_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace overcast {
namespace {

constexpr std::string_view kHelp =
    R"(overcast calibrate: measure this machine's GPU and write a device model.

Usage: overcast calibrate [-o FILE] [--quick]

Runs small CUDA programs (overcast-probes), untraced and under the tracer, fits
what copies, gaps, host calls and channels cost here, and writes it as a device
model for --device-model FILE. Takes a minute and a half (99 s on an H100);
nothing else should use the GPU meanwhile. What could not be measured keeps the
installed value and is marked as a default.

Options:
  -o, --output FILE   the device model [NAME-OF-THE-GPU.json]
  --quick             fewer sizes and repetitions, no hardware counters: a
                      quarter of a minute (16 s)
  -h, --help          this text

Examples:
  overcast calibrate
  overcast predict run.json.gz --device-model nvidia-h200.json
)";

constexpr auto kOptions = std::to_array<Option>({
    {.name = "output", .letter = 'o'},
    {.name = "quick", .takes_value = false},
});

std::string summary(const Calibration& made, const std::string& file) {
    const auto parameters = count_parameters(made);
    return fmt::format("overcast: {} parameters of {} measured, {} defaults -> {}\n",
                       parameters.measured, made.model.device.name, parameters.defaults, file);
}

/// Asks in a process of its own, and the driver in this one only for the reason: a process that
/// measures nothing should not hold the device while others measure.
void must_have_a_device(const ProbePrograms& programs) {
    try {
        run_probe({"machine", ProbeMode::untraced}, true, programs);
    } catch (const Error& error) {
        throw CudaError(
            fmt::format("nothing to calibrate: {}", why_no_device().value_or(error.what())));
    }
}

int calibrate(const std::vector<std::string>& arguments) {
    const CommandLine line{kOptions, arguments};
    if (line.asks_for_help()) {
        write_output(kHelp, {});
        return kSuccess;
    }
    if (!line.words().empty()) {
        throw UsageError(fmt::format("'{}' is not expected", line.words().front()));
    }
    const auto programs = ProbePrograms::beside_this_one();
    must_have_a_device(programs);
    warn_of_disturbed_cpus();
    const bool quick = line.has("quick");
    ProgressLine progress;
    const auto complain = [&](const std::string& complaint) {
        progress.clear();
        print_error(complaint);
    };
    const auto runs = run_probes(
        quick, programs,
        [&](std::size_t done, std::size_t steps, const std::string& probe) {
            progress.show(done, steps, probe);
        },
        complain);
    progress.clear();
    CalibrationOptions options;
    options.quick = quick;
    options.driver = kernel_driver_version().value_or("unknown");
    options.date = utc_date_now();
    options.command = quick ? "overcast calibrate --quick" : "overcast calibrate";
    const auto made = fitted(runs, options, complain);
    for (const auto& warning : made.model_warnings) {
        fmt::print(stderr, "overcast: warning: {}\n", warning.text);
    }
    const auto file = line.value("output").value_or(made.model.name + ".json");
    write_output(device_model_json(made.model, made.notes, made.defaults_of), file);
    fmt::print(stderr, "{}", summary(made, file));
    return kSuccess;
}

}  // namespace

Subcommand calibrate_subcommand() {
    return {"calibrate", "measure this machine's GPU: a device model", kHelp, calibrate};
}

}  // namespace overcast
