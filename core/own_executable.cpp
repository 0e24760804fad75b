#include "core/own_executable.hpp"

#include "core/error.hpp"

#include <system_error>

namespace overcast {

std::optional<std::filesystem::path> own_executable() {
    std::error_code failed;
    auto file = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::nullopt : std::optional{std::move(file)};
}

std::filesystem::path program_beside_this_one(const std::string& name,
                                              const std::string& explanation) {
    const auto own = own_executable();
    auto program = own ? own->parent_path() / name : std::filesystem::path{name};
    std::error_code failed;
    if (!own || !std::filesystem::exists(program, failed)) {
        throw Error(program.string() + " is not there: " + explanation);
    }
    return program;
}

}  // namespace overcast
