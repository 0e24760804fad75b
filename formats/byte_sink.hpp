// Where the text of a trace goes: a file, compressed or not, or a stream.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string_view>

namespace overcast {

/// A stream of bytes that is written once, from the first to the last.
class ByteSink {
public:
    ByteSink() = default;
    ByteSink(const ByteSink&) = delete;
    ByteSink& operator=(const ByteSink&) = delete;
    virtual ~ByteSink() = default;

    virtual void write(std::string_view text) = 0;
    /// Everything has been written. Until then a file does not appear under its name, and it never
    /// does if this is not called.
    virtual void finish() = 0;
};

/// Writes beside `file` and renames at the end; ".gz" at the end of the name means gzip. Throws
/// Error where it cannot be written.
std::unique_ptr<ByteSink> create_byte_sink(const std::filesystem::path& file);

class StreamSink : public ByteSink {
public:
    explicit StreamSink(std::ostream& stream) : stream_{stream} {}
    void write(std::string_view text) override;
    void finish() override;

private:
    std::ostream& stream_;
};

}  // namespace overcast
