// The lines of a text, one after the other.
#pragma once

#include "formats/byte_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overcast {

class TextLines {
public:
    /// `file` is for messages.
    TextLines(ByteSource& source, std::string_view file, std::size_t chunk)
        : source_{source}, file_{file}, chunk_{chunk} {}

    /// The next line without its end ("\n" or "\r\n"), valid until the next call; nullopt behind
    /// the last one. Throws TraceFormatError where a line is longer than any real one.
    std::optional<std::string_view> next();

    /// Of the line that was given last, from 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }

private:
    bool fill();

    ByteSource& source_;
    std::string file_;
    std::size_t chunk_;
    std::string held_;
    std::size_t at_ = 0;  ///< start of what was not given yet
    std::uint64_t number_ = 0;
    bool ended_ = false;
};

}  // namespace overcast
