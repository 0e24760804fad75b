// Probe: copies from and to memory that is not pinned. Wall time and time of the call untraced,
// device-side duration from its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
void probe_pageable(const Options& options) {
    const Streams streams{1};
    const std::size_t largest = std::size_t{options.quick ? 64U : 1024U} << 20;
    std::vector<char> host(largest, 1);
    void* device = nullptr;
    check(cudaMalloc(&device, largest), "cudaMalloc");
    const auto copy = [&](const char* wall, const char* name, std::size_t bytes,
                          cudaMemcpyKind kind) {
        phase(name, static_cast<double>(bytes));
        const int repetitions = bytes > (256 << 20) ? 3
                                : bytes > (8 << 20) ? options.of(5, 2)
                                                    : options.of(15, 6);
        for (int i = -1; i < repetitions; ++i) {
            const auto start = Clock::now();
            const bool to_device = kind == cudaMemcpyHostToDevice;
            check(cudaMemcpyAsync(to_device ? device : host.data(),
                                  to_device ? host.data() : device, bytes, kind, streams[0]),
                  "pageable copy");
            const double issued = nanoseconds_since(start);
            check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
            const double took = nanoseconds_since(start);
            if (i >= 0) {
                sample(wall, static_cast<double>(bytes), took);
                sample(kind == cudaMemcpyHostToDevice ? "pageable_call_h2d" : "pageable_call_d2h",
                       static_cast<double>(bytes), issued);
            }
        }
    };
    for (std::size_t bytes = 4 << 10; bytes <= largest; bytes *= options.quick ? 8 : 4) {
        copy("wall_pageable_h2d", "pageable_h2d", bytes, cudaMemcpyHostToDevice);
        copy("wall_pageable_d2h", "pageable_d2h", bytes, cudaMemcpyDeviceToHost);
    }
    phase("end", 0);
    check(cudaFree(device), "cudaFree");
}

}  // namespace overcast::probes
