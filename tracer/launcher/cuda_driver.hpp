// What the CUDA driver of this machine says about itself.
#pragma once

#include <optional>
#include <string>

namespace overcast {

/// "580.159.03"; absent where no NVIDIA kernel driver is loaded.
std::optional<std::string> kernel_driver_version();

/// "13.0": the newest CUDA that the driver supports; absent where there is no driver.
std::optional<std::string> driver_cuda_version();

/// Why no CUDA program can run here, or nothing where one could. Starts the driver: slow.
std::optional<std::string> why_no_device();

}  // namespace overcast
