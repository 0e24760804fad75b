// What the machine code of the program's kernels says of them.
#pragma once

#include "core/kernel_code.hpp"
#include "tracer/injection/spool_writer.hpp"

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

namespace overcast::injection {

/// Every method may be called from any thread.
class CodeRecording {
public:
    /// Looks through the kernels of a module that the driver has loaded.
    void add_module(std::span<const std::byte> module);

    /// Appends what is known of the kernels whose names are in the spool, each once.
    void report(SpoolWriter& spool);

private:
    std::mutex mutex_;
    std::unordered_map<std::string, KernelCode> unreported_;  ///< by mangled name
};

}  // namespace overcast::injection
