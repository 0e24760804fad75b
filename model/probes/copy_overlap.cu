// Probe: does a second stream's copy start before the first stream's has ended? Two streams,
// breadth-first, growing size; both copies are issued behind a kernel that is held, so that the
// host plays no part. Read from the times of its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {

void probe_copy_overlap(const Options& options) {
    const std::size_t largest = std::size_t{options.quick ? 64U : 1024U} << 20;
    const Streams streams{3};
    const Buffers buffers{largest};
    Hold hold;
    for (std::size_t bytes = std::size_t{1} << 20; bytes <= largest; bytes *= 4) {
        const int rounds = bytes > (std::size_t{128} << 20) ? 1 : options.of(4, 2);
        for (int round = 0; round < rounds; ++round) {
            phase("overlap", static_cast<double>(bytes), round);
            hold.start(streams[2]);
            for (int stream = 0; stream < 2; ++stream) {
                hold.holds_back(streams[stream]);
                buffers.h2d(bytes, streams[stream]);
            }
            hold.let_go();
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            hold.start(streams[2]);
            for (int stream = 0; stream < 2; ++stream) {
                hold.holds_back(streams[stream]);
                buffers.d2h(bytes, streams[stream]);
            }
            hold.let_go();
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
