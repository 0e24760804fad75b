#include "core/cupti_places.hpp"

#include <cstdlib>

namespace overcast {

std::string cupti_soname(std::uint32_t cuda_major) {
    return "libcupti.so." + std::to_string(cuda_major);
}

std::vector<std::string> cupti_places(const std::string& tracer_folder, const std::string& soname) {
    std::vector<std::string> folders;
    if (!tracer_folder.empty()) {
        folders.push_back(tracer_folder);
    }
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* home = std::getenv(variable); home != nullptr && *home != '\0') {
            folders.push_back(std::string(home) + "/lib64");
            folders.push_back(std::string(home) + "/extras/CUPTI/lib64");
        }
    }
    for (const char* folder : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"}) {
        folders.push_back(std::string("/usr/local/cuda/") + folder);
    }
    std::vector<std::string> files;
    for (const auto& folder : folders) {
        files.push_back(folder + "/" + soname);
    }
    files.push_back(soname);
    return files;
}

}  // namespace overcast
