// Probe: which hardware channels a fresh process uses, in which order. Must be the first of its
// process; read from the channel ids of its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {

void probe_channels(const Options&) {
    constexpr int kStreams = 40;  // more than the most channels of a kind
    constexpr std::size_t kBytes = 128 << 10;
    const Streams streams{kStreams};
    const Buffers buffers{kBytes};
    const auto each = [&](auto issue) {
        for (int i = 0; i < kStreams; ++i) {
            issue(streams[i]);
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    };
    each([&](cudaStream_t stream) { buffers.h2d(kBytes, stream); });
    each([&](cudaStream_t stream) { buffers.d2h(kBytes, stream); });
    each([](cudaStream_t stream) { launch_empty(stream); });
    phase("end", 0);
}

}  // namespace overcast::probes
