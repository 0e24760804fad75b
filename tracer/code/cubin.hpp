// The kernels in a module of machine code, as the driver loads it.
#pragma once

#include "core/kernel_code.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>

namespace overcast {

/// By mangled name. Empty for anything but machine code of compute capability 9.0, which is the
/// only one whose encoding and units were looked at. Never reads beyond the module, whatever it
/// holds.
std::unordered_map<std::string, KernelCode> kernels_of_module(std::span<const std::byte> module);

}  // namespace overcast
