// Products on tensor cores beside one other kernel, which finds no room on their SMs: nothing is
// drawn.
#include "validate/cases/co_run/classes.hpp"

#include <array>

namespace overcast::cases {
namespace {

constexpr std::array<std::uint32_t, 3> kProduct{3, 5, 8};  // tenths of a wave
constexpr std::array<bool, 2> kAllThatIsLeft{false, true};
constexpr std::uint32_t kTargetUs = 300;

static_assert(kProducts == kKernelClasses * kProduct.size() * kAllThatIsLeft.size());

DrawnKernel kernel_of(Variant variant, KernelClass kind, std::uint32_t tenths_of_wave) {
    const ClassVariant& row = class_row(kind).variant(variant);
    const auto middle = [](const auto& choices) {
        return choices.empty() ? 0 : choices[choices.size() / 2];
    };
    DrawnKernel kernel;
    kernel.kind = kind;
    kernel.block = middle(row.blocks);
    kernel.tenths_of_wave = tenths_of_wave;
    kernel.target_us = kTargetUs;
    kernel.megabytes = middle(row.megabytes);
    return kernel;
}

std::vector<Group> all_products(Variant variant) {
    std::vector<Group> products;
    for (std::uint32_t number = 0; number < kProducts; ++number) {
        const auto tenths = kProduct[number / kAllThatIsLeft.size() % kProduct.size()];
        const bool all = kAllThatIsLeft[number % kAllThatIsLeft.size()];
        const auto other = number / (kProduct.size() * kAllThatIsLeft.size());
        products.push_back(
            {kernel_of(variant, KernelClass::tensor, tenths),
             kernel_of(variant, static_cast<KernelClass>(other), all ? 10 - tenths : 1)});
    }
    return products;
}

}  // namespace

const std::vector<Group>& products_of(Variant variant) { return made_once<all_products>(variant); }

}  // namespace overcast::cases
