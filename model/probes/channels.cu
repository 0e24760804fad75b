// Probe: which hardware channels a fresh process uses, in which order. Must be the first of its
// process; read from the channel ids of its recording. Run with CUDA_DEVICE_MAX_CONNECTIONS unset
// and set.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdlib>

namespace overcast::probes {

namespace {

/// More than there are channels of a kind. Observed: 40 streams take copy channels in another order
/// than a dozen, which is what programs have.
int streams_to_use() {
    const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    return connections != nullptr && std::atoi(connections) <= 8 ? 12 : 40;
}

}  // namespace

void probe_channels(const Options&) {
    constexpr std::size_t kBytes = 128 << 10;
    const Streams streams{streams_to_use()};
    const Buffers buffers{kBytes};
    const auto each = [&](auto issue) {
        for (int i = 0; i < streams.count(); ++i) {
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
