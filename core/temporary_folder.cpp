#include "core/temporary_folder.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace overcast {

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    auto name = (parent / "overcast-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
        throw Error("cannot make a temporary folder in " + parent.string() + ": " +
                    (error ? error.message() : std::strerror(errno)) +
                    "; set TMPDIR to a folder that can be written");
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace overcast
