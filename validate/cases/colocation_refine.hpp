// The last step of co-location mining: tables of instances.
#pragma once

#include <cstdint>

namespace overcast::cases {

/// An instance of a pattern, made of one of a smaller pattern and one more event.
struct alignas(8) InstanceRow {
    std::uint32_t instance;
    std::uint32_t event;

    friend bool operator==(const InstanceRow&, const InstanceRow&) = default;
};

/// The row of the table at which the extensions of `instance` begin. Instances have from one to
/// nearly twice the mean number of rows; the last one's end with the table.
std::uint32_t first_row_of(std::uint32_t instance, std::uint32_t instances, std::uint32_t rows,
                           std::uint32_t unit);

}  // namespace overcast::cases
