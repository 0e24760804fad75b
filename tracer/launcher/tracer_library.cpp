#include "tracer/launcher/tracer_library.hpp"

#include "core/own_executable.hpp"

#include <array>
#include <system_error>

namespace overcast {

std::optional<std::filesystem::path> find_tracer_library() {
    const auto executable = own_executable();
    if (!executable) {
        return std::nullopt;
    }
    const auto folder = executable->parent_path();
    constexpr std::array kFolders{"../lib", "../lib64", ".", "../tracer", "lib"};
    for (const auto* relative : kFolders) {
        auto file = folder / relative / "libovercast-tracer.so";
        if (std::error_code error; std::filesystem::exists(file, error)) {
            return std::filesystem::weakly_canonical(file, error);
        }
    }
    return std::nullopt;
}

}  // namespace overcast
