// Probe: up to which size a copy to the device travels inside the compute channel: pinned with its
// stream idle, pinned with its stream busy, pageable. Read from the channel types of its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {

void probe_inline_copies(const Options& options) {
    constexpr std::size_t kLargest = 80 << 10;
    const std::size_t step = options.quick ? 1024 : 256;
    const Streams streams{2};
    const Buffers buffers{kLargest};
    std::vector<char> pageable(kLargest, 1);
    Hold hold;
    const auto each_size = [&](auto copy) {
        for (std::size_t bytes = step; bytes <= kLargest; bytes += step) {
            copy(bytes);
        }
    };
    phase("inline_pinned_idle", 0);
    each_size([&](std::size_t bytes) {
        buffers.h2d(bytes, streams[0]);
        check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
    });
    phase("inline_pinned_busy", 0);
    hold.start(streams[0]);
    each_size([&](std::size_t bytes) { buffers.h2d(bytes, streams[0]); });
    hold.let_go();
    phase("inline_pageable", 0);
    each_size([&](std::size_t bytes) {
        check(cudaMemcpyAsync(buffers.device(), pageable.data(), bytes, cudaMemcpyHostToDevice,
                              streams[0]),
              "pageable copy");
        check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
    });
    phase("end", 0);
}

}  // namespace overcast::probes
