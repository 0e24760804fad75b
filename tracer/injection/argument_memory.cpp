#include "tracer/injection/argument_memory.hpp"

#include <dlfcn.h>
#include <array>
#include <cstring>
#include <map>
#include <type_traits>

namespace overcast::injection {
namespace {

constexpr std::size_t kWord = sizeof(CUdeviceptr);

/// Bytes of allocations by their first addresses.
using Allocations = std::map<CUdeviceptr, std::size_t>;

enum class Listed : std::uint8_t { parameter, end, unknown };

/// One parameter of a kernel, in the layout that the device sees.
struct Parameter {
    std::size_t offset = 0;
    std::size_t bytes = 0;
};

/// The parameters of what is launched. Assumes: each of the two functions that tell them fails
/// where it is given the other kind of handle, as the driver's launching calls tell them apart.
class ParameterList {
public:
    ParameterList(const ArgumentFunctions& driver, CUfunction function)
        : driver_{driver}, function_{function} {}

    /// In the order of the indices.
    Listed read(std::size_t index, Parameter& parameter) {
        auto result = ask(index, parameter);
        if (index == 0 && result != CUDA_SUCCESS && driver_.kernel_parameter != nullptr) {
            is_kernel_ = true;
            result = ask(index, parameter);
        }
        if (result == CUDA_SUCCESS) {
            return Listed::parameter;
        }
        // No first parameter: of a kernel without any, or of what the driver does not know.
        return index > 0 && result == CUDA_ERROR_INVALID_VALUE ? Listed::end : Listed::unknown;
    }

private:
    CUresult ask(std::size_t index, Parameter& parameter) const {
        return is_kernel_ ? driver_.kernel_parameter(reinterpret_cast<CUkernel>(function_), index,
                                                     &parameter.offset, &parameter.bytes)
                          : driver_.function_parameter(function_, index, &parameter.offset,
                                                       &parameter.bytes);
    }

    const ArgumentFunctions& driver_;
    CUfunction function_;
    bool is_kernel_ = false;
};

/// Adds the allocation of device memory that `address` lies in. False: the driver failed.
bool add_allocation(CUdeviceptr address, const ArgumentFunctions& driver, Allocations& found) {
    CUmemorytype type{};
    CUdeviceptr start = 0;
    std::size_t bytes = 0;
    std::array attributes{CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                          CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    std::array<void*, 3> answers{&type, &start, &bytes};
    const auto result =
        driver.pointer_attributes(attributes.size(), attributes.data(), answers.data(), address);
    if (result == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE) {
        found.emplace(start, bytes);
    }
    // A number that is no address is no failure: the driver answers with zeros or one of these.
    return result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_VALUE ||
           result == CUDA_ERROR_INVALID_CONTEXT;
}

/// Adds what any aligned word of `bytes` of `data` points into; `offset` is where `data` will lie.
bool add_allocations(const void* data, std::size_t offset, std::size_t bytes,
                     const ArgumentFunctions& driver, Allocations& found) {
    const auto first = (kWord - offset % kWord) % kWord;
    for (auto at = first; at + kWord <= bytes; at += kWord) {
        CUdeviceptr word = 0;
        std::memcpy(&word, static_cast<const char*>(data) + at, kWord);
        if (word != 0 && !add_allocation(word, driver, found)) {
            return false;
        }
    }
    return true;
}

bool add_each(const LaunchArguments& arguments, const ArgumentFunctions& driver,
              Allocations& found) {
    ParameterList parameters{driver, arguments.function};
    for (std::size_t index = 0;; ++index) {
        Parameter parameter;
        const auto listed = parameters.read(index, parameter);
        if (listed != Listed::parameter) {
            return listed == Listed::end;
        }
        const void* const data = arguments.each[index];
        if (data == nullptr ||
            !add_allocations(data, parameter.offset, parameter.bytes, driver, found)) {
            return false;
        }
    }
}

bool add_packed(void** options, const ArgumentFunctions& driver, Allocations& found) {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (; *options != CU_LAUNCH_PARAM_END; options += 2) {
        if (options[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = options[1];
        } else if (options[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && options[1] != nullptr) {
            bytes = *static_cast<const std::size_t*>(options[1]);
        } else {
            return false;
        }
    }
    return buffer != nullptr && add_allocations(buffer, 0, bytes, driver, found);
}

bool add_arguments(const LaunchArguments& arguments, const ArgumentFunctions& driver,
                   Allocations& found) {
    if (driver.pointer_attributes == nullptr) {
        return false;
    }
    if (arguments.each != nullptr) {
        return driver.function_parameter != nullptr && add_each(arguments, driver, found);
    }
    return arguments.options != nullptr && add_packed(arguments.options, driver, found);
}

}  // namespace

ArgumentFunctions argument_functions(void* driver) {
    ArgumentFunctions functions;
    const auto resolve = [&](const char* name, auto& function) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(driver, name));
    };
    resolve("cuFuncGetParamInfo", functions.function_parameter);
    resolve("cuKernelGetParamInfo", functions.kernel_parameter);
    resolve("cuPointerGetAttributes", functions.pointer_attributes);
    return functions;
}

std::optional<std::uint64_t> argument_memory(const LaunchArguments& arguments,
                                             const ArgumentFunctions& driver) noexcept {
    try {
        Allocations found;
        if (!add_arguments(arguments, driver, found)) {
            return std::nullopt;
        }
        std::uint64_t sum = 0;
        for (const auto& [start, bytes] : found) {
            sum += bytes;
        }
        return sum;
    } catch (...) {
        return std::nullopt;
    }
}

}  // namespace overcast::injection
