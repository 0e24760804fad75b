// Finds the library that goes into the traced program.
#pragma once

#include <filesystem>
#include <optional>

namespace overcast {

/// libovercast-tracer.so of this executable: in ../lib (installed), or in the build tree. Absent
/// where Overcast was built without CUDA.
std::optional<std::filesystem::path> find_tracer_library();

}  // namespace overcast
