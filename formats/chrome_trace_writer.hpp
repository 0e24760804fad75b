// Writes a Trace as Chrome Trace Event JSON with the names that PyTorch's profiler uses.
#pragma once

#include "core/trace.hpp"
#include "formats/byte_sink.hpp"

#include <filesystem>

namespace overcast {

/// Writes `trace` to `file`, compressed if its name ends in ".gz". The file appears under its name
/// only when it is complete. Throws Error where it cannot be written.
void write_chrome_trace(const Trace& trace, const std::filesystem::path& file);

/// The same to any sink.
void write_chrome_trace(const Trace& trace, ByteSink& sink);

}  // namespace overcast
