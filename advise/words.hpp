// Operations and quantities in words, for the sentences of advice.
#pragma once

#include "core/units.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <string>

namespace overcast {

/// "H2D 16 MiB", "kernel scale", "cudaStreamSynchronize".
std::string operation_in_words(const Workload& workload, std::uint32_t operation);

/// "stream 13": the recorded number where there is one, else its index.
std::string stream_in_words(const Workload& workload, StreamIndex stream);

/// "12.4 ms": three significant digits.
std::string time_in_words(Duration time);

/// "16 MiB".
std::string bytes_in_words(std::uint64_t bytes);

/// "1 copy", "40 copies": `plural` where it is not the noun and an s.
std::string number_in_words(std::uint64_t count, const std::string& noun,
                            const std::string& plural = {});

}  // namespace overcast
