// Programs whose units are not all alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast::cases {

/// What a unit of a mixed program does.
enum class UnitKind : std::uint8_t {
    two_in,         ///< two copies in, a kernel, a copy out
    from_zero,      ///< a memset, a kernel that adds, a kernel that iterates, a copy out
    copied_within,  ///< a copy in, a kernel, a copy within the device, a copy out
    plain,          ///< a copy in, a kernel, a copy out
    upload,         ///< a copy in, a kernel
    download,       ///< a kernel, a copy out
};

struct UnitShape {
    UnitKind kind = UnitKind::plain;
    std::size_t elements = 0;

    friend bool operator==(const UnitShape&, const UnitShape&) = default;
};

/// The units of mixed_kinds, mixed_sizes (`elements` is the size of the smallest) and mixed_phases.
std::vector<UnitShape> units_of_kinds(std::uint32_t units, std::size_t elements);
std::vector<UnitShape> units_of_sizes(std::uint32_t units, std::size_t elements);
std::vector<UnitShape> units_of_phases(std::uint32_t units, std::size_t elements);

}  // namespace overcast::cases
