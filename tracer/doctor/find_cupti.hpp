// CUPTI as the tracer would find it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace overcast {

/// The soname of the CUPTI for which this build's tracer was made; absent where it has none.
std::optional<std::string> cupti_of_tracer();

/// The first `soname` of the places where a tracer in `tracer_folder` looks; absent where there is
/// none, even if there is a CUPTI of another version.
std::optional<std::filesystem::path> find_cupti(const std::filesystem::path& tracer_folder,
                                                const std::string& soname);

}  // namespace overcast
