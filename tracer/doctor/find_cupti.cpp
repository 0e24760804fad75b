#include "tracer/doctor/find_cupti.hpp"

#include "core/cupti_places.hpp"

#include <dlfcn.h>

#include <system_error>

namespace overcast {

std::optional<std::string> cupti_of_tracer() {
#ifdef OVERCAST_CUPTI_MAJOR
    return cupti_soname(OVERCAST_CUPTI_MAJOR);
#else
    return std::nullopt;
#endif
}

std::optional<std::filesystem::path> find_cupti(const std::filesystem::path& tracer_folder,
                                                const std::string& soname) {
    for (const std::filesystem::path file : cupti_places(tracer_folder.string(), soname)) {
        std::error_code failed;
        if (file.has_parent_path()) {
            if (std::filesystem::exists(file, failed)) {
                return file;
            }
        } else if (void* const handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
            dlclose(handle);
            return file;
        }
    }
    return std::nullopt;
}

}  // namespace overcast
