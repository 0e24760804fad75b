#include "tracer/launcher/spool_folder.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace overcast {

SpoolFolder::SpoolFolder() {
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    auto name = (parent / "overcast-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
        throw Error("cannot make a folder for the recording in " + parent.string() + ": " +
                    (error ? error.message() : std::strerror(errno)) +
                    "; set TMPDIR to a folder that can be written");
    }
    path_ = name;
}

SpoolFolder::~SpoolFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::filesystem::path> SpoolFolder::spools() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
        if (entry.path().extension() == ".spool") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace overcast
