// Calls of the driver that launch a kernel, by their names and arguments.
#pragma once

#include "core/operation_kinds.hpp"

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast::injection {

/// What a call of the driver means to those who count launches.
enum class LaunchCall : std::uint8_t {
    other,
    plain,           ///< extents are arguments: cuLaunchKernel
    cooperative,     ///< likewise, but arguments are not packed: cuLaunchCooperativeKernel
    extended,        ///< extents are in a structure: cuLaunchKernelEx
    begins_capture,  ///< from here on launches go into a graph and do not run
    ends_capture,
};

/// `name` as CUPTI gives it, with or without ABI suffix.
LaunchCall launch_call(std::string_view name);

struct LaunchExtents {
    Extent grid;
    Extent block;
    std::uint32_t dynamic_shared_memory = 0;
};

/// Reads the argument structure that CUPTI hands to a callback. Nothing for calls that launch none.
std::optional<LaunchExtents> launch_extents(LaunchCall call, const void* arguments);

/// Where a launch has the kernel's arguments.
struct LaunchArguments {
    CUfunction function = nullptr;  ///< or a CUkernel
    void** each = nullptr;          ///< the address of each argument; null: see options
    void** options = nullptr;       ///< pairs up to CU_LAUNCH_PARAM_END: one packed buffer
};

/// Likewise.
std::optional<LaunchArguments> launch_arguments(LaunchCall call, const void* arguments);

}  // namespace overcast::injection
