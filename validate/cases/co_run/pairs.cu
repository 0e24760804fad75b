// Pairs of kernels that run on every SM from the begin: nothing is drawn.
#include "validate/cases/co_run/classes.hpp"

#include <array>

namespace overcast::cases {
namespace {

constexpr std::uint32_t kClassesOfPairs = kKernelClasses - 1;   // not tensor: a library decides
constexpr std::array<std::uint32_t, 5> kOlder{1, 2, 4, 8, 12};  // warps per scheduler
constexpr std::array<std::uint32_t, 2> kYounger{1, 4};
constexpr std::uint32_t kOlderUs = 400;
constexpr std::uint32_t kYoungerUs = 200;
constexpr std::uint32_t kThreadsOfSchedulers = 4 * 32;  // one warp for each

static_assert(kPairs == kClassesOfPairs * kClassesOfPairs * kOlder.size() * kYounger.size());

/// Few warps in small blocks, many in large ones.
DrawnKernel kernel_of(Variant variant, std::uint32_t kind, std::uint32_t warps,
                      std::uint32_t target_us) {
    const ClassVariant& row = class_row(static_cast<KernelClass>(kind)).variant(variant);
    const std::uint32_t of_a = warps == 1 ? 64 : 256;
    const std::uint32_t of_b = warps < 4 ? 128 : 512;
    DrawnKernel kernel;
    kernel.kind = static_cast<KernelClass>(kind);
    kernel.block = variant == Variant::a ? of_a : of_b;
    kernel.blocks_per_sm = warps * kThreadsOfSchedulers / kernel.block;
    kernel.target_us = target_us;
    kernel.megabytes = row.megabytes.empty() ? 0 : row.megabytes[row.megabytes.size() / 2];
    return kernel;
}

std::vector<Group> all_pairs(Variant variant) {
    std::vector<Group> pairs;
    for (std::uint32_t number = 0; number < kPairs; ++number) {
        const auto classes = number / (kOlder.size() * kYounger.size());
        const auto older = kOlder[number / kYounger.size() % kOlder.size()];
        const auto younger = kYounger[number % kYounger.size()];
        pairs.push_back({kernel_of(variant, classes / kClassesOfPairs, older, kOlderUs),
                         kernel_of(variant, classes % kClassesOfPairs, younger, kYoungerUs)});
    }
    return pairs;
}

}  // namespace

const std::vector<Group>& pairs_of(Variant variant) { return made_once<all_pairs>(variant); }

}  // namespace overcast::cases
