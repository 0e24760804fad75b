// Probe: kernels of whole waves of equal blocks, one after the other (edges_alone_*) and on eight
// streams (edges_few_*, edges_many_*), all issued while every stream is held back by a kernel of
// its own. x = rounds, which set how long a block takes; y = waves. By how much less each takes
// among its neighbours is what they use of its begin and end. Observed: 0.6 to 1 us beside the
// floor, more where blocks take longer than 10 us.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <string>

namespace overcast::probes {
namespace {

constexpr int kThreads = 256;
constexpr int kStreams = 8;
constexpr int kAlone = 12;
constexpr int kFew = 4;  // kernels of each stream
constexpr int kMany = 12;
constexpr double kHeld = 1e6;  // ns until all is issued
constexpr std::size_t kBytes = 8U << 20;
constexpr unsigned kWords = kBytes / sizeof(float);

/// All threads together whole lines in a row.
__global__ void read_in_turn(float* words, int rounds) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        sum += __ldcg(words + at % kWords);
        at += gridDim.x * blockDim.x;
    }
    if (sum != 0) {  // never: all of it is 0
        *words = sum;
    }
}

/// Each thread one word after the other, wherever the last one sends it.
__global__ void chase(float* words, int rounds) {
    constexpr unsigned kFactor = 1664525;
    constexpr unsigned kAdded = 1013904223;
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761U;
    for (int i = 0; i < rounds; ++i) {
        at = at * kFactor + kAdded + static_cast<unsigned>(__ldcg(words + (at >> 8U) % kWords));
    }
    if (at == 0) {
        *words = 0;
    }
}

using Kernel = void (*)(float*, int);

class Edges {
public:
    Edges() {
        sms_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
        check(cudaMemset(words_.device(), 0, kBytes), "cudaMemset");
    }

    void measure(const std::string& kind, Kernel kernel, int rounds, int waves) const {
        int per_sm = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, kThreads, 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        const auto grid = sms_ * static_cast<unsigned>(waves * per_sm);
        const auto run = [&](const std::string& what, int streams, int kernels) {
            phase(("edges_" + what + "_" + kind).c_str(), rounds, waves);
            for (int i = 0; i < streams; ++i) {
                spin(kHeld, streams_[i]);
            }
            for (int k = 0; k < kernels * streams; ++k) {
                kernel<<<grid, kThreads, 0, streams_[k % streams]>>>(
                    reinterpret_cast<float*>(words_.device()), rounds);
                check(cudaGetLastError(), "launch");
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        };
        run("alone", 1, kAlone);
        run("few", kStreams, kFew);
        run("many", kStreams, kMany);
    }

private:
    unsigned sms_ = 0;
    Streams streams_{kStreams};
    Buffers words_{kBytes};
};

}  // namespace

void probe_kernel_edges(const Options& options) {
    const Edges edges;
    for (int waves = 1; waves <= options.of(4, 2); waves *= 2) {
        for (const int longer : {1, 4}) {
            edges.measure("reads", read_in_turn, 32 * longer, waves);
            edges.measure("chase", chase, 4 * longer, waves);
        }
    }
}

}  // namespace overcast::probes
