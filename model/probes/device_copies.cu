// Probe: copies inside the device and memsets, alone. Device-side durations come from its
// recording, wall times from an untraced run.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {

void probe_device_copies(const Options& options) {
    constexpr std::size_t kLargest = std::size_t{1} << 30;
    const Streams streams{1};
    char* from = nullptr;
    char* to = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&from), kLargest), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&to), kLargest), "cudaMalloc");
    for (std::size_t bytes = 64 << 10; bytes <= kLargest; bytes *= options.quick ? 4 : 2) {
        phase("d2d", static_cast<double>(bytes));
        sample_alone(
            "wall_d2d", "call_d2d", static_cast<double>(bytes), options.of(12, 5), streams[0], [&] {
                check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, streams[0]),
                      "D2D");
            });
        phase("memset", static_cast<double>(bytes));
        sample_alone("wall_memset", "call_memset", static_cast<double>(bytes), options.of(12, 5),
                     streams[0],
                     [&] { check(cudaMemsetAsync(to, 0, bytes, streams[0]), "memset"); });
    }
    phase("end", 0);
    check(cudaFree(from), "cudaFree");
    check(cudaFree(to), "cudaFree");
}

}  // namespace overcast::probes
