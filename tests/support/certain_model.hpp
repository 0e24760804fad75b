// A device model whose parameters are known exactly, so that a test can add one uncertainty.
#pragma once

#include "tests/support/round_model.hpp"

namespace overcast::test {

/// The round model; nothing of it is uncertain, and nothing is assumed to scatter.
inline DeviceModel certain_model() {
    auto model = round_model();
    for (const auto* name : {"h2d.bandwidth_bytes_per_s", "d2h.bandwidth_bytes_per_s",
                             "d2d.bandwidth_bytes_per_s", "memset.bandwidth_bytes_per_s"}) {
        model.intervals[name] = {1e9, 1e9};
    }
    model.uncertainty = {.one_stream = 0,
                         .copies = 0,
                         .kernels = 0,
                         .unlike_kernels = 0,
                         .unlike_uncounted_kernels = 0,
                         .host = 0,
                         .chain = 0,
                         .kernel_duration = 0,
                         .between_host_calls = 0,
                         .fewest_saturating_warps = model.kernels.saturating_warps,
                         .most_saturating_warps = model.kernels.saturating_warps};
    model.scatter = {.pinned_copy = 0, .pageable_copy = 0, .kernel = 0, .host_call = 0};
    return model;
}

}  // namespace overcast::test
