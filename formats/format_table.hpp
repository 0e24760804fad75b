// The formats that a recording can have, and the one function that reads any of them.
#pragma once

#include "core/trace.hpp"
#include "formats/byte_source.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace overcast {

struct TraceFormat {
    std::string_view name;  ///< for messages: "Chrome/Kineto JSON (.json, .json.gz)"
    /// `start` is the beginning of the file, decompressed.
    bool (*recognise)(std::string_view start, const std::filesystem::path& file);
    /// `text` is the whole file, decompressed, from its beginning.
    Trace (*read)(const std::filesystem::path& file, ByteSource& text);
};

/// Every known format; the first that recognises a file reads it.
std::span<const TraceFormat> trace_formats();

/// Reads a recording of any known format. Throws TraceFormatError: no such file, a directory, an
/// empty file, a format that is not known, or whatever is wrong inside.
Trace read_trace(const std::filesystem::path& file);

}  // namespace overcast
