// Probe: host time of a launch by the bytes of its kernel's parameters. Untraced.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr int kCalls = 96;  // per round: far fewer than the launch queue holds

template <std::size_t Bytes>
struct Parameters {
    char bytes[Bytes];
};

template <std::size_t Bytes>
__global__ void takes(Parameters<Bytes>) {}

template <std::size_t Bytes>
void measure(int rounds, cudaStream_t stream) {
    const Parameters<Bytes> parameters{};
    for (int round = -2; round < rounds; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < kCalls; ++i) {
            takes<Bytes><<<1, 32, 0, stream>>>(parameters);
        }
        const double took = nanoseconds_since(start);
        check(cudaGetLastError(), "launch");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (round >= 0) {
            sample("launch_by_parameter_bytes", Bytes, took / kCalls);
        }
    }
}

}  // namespace

void probe_launch_parameters(const Options& options) {
    const Streams streams{1};
    const int rounds = options.of(40, 15);
    measure<8>(rounds, streams[0]);
    measure<64>(rounds, streams[0]);
    measure<256>(rounds, streams[0]);
    measure<1024>(rounds, streams[0]);
    measure<2048>(rounds, streams[0]);
    measure<4096>(rounds, streams[0]);  // the most before CUDA 12.1
}

}  // namespace overcast::probes
