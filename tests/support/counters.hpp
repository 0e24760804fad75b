// Hardware counters of a kernel, made up.
#pragma once

#include "core/kernel_counters.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace overcast::test {

inline constexpr std::uint32_t kSms = 132;  ///< of the device

/// Of one that held blocks on every SM all the time; what is not given was not counted.
inline KernelCounters counters(std::initializer_list<std::pair<KernelCounter, double>> values) {
    KernelCounters made;
    made.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 1;
    for (const auto& [counter, value] : values) {
        made.values[static_cast<std::size_t>(counter)] = value;
    }
    return made;
}

}  // namespace overcast::test
