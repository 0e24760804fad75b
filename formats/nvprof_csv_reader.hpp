// Reads the GPU trace that `nvprof --print-gpu-trace --csv` prints.
#pragma once

#include "core/trace.hpp"
#include "formats/byte_source.hpp"

#include <string_view>

namespace overcast {

/// Whether a text that starts so is nvprof's: one of its own lines ("==21542== NVPROF is …") or the
/// column names of a GPU trace, whatever the program printed before. No other CSV has either.
bool is_nvprof_csv(std::string_view start);

/// Copies, memsets and kernels with their shapes, streams, contexts and devices (name and number
/// alone). Such a file holds no host call, no wait and no limit of a device; a warning says so.
/// Columns are found by name, and units are taken from the row behind the names, so that columns
/// may be missing that no row needs. Kernel names come without the trailing "[223]", the number of
/// the call, which becomes the correlation id. Lists come sorted by start time.
/// `file` is for messages and becomes Trace::source; `chunk` is how many bytes are held at once, as
/// long as no line is longer. Throws TraceFormatError: file, line, column, reason.
Trace read_nvprof_csv(ByteSource& source, std::string_view file,
                      std::size_t chunk = std::size_t{1} << 16);

}  // namespace overcast
