// Probe: which SMs get more than others of an L2 or a DRAM that is full. Blocks on every SM gather
// words here and there from a buffer that the L2 holds, sixteen at once, follow chains of loads
// there, eight lanes of each warp, or stream from the DRAM, 2 KiB of a warp at once; each notes
// when it ends, and on which SM. Observed: where they gather, 24 of 132 SMs end after 0.73 of the
// time, the others after 0.99; the same ones end chains of 48 warps on each SM after 0.96 of it, of
// 64 after 0.9, and streams of 64 after 0.76 of the others' time.
//   fast_sms_gathers, fast_sms_few_chains, fast_sms_chains, fast_sms_lines
//                                             by SM: end of its last block, of that of the last SM
#include "model/probes/block_ends.cuh"
#include "model/probes/probes.hpp"

#include <cstddef>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 512;
// Of an SM.
constexpr unsigned kBlocksOfGathers = 4;
constexpr unsigned kBlocksOfFewChains = 3;
constexpr unsigned kBlocksOfChains = 4;
constexpr unsigned kBlocksOfLines = 4;
constexpr unsigned kWords = 4U << 20;          // 16 MiB
constexpr unsigned kWordsOfLines = 64U << 20;  // 256 MiB
// For some 0.3 ms.
constexpr unsigned kGathers = 100;
constexpr unsigned kAtOnce = 16;
constexpr unsigned kLoads = 300;  // of a chain, one after the other
constexpr unsigned kLanes = 8;
constexpr unsigned kReads = 70;  // of a stream

__device__ unsigned elsewhere(unsigned at) { return at * 1664525U + 1013904223U; }

__device__ unsigned first_place() {
    return (blockIdx.x * kThreads + threadIdx.x + 1) * 2654435761U;
}

__global__ void gather_words(const unsigned* words, BlockRun* runs) {
    const auto begin = globaltimer();
    unsigned at = first_place();
    unsigned sum = 0;
    for (unsigned i = 0; i < kGathers; ++i) {
        unsigned found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            at = elsewhere(at);
            each = __ldcg(words + (at >> 8) % kWords);
        }
#pragma unroll
        for (const auto each : found) {
            sum += each;
        }
    }
    if (sum != 0) {  // never: the words are
        runs[blockIdx.x].sm = sum;
    }
    note_end(runs, begin);
}

/// Where a lane reads next depends on what it has read, which is 0.
__global__ void chains_of_lanes(const unsigned* words, BlockRun* runs) {
    const auto begin = globaltimer();
    unsigned at = first_place();
    for (unsigned i = 0; threadIdx.x % 32 < kLanes && i < kLoads; ++i) {
        at = elsewhere(at) + __ldcg(words + (at >> 8) % kWords);
    }
    if (at == 1) {  // hardly ever; the true one follows
        runs[blockIdx.x].sm = at;
    }
    note_end(runs, begin);
}

__global__ void __launch_bounds__(kThreads, kBlocksOfLines)
    stream_lines(const unsigned* words, BlockRun* runs) {
    const auto begin = globaltimer();
    const auto* const places = reinterpret_cast<const uint4*>(words);
    if (const auto sum = stream_through(places, kWordsOfLines / 4, kReads); sum != 0) {  // never
        runs[blockIdx.x].sm = sum;
    }
    note_end(runs, begin);
}

}  // namespace

void probe_fast_sms(const Options& options) {
    unsigned* words = nullptr;
    constexpr std::size_t kBytes = kWordsOfLines * sizeof(unsigned);
    check(cudaMalloc(reinterpret_cast<void**>(&words), kBytes), "cudaMalloc");
    check(cudaMemset(words, 0, kBytes), "cudaMemset");
    const auto measure = [&](const char* quantity, void (*kernel)(const unsigned*, BlockRun*),
                             unsigned per_sm) {
        const auto note = [&](const std::vector<double>& ends) {
            for (std::size_t sm = 0; sm < ends.size(); ++sm) {
                sample(quantity, static_cast<double>(sm), ends[sm]);
            }
        };
        ends_in_runs(options.of(12, 4), kernel, words, per_sm, kThreads, note);
    };
    measure("fast_sms_gathers", gather_words, kBlocksOfGathers);
    measure("fast_sms_few_chains", chains_of_lanes, kBlocksOfFewChains);
    measure("fast_sms_chains", chains_of_lanes, kBlocksOfChains);
    measure("fast_sms_lines", stream_lines, kBlocksOfLines);
    check(cudaFree(words), "cudaFree");
}

}  // namespace overcast::probes
