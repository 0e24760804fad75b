#include "formats/trace_text.hpp"

#include <fmt/format.h>

namespace overcast {

void fail_at(std::string_view file, const TextPosition& position, std::string_view reason) {
    if (position.event) {
        throw TraceFormatError(
            fmt::format("{}: byte {}, event {}: {}", file, position.byte, *position.event, reason));
    }
    throw TraceFormatError(fmt::format("{}: byte {}: {}", file, position.byte, reason));
}

}  // namespace overcast
