// The options that change the recorded program or its machine before anything is played: shared by
// `predict` and `advise`.
#pragma once

#include "cli/command_line.hpp"
#include "core/trace.hpp"
#include "core/warning.hpp"
#include "forecast/prepare.hpp"
#include "model/device_model.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace overcast {

inline constexpr auto kWhatIfOptions = std::to_array<Option>({
    {.name = "pinned", .takes_value = false},
    {.name = "kernel-scale", .repeatable = true},
    {.name = "h2d-bandwidth"},
    {.name = "d2h-bandwidth"},
    {.name = "graph", .takes_value = false},
    {.name = "device-model"},
    {.name = "max-connections"},
    {.name = "overhead", .repeatable = true},
});

/// The help text of a command, with that of the what-ifs where it says {what_if}.
std::string help_with_what_if(std::string_view frame);

/// The options of a command and those of every what-if.
template <std::size_t Count>
constexpr auto with_what_if(const std::array<Option, Count>& own) {
    std::array<Option, Count + kWhatIfOptions.size()> all{};
    std::ranges::copy(own, all.begin());
    std::ranges::copy(kWhatIfOptions, all.begin() + Count);
    return all;
}

/// For the help of a command.
inline constexpr std::string_view kWhatIfHelp =
    R"(What if (changes of the program or the machine before anything is played):
  --pinned               all pageable host memory is pinned
  --kernel-scale NAME=F  kernels with NAME in their name take F times as long
  --h2d-bandwidth RATE   of large pinned copies to the device, such as 25GB/s
  --d2h-bandwidth RATE   likewise to the host
  --graph                what is issued between two waits is one CUDA graph
  --max-connections N    CUDA_DEVICE_MAX_CONNECTIONS [as recorded, else 8]
  --overhead NAME=TIME   replaces a gap measured in the trace: h2d_ovhd,
                         host2kern_ovhd, kern_ovhd, kern2host_ovhd, d2h_ovhd
  --device-model MODEL   a name such as nvidia-h200, or a file [by the GPU's
                         name]; another GPU than the recorded one: its copies,
                         host and SM limits, and the recorded durations of
                         kernels
)";

/// The recorded GPU's model, and what of `options` the what-if options set. Where --device-model
/// names another GPU than the recorded one, that becomes options.what_if.other_device.
/// Throws UsageError.
DeviceModel read_what_if(const CommandLine& line, const Trace& trace, PrepareOptions& options,
                         Warnings& warnings);

/// Throws UsageError for values that cannot be read; needs no trace.
void check_what_if(const CommandLine& line);

}  // namespace overcast
