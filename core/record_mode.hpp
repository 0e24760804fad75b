// How much a recorder asks of a program, and so what it adds to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast {

enum class RecordMode : std::uint8_t {
    light,    ///< calls one by one, what waits wait for, events, machine code
    full,     ///< all calls of the CUDA APIs, events and waits by CUPTI: as other profilers record
    minimal,  ///< device work and runtime calls only
};

inline constexpr std::array<std::string_view, 3> kRecordModes{"light", "full", "minimal"};

constexpr std::string_view to_string(RecordMode mode) {
    return kRecordModes[static_cast<std::size_t>(mode)];
}

/// Absent: there is none of that name.
constexpr std::optional<RecordMode> record_mode(std::string_view name) {
    for (std::size_t i = 0; i < kRecordModes.size(); ++i) {
        if (kRecordModes[i] == name) {
            return static_cast<RecordMode>(i);
        }
    }
    return std::nullopt;
}

}  // namespace overcast
