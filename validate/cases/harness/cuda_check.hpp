// Every CUDA call of the cases is checked: a failure says what, where and why.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace overcast::cases {

/// Throws std::runtime_error with file, line, the call and CUDA's own words.
inline void check(cudaError_t status, std::string_view call,
                  std::source_location where = std::source_location::current()) {
    if (status == cudaSuccess) {
        return;
    }
    std::string_view file = where.file_name();
    file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
    std::ostringstream text;
    text << file << ':' << where.line() << ": " << call << " failed: " << cudaGetErrorName(status)
         << " (" << cudaGetErrorString(status) << ')';
    throw std::runtime_error(text.str());
}

}  // namespace overcast::cases
