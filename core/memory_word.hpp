// How files and reports name a kind of memory.
#pragma once

#include "core/operation_kinds.hpp"

#include <string_view>

namespace overcast {

/// "pinned", "pageable".
std::string_view memory_word(MemoryKind kind);

}  // namespace overcast
