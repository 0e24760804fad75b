// How much memory the arguments of a launch point into.
#pragma once

#include "tracer/injection/launch_calls.hpp"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace overcast::injection {

/// What the driver is asked about arguments. Null where it cannot be asked: before CUDA 12.4.
struct ArgumentFunctions {
    CUresult(CUDAAPI* function_parameter)(CUfunction, std::size_t, std::size_t*,
                                          std::size_t*) = nullptr;
    CUresult(CUDAAPI* kernel_parameter)(CUkernel, std::size_t, std::size_t*,
                                        std::size_t*) = nullptr;
    decltype(&::cuPointerGetAttributes) pointer_attributes = nullptr;
};

/// Those of an open driver.
ArgumentFunctions argument_functions(void* driver);

/// Bytes of the allocations of device memory, each once, that any aligned word of the arguments
/// points into. Nothing where the driver does not tell, or knows of no parameters. Asks what has no
/// effect on the program, while no stream of it is captured.
std::optional<std::uint64_t> argument_memory(const LaunchArguments& arguments,
                                             const ArgumentFunctions& driver) noexcept;

}  // namespace overcast::injection
