#include "core/error.hpp"
#include "model/device_model_json.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace overcast {
namespace {

constexpr std::array<std::string_view, 4> kNames{"drain", "fifo-by-issue", "fifo-by-readiness",
                                                 "fair-share"};

}  // namespace

std::string_view to_string(CopyService service) {
    return kNames[static_cast<std::size_t>(service)];
}

CopyService parse_copy_service(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) {
            return static_cast<CopyService>(i);
        }
        known += (i == 0 ? "" : ", ") + std::string{kNames[i]};
    }
    throw ModelFileError(fmt::format("unknown order of service '{}'; known are: {}", name, known));
}

}  // namespace overcast
