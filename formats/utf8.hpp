// Text from anywhere as UTF-8, which is what traces are written in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace overcast {

/// Length of the UTF-8 sequence at the start of `text`, which is not empty; 0 where it is none.
std::size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

/// `text` with U+FFFD for every byte that is no part of a UTF-8 sequence.
std::string as_utf8(std::string_view text);

}  // namespace overcast
