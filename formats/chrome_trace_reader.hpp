// Reads Chrome Trace Event JSON: Overcast's own traces, and those of PyTorch's profiler.
#pragma once

#include "core/trace.hpp"
#include "formats/byte_source.hpp"

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace overcast {

/// Reads a trace (.json or .json.gz, told apart by content). Memory grows with the records kept,
/// never with the text. Lists come sorted by start time, equal starts in file order. Throws
/// TraceFormatError: file, byte of the uncompressed text, event number, reason.
Trace read_chrome_trace(const std::filesystem::path& file);

/// The same from any source; `file` is for messages and becomes Trace::source. `chunk` is how many
/// bytes are held at once, as long as no single event is longer.
Trace read_chrome_trace(ByteSource& source, std::string_view file,
                        std::size_t chunk = std::size_t{1} << 20);

}  // namespace overcast
