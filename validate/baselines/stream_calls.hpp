// The recorded calls as trans_kernel_model deals them out to streams.
#pragma once

#include "core/prediction.hpp"
#include "model/kernel_model.hpp"
#include "workload/extract.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

enum class CallKind : std::uint8_t { h2d, kernel, d2h };

/// Times in nanoseconds, fractional since copies share a rate.
struct StreamCall {
    CallKind kind{};
    double gap = 0;         ///< recorded, since the end of the stream's previous call
    double duration = 0;    ///< recorded, alone
    SmResources per_block;  ///< kernels
    std::uint64_t blocks = 0;
};

/// H2D copies, one kernel, D2H copies.
using CallUnit = std::vector<StreamCall>;

/// The recorded units in order; absent where the model does not know such work.
std::optional<std::vector<CallUnit>> call_units(const Extraction& recorded);

/// Per stream its units, as indices into those recorded. A stream without any is left out.
/// Absent for `split`.
std::optional<std::vector<std::vector<std::size_t>>> deal_units(std::size_t units,
                                                                const Configuration& configuration);

}  // namespace overcast
