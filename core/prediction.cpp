#include "core/prediction.hpp"

namespace overcast {

std::string_view to_string(Transform transform) {
    switch (transform) {
        case Transform::as_recorded: return "as-recorded";
        case Transform::replicate: return "replicate";
        case Transform::distribute: return "distribute";
        case Transform::split: return "split";
    }
    return "?";
}

std::string_view to_string(IssueOrder order) {
    switch (order) {
        case IssueOrder::depth: return "depth";
        case IssueOrder::breadth: return "breadth";
        case IssueOrder::recorded: return "recorded";
    }
    return "?";
}

std::string_view to_string(SyncPolicy policy) {
    switch (policy) {
        case SyncPolicy::defer: return "defer";
        case SyncPolicy::keep: return "keep";
    }
    return "?";
}

std::string_view to_string(Bound bound) {
    switch (bound) {
        case Bound::h2d: return "h2d";
        case Bound::d2h: return "d2h";
        case Bound::sm: return "sm";
        case Bound::host: return "host";
        case Bound::chain: return "chain";
    }
    return "?";
}

}  // namespace overcast
