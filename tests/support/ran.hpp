// What a test says of an operation that was played.
#pragma once

#include "core/timeline.hpp"

#include <cstddef>
#include <string>

namespace overcast::test {

/// "start-end" of an operation on the device in ns.
inline std::string ran(const Timeline& timeline, std::size_t operation) {
    const auto& entry = timeline.entries[operation];
    return std::to_string(entry.device_start.time_since_epoch().count()) + "-" +
           std::to_string(entry.device_end.time_since_epoch().count());
}

}  // namespace overcast::test
