// When each SM has lost its last block of a kernel: what probes share that look at ends.
#pragma once

#include "model/probes/probe.cuh"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace overcast::probes {

/// A block, by the device's clock, ns.
struct BlockRun {
    unsigned long long begin, end;
    unsigned sm;
};

/// The block ends now, and began then.
inline __device__ void note_end(BlockRun* runs, unsigned long long begin) {
    __syncthreads();
    if (threadIdx.x == 0) {
        runs[blockIdx.x] = {begin, globaltimer(), multiprocessor()};
    }
}

/// All threads of the grid read `places` of 16 bytes side by side, four at once, so many times, and
/// begin again where they end. Returns 0 where all are 0.
inline __device__ unsigned stream_through(const uint4* words, unsigned places, unsigned rounds) {
    constexpr unsigned kAtOnce = 4;
    const unsigned step = gridDim.x * blockDim.x;
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        uint4 found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            each = __ldcg(words + at);
            at = at + step < places ? at + step : at + step - places;
        }
#pragma unroll
        for (const auto& each : found) {
            sum ^= each.x ^ each.y ^ each.z ^ each.w;
        }
    }
    return sum;
}

/// When each SM has lost its last block, by its number, of the time of the last one.
inline std::vector<double> ends_of_sms(const std::vector<BlockRun>& runs, std::size_t processors) {
    std::vector<double> ends(processors);
    auto begin = runs.front().begin;
    for (const auto& each : runs) {
        begin = std::min(begin, each.begin);
    }
    for (const auto& each : runs) {
        auto& end = ends.at(each.sm);
        end = std::max(end, static_cast<double>(each.end - begin));
    }
    const auto last = *std::max_element(ends.begin(), ends.end());
    for (auto& end : ends) {
        end /= last;
    }
    return ends;
}

/// Runs a kernel of so many blocks per SM again and again, and has the blocks of each run but the
/// first looked at, which finds nothing where it will be.
template <typename Word, typename Look>
void blocks_in_runs(int runs, void (*kernel)(const Word*, BlockRun*), const Word* words,
                    unsigned per_sm, unsigned threads, Look&& look) {
    const unsigned blocks =
        static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount)) * per_sm;
    std::vector<BlockRun> found(blocks);
    Buffers on_device{blocks * sizeof(BlockRun)};
    for (int i = 0; i < runs; ++i) {
        kernel<<<blocks, threads>>>(words, reinterpret_cast<BlockRun*>(on_device.device()));
        check(cudaGetLastError(), "launch");
        check(cudaMemcpy(found.data(), on_device.device(), blocks * sizeof(BlockRun),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        if (i > 0) {
            look(found);
        }
    }
}

/// Likewise: ends_of_sms() of each run.
template <typename Word, typename Look>
void ends_in_runs(int runs, void (*kernel)(const Word*, BlockRun*), const Word* words,
                  unsigned per_sm, unsigned threads, Look&& look) {
    const auto processors = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
    blocks_in_runs(runs, kernel, words, per_sm, threads, [&](const std::vector<BlockRun>& found) {
        look(ends_of_sms(found, processors));
    });
}

}  // namespace overcast::probes
