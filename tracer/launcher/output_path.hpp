// Where traces go: one file per process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace overcast {

/// PROGRAM.overcast.json.gz, in the current folder.
std::filesystem::path default_output(const std::string& program);

/// `%p` becomes the process id. Where the pattern has none, every process but the first gets its id
/// before the extension: trace.json.gz, trace.4711.json.gz.
std::filesystem::path output_for(const std::filesystem::path& pattern, std::uint32_t process,
                                 bool first);

/// Throws Error if no file can be written there, before the program is run.
void check_writable(const std::filesystem::path& pattern);

}  // namespace overcast
