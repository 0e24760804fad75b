// The position of the reader in a trace, for messages.
#pragma once

#include "core/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overcast {

/// Where in which text. Bytes count from 0 in the uncompressed text, events from 1.
struct TextPosition {
    std::uint64_t byte = 0;
    std::optional<std::uint64_t> event;
};

/// Throws TraceFormatError: "FILE: byte N, event K: REASON".
[[noreturn]] void fail_at(std::string_view file, const TextPosition& position,
                          std::string_view reason);

}  // namespace overcast
