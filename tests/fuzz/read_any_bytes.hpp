// What must hold for the readers of traces, whatever bytes it is given.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace overcast::test {

/// Reads `bytes` as a trace (compressed if they start as gzip does), `chunk` bytes at a time.
/// Either the reader refuses them with a TraceFormatError that names the text, or what it read is
/// sound: sorted, without negative durations, and the same after being written and read again.
/// Returns what is wrong, "" where nothing is; any other exception passes through.
std::string fault_in_reading(std::string_view bytes, std::size_t chunk);

/// The same for a text that is taken for an nvprof CSV.
std::string fault_in_reading_nvprof(std::string_view bytes, std::size_t chunk);

/// The same for a database of Nsight Systems.
std::string fault_in_reading_nsys(std::string_view bytes);

/// How many of the texts given to fault_in_reading were read as traces.
struct ReadCount {
    std::size_t read = 0;
    std::size_t refused = 0;
};
std::string fault_in_reading(std::string_view bytes, std::size_t chunk, ReadCount& count);
std::string fault_in_reading_nvprof(std::string_view bytes, std::size_t chunk, ReadCount& count);

}  // namespace overcast::test
