// Probe: copies inside the device and memsets, alone. Device-side durations come from its
// recording.
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
        const auto repeat = [&](const char* name, const char* wall, auto run) {
            phase(name, static_cast<double>(bytes));
            sample_walls(wall, static_cast<double>(bytes), options.of(12, 5), [&] {
                run();
                check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
            });
        };
        repeat("d2d", "wall_d2d", [&] {
            check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, streams[0]), "D2D");
        });
        repeat("memset", "wall_memset",
               [&] { check(cudaMemsetAsync(to, 0, bytes, streams[0]), "memset"); });
    }
    phase("end", 0);
    check(cudaFree(from), "cudaFree");
    check(cudaFree(to), "cudaFree");
}

}  // namespace overcast::probes
