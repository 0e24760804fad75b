// Probe: copies of one direction without a pause, in one stream and in as many streams as there are
// copies. Untraced, the wall time per further copy holds a copy and a turn-around.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdio>

namespace overcast::probes {
namespace {

constexpr int kFew = 8;
constexpr int kMany = 40;
constexpr int kChannels = 4;

template <typename Copy>
void direction(const char* chain, const char* spread, std::size_t bytes, int repetitions,
               const Streams& streams, Copy copy) {
    for (const int copies : {kFew, kMany}) {
        phase(chain, static_cast<double>(bytes), copies);
        char name[64];
        std::snprintf(name, sizeof name, "%s_%d", chain, copies);
        sample_walls(name, static_cast<double>(bytes), repetitions, [&] {
            for (int i = 0; i < copies; ++i) {
                copy(streams[0], i);
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        });
    }
    for (const int used : {1, kChannels}) {
        phase(spread, static_cast<double>(bytes), used);
        char name[64];
        std::snprintf(name, sizeof name, "%s_%d", spread, used);
        sample_walls(name, static_cast<double>(bytes), 2 * repetitions, [&] {
            for (int i = 0; i < kChannels; ++i) {
                copy(streams[i % used], i);
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        });
    }
}

}  // namespace

void probe_back_to_back(const Options& options) {
    const Streams streams{kChannels};
    constexpr std::size_t kLargest = 1 << 20;
    const Buffers buffers{kLargest * kMany};
    for (const std::size_t bytes : {kLargest / 8, kLargest / 4, kLargest / 2, kLargest}) {
        const int repetitions = options.of(30, 8);
        direction("chain_hh", "spread_hh", bytes, repetitions, streams,
                  [&](cudaStream_t stream, int i) {
                      buffers.h2d(bytes, stream, static_cast<std::size_t>(i) * bytes);
                  });
        direction("chain_dd", "spread_dd", bytes, repetitions, streams,
                  [&](cudaStream_t stream, int i) {
                      buffers.d2h(bytes, stream, static_cast<std::size_t>(i) * bytes);
                  });
    }
    phase("end", 0);
}

}  // namespace overcast::probes
