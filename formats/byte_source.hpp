// Where the text of a trace comes from: a file, compressed or not, or memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace overcast {

/// A stream of bytes that is read once, from the first to the last.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Fills `to` from its beginning and returns how many bytes were written: fewer than asked for
    /// only at the end. Throws TraceFormatError where the file cannot be read or decompressed.
    virtual std::size_t read(std::span<char> to) = 0;
};

/// Reads text that the caller keeps alive.
class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::string_view text) : rest_{text} {}
    std::size_t read(std::span<char> to) override;

private:
    std::string_view rest_;
};

/// Opens `file`; text compressed with gzip, told by its first bytes, is decompressed on the way.
/// Throws TraceFormatError ("cannot open FILE: …") where there is no such file.
std::unique_ptr<ByteSource> open_byte_source(const std::filesystem::path& file);

/// Decompresses gzip members, one after the other. `name` is for messages.
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, std::string_view name);

}  // namespace overcast
