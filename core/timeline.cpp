#include "core/timeline.hpp"

namespace overcast {

std::string_view to_string(Engine engine) {
    switch (engine) {
        case Engine::host: return "host";
        case Engine::h2d: return "h2d";
        case Engine::d2h: return "d2h";
        case Engine::sm: return "sm";
    }
    return "?";
}

std::string_view to_string(WaitReason reason) {
    switch (reason) {
        case WaitReason::none: return "none";
        case WaitReason::unknown: return "unknown";
        case WaitReason::stream_order: return "stream order";
        case WaitReason::event: return "event";
        case WaitReason::default_stream: return "default stream";
        case WaitReason::channel: return "channel";
        case WaitReason::copy_engine: return "copy engine";
        case WaitReason::sm_room: return "SM room";
    }
    return "?";
}

}  // namespace overcast
