// Machine code of made-up kernels, and schedulers that play it.
#pragma once

#include "core/kernel_code.hpp"
#include "model/device_model.hpp"

#include <string>

namespace overcast::test {

/// So many times the same words, in the grammar of docs/trace-format.md#code.
inline std::string repeated(const std::string& words, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += words + " ";
    }
    return text;
}

/// A loop of them, and what comes before and behind it.
inline KernelCode code_of(const std::string& words, int times, const std::string& start = "n1",
                          const std::string& end = "n1") {
    KernelCode code;
    code.pass = *parse_pass(repeated(words, times) + "n6");
    code.start = *parse_pass(start);
    code.end = *parse_pass(end);
    code.instructions = static_cast<double>(code.pass.size());
    return code;
}

inline SchedulerParameters schedulers_of_h200() {
    const std::string file = OVERCAST_SOURCE_DIR "/model/devices/nvidia-h200.json";
    static const auto schedulers = load_device_model(file).kernels.scheduler;
    return schedulers;
}

}  // namespace overcast::test
