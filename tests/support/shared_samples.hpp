// Traces of others that are no part of the repository: a folder beside it, or the one that
// OVERCAST_SHARED_DATA names. Tests that read it say so where there is none.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace overcast::testing {

inline std::filesystem::path shared_data() {
    const char* const given = std::getenv("OVERCAST_SHARED_DATA");
    return given != nullptr ? std::filesystem::path{given}
                            : std::filesystem::path{OVERCAST_SOURCE_DIR} / "../shared/data";
}

/// Every trace there; none, said on a line of its own, where the folder is absent.
inline std::vector<std::filesystem::path> shared_traces(std::string_view test) {
    std::vector<std::filesystem::path> traces;
    for (const auto* const format : {"kineto", "nsys", "nvprof"}) {
        const auto folder = shared_data() / format;
        if (!std::filesystem::is_directory(folder)) {
            std::printf("%.*s: NOT TESTED on traces of others: there is no folder %s\n",
                        static_cast<int>(test.size()), test.data(), folder.c_str());
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator{folder}) {
            traces.push_back(entry.path());
        }
    }
    return traces;
}

}  // namespace overcast::testing
