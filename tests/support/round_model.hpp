// A GPU with round numbers, so that a test can derive its expected times in a comment.
#pragma once

#include "model/device_model.hpp"

namespace overcast::test {

/// 1 byte/ns both ways, no latencies, no gaps, no slow-downs; 2 SMs of 2048 threads; 4 + 4 copy
/// channels and 8 compute channels with the ids of an H200. Tests switch on what they are about.
inline DeviceModel round_model() {
    DeviceModel model;
    model.name = "round";
    model.device.multiprocessors = 2;
    model.channels.compute = {1, 2, 3, 4, 5, 6, 7, 0};
    model.channels.h2d = {10, 11, 8, 9};
    model.channels.d2h = {12, 13, 14, 15};
    model.h2d.bandwidth = Bandwidth{1e9};
    model.d2h.bandwidth = Bandwidth{1e9};
    model.d2d.bandwidth = Bandwidth{1e9};
    model.memset.bandwidth = Bandwidth{1e9};
    model.kernels.saturating_warps = 64;  // a full SM is just saturated: no slow-down
    return model;
}

}  // namespace overcast::test
