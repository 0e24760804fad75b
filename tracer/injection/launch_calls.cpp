#include "tracer/injection/launch_calls.hpp"

#include "tracer/injection/api_names.hpp"

namespace overcast::injection {
namespace {

// CUPTI hands out the arguments as a structure in declaration order. Its own header of these
// structures cannot be included beside cuda.h without the types of CUDA 1.

/// Of cuLaunchKernel; cuLaunchCooperativeKernel has the same arguments but the last.
struct PlainArguments {
    CUfunction function;
    unsigned int grid_x;
    unsigned int grid_y;
    unsigned int grid_z;
    unsigned int block_x;
    unsigned int block_y;
    unsigned int block_z;
    unsigned int shared_memory;
    CUstream stream;
    void** each;
    void** options;
};

/// Of cuLaunchKernelEx.
struct ExtendedArguments {
    const CUlaunchConfig* config;
    CUfunction function;
    void** each;
    void** options;
};

}  // namespace

LaunchCall launch_call(std::string_view name) {
    const auto plain_name = without_abi_suffix(name);
    if (plain_name == "cuLaunchKernel") {
        return LaunchCall::plain;
    }
    if (plain_name == "cuLaunchCooperativeKernel") {
        return LaunchCall::cooperative;
    }
    if (plain_name == "cuLaunchKernelEx") {
        return LaunchCall::extended;
    }
    if (plain_name.starts_with("cuStreamBeginCapture")) {
        return LaunchCall::begins_capture;
    }
    if (plain_name == "cuStreamEndCapture") {
        return LaunchCall::ends_capture;
    }
    return LaunchCall::other;
}

std::optional<LaunchExtents> launch_extents(LaunchCall call, const void* arguments) {
    if (arguments == nullptr) {
        return std::nullopt;
    }
    if (call == LaunchCall::plain || call == LaunchCall::cooperative) {
        const auto& launch = *static_cast<const PlainArguments*>(arguments);
        return LaunchExtents{{launch.grid_x, launch.grid_y, launch.grid_z},
                             {launch.block_x, launch.block_y, launch.block_z},
                             launch.shared_memory};
    }
    if (call == LaunchCall::extended) {
        const auto* const config = static_cast<const ExtendedArguments*>(arguments)->config;
        if (config != nullptr) {
            return LaunchExtents{{config->gridDimX, config->gridDimY, config->gridDimZ},
                                 {config->blockDimX, config->blockDimY, config->blockDimZ},
                                 config->sharedMemBytes};
        }
    }
    return std::nullopt;
}

std::optional<LaunchArguments> launch_arguments(LaunchCall call, const void* arguments) {
    if (arguments == nullptr) {
        return std::nullopt;
    }
    if (call == LaunchCall::plain || call == LaunchCall::cooperative) {
        const auto& launch = *static_cast<const PlainArguments*>(arguments);
        return LaunchArguments{launch.function, launch.each,
                               call == LaunchCall::plain ? launch.options : nullptr};
    }
    if (call == LaunchCall::extended) {
        const auto& launch = *static_cast<const ExtendedArguments*>(arguments);
        return LaunchArguments{launch.function, launch.each, launch.options};
    }
    return std::nullopt;
}

}  // namespace overcast::injection
