#include "core/kernel_code.hpp"

namespace overcast {

std::string_view to_string(CodeUnit unit) {
    constexpr std::array<std::string_view, kCodeUnits> kNames{
        "fma_pipe",  "fma_heavy_pipe", "alu_pipe", "xu_pipe",
        "fp64_pipe", "tensor_pipe",    "lsu_pipe", "l1"};
    return kNames[static_cast<std::size_t>(unit)];
}

}  // namespace overcast
