// Probe: two streams that take turns, each kernel waiting for an event of the other stream; and the
// same in one stream. Untraced; the wall time per further kernel, less its run time, is the wait.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdio>

namespace overcast::probes {
namespace {

constexpr double kSpin = 20'000;

}  // namespace

void probe_events(const Options& options) {
    const Streams streams{2};
    cudaEvent_t done = nullptr;
    check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "cudaEventCreate");
    for (const int kernels : {10, 50}) {
        char name[64];
        std::snprintf(name, sizeof name, "event_chain_%d", kernels);
        phase("event_chain", kernels);
        sample_walls(name, kSpin, options.of(15, 6), [&] {
            for (int i = 0; i < kernels; ++i) {
                spin(kSpin, streams[i % 2]);
                check(cudaEventRecord(done, streams[i % 2]), "cudaEventRecord");
                check(cudaStreamWaitEvent(streams[(i + 1) % 2], done, 0), "cudaStreamWaitEvent");
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        });
    }
    phase("end", 0);
    check(cudaEventDestroy(done), "cudaEventDestroy");
}

}  // namespace overcast::probes
