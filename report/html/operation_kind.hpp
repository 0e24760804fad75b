// What the page tells apart by colour.
#pragma once

#include "core/operation.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

namespace overcast {

enum class OperationKind : std::uint8_t { h2d, d2h, other_copy, memset, kernel, call, wait };

inline constexpr std::array kOperationKinds{
    OperationKind::h2d,    OperationKind::d2h,  OperationKind::other_copy, OperationKind::memset,
    OperationKind::kernel, OperationKind::call, OperationKind::wait};

/// The words of the legend.
constexpr std::string_view to_string(OperationKind kind) {
    switch (kind) {
        case OperationKind::h2d: return "copy to device";
        case OperationKind::d2h: return "copy to host";
        case OperationKind::other_copy: return "other copy";
        case OperationKind::memset: return "memset";
        case OperationKind::kernel: return "kernel";
        case OperationKind::call: return "host call";
        case OperationKind::wait: return "host waits";
    }
    return "?";
}

/// Of the call itself, on its host thread.
constexpr OperationKind call_kind_of(const Action& action) {
    return synchronises(action) ? OperationKind::wait : OperationKind::call;
}

/// Of what it sets in motion.
inline OperationKind kind_of(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        switch (copy->kind) {
            case CopyKind::host_to_device: return OperationKind::h2d;
            case CopyKind::device_to_host: return OperationKind::d2h;
            default: return OperationKind::other_copy;
        }
    }
    if (std::holds_alternative<Memset>(action)) {
        return OperationKind::memset;
    }
    return std::holds_alternative<KernelLaunch>(action) ? OperationKind::kernel
                                                        : call_kind_of(action);
}

}  // namespace overcast
