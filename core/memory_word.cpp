#include "core/memory_word.hpp"

namespace overcast {

std::string_view memory_word(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::unknown: break;
        case MemoryKind::pageable: return "pageable";
        case MemoryKind::pinned: return "pinned";
        case MemoryKind::device: return "device";
        case MemoryKind::array: return "array";
        case MemoryKind::managed: return "managed";
    }
    return "unknown";
}

}  // namespace overcast
