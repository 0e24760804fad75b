// Which kernels co-run: groups drawn once and for all, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace overcast::cases {

/// Two disjoint sets of kernels, so that what was learnt from one can be judged by the other.
enum class Variant : std::uint8_t { a, b };

/// What a kernel needs most of.
enum class KernelClass : std::uint8_t {
    issue,    ///< issue slots, by a mix of integer and float instructions
    fma,      ///< fused multiply-adds
    special,  ///< special functions
    integer,  ///< shifts and logic
    shared,   ///< shared memory
    l2,       ///< a buffer that stays in the L2
    dram,     ///< a buffer that does not
    chase,    ///< nothing: it waits for one load after the other
    tensor,   ///< tensor cores, through cuBLAS
};
constexpr std::uint32_t kKernelClasses = 9;

struct DrawnKernel {
    KernelClass kind = KernelClass::issue;
    std::uint32_t block = 0;  ///< threads; 0 where a library decides
    std::uint32_t tenths_of_wave = 0;
    std::uint32_t blocks_per_sm = 0;  ///< on every SM, instead of a part of a wave; 0: that
    std::uint32_t target_us = 0;      ///< about this long alone on an H200
    std::uint32_t megabytes = 0;      ///< of its buffer; 0 where it has none
    std::uint32_t delay_us = 0;       ///< that the host waits before the launch

    friend bool operator==(const DrawnKernel&, const DrawnKernel&) = default;
};

using Group = std::vector<DrawnKernel>;

/// What `make` says of a variant, asked once.
template <std::vector<Group> (*make)(Variant)>
const std::vector<Group>& made_once(Variant variant) {
    static const std::array<std::vector<Group>, 2> both{make(Variant::a), make(Variant::b)};
    return both[static_cast<std::size_t>(variant)];
}

constexpr std::uint32_t kGroups = 160;

/// All kGroups of a variant. Of ten groups in a row five have 2 kernels, three have 3 or 4, two
/// have 5 to 16; every pair of classes is among the groups of two.
const std::vector<Group>& groups_of(Variant variant);

constexpr std::uint32_t kPairs = 640;

/// All kPairs of a variant: each of the classes but tensor before each, with 1, 2, 4, 8 and 12
/// warps per scheduler of the first beside 1 and 4 of the second, on every SM, so that nobody waits
/// for a place. Number 10 (8 x + y) + 2 i + j: class x with the i-th, class y with the j-th of
/// these.
const std::vector<Group>& pairs_of(Variant variant);

constexpr std::uint32_t kProducts = 54;

/// All kProducts of a variant: a product of 0.3, 0.5 and 0.8 waves, whose blocks leave no room on
/// their SMs, before a kernel of each class that has 0.1 waves, or all SMs that are left. Number
/// 6 x + 2 i + j: beside class x, the i-th product, all SMs that are left where j is 1.
const std::vector<Group>& products_of(Variant variant);

}  // namespace overcast::cases
