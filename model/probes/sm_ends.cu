// Probe: how far apart SMs lose the blocks of a kernel that waits for memory. Two blocks on every
// SM follow chains of loads through a buffer that no L2 holds, or read it word after word; each
// notes when it ends, and on which SM. Observed: both blocks of an SM end together, the SMs within
// 4 % of the time where they follow chains and 2 % where they stream; a fifth of them, which get
// more of a memory that is full, up to 30 % before the others.
//   sm_ends_chains, sm_ends_stream: 1 - end / last end of the SM that is later than a fifth of all
#include "model/probes/block_ends.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 512;
constexpr unsigned kBlocksPerSm = 2;
constexpr std::size_t kBuffer = std::size_t{256} << 20;
constexpr unsigned kWords = kBuffer / sizeof(uint4);
// For some 0.3 ms: what lasts longer ends more evenly.
constexpr unsigned kLoads = 800;   // of a chain, one after the other
constexpr unsigned kRounds = 100;  // of a stream
constexpr std::size_t kEarly = 5;  // one of so many SMs is left out

/// The first lane of each warp: where it reads next depends on what it has read, which is 0.
__global__ void follow_chains(const uint4* words, BlockRun* runs) {
    const auto begin = globaltimer();
    unsigned at = (blockIdx.x * kThreads + threadIdx.x) * 2654435761U;
    for (unsigned i = 0; threadIdx.x % 32 == 0 && i < kLoads; ++i) {
        at = at * 1664525U + 1013904223U + __ldcg(words + (at >> 4) % kWords).x;
    }
    if (at == 1) {  // hardly ever; the true one follows
        runs[blockIdx.x].sm = at;
    }
    note_end(runs, begin);
}

__global__ void stream(const uint4* words, BlockRun* runs) {
    const auto begin = globaltimer();
    if (const auto sum = stream_through(words, kWords, kRounds); sum != 0) {  // never
        runs[blockIdx.x].sm = sum;
    }
    note_end(runs, begin);
}

/// How much sooner than the last SM the first of those is done that are left, of the whole time.
double apart(std::vector<double> ends) {
    std::sort(ends.begin(), ends.end());
    return 1 - ends[ends.size() / kEarly];
}

}  // namespace

void probe_sm_ends(const Options& options) {
    uint4* words = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&words), kBuffer), "cudaMalloc");
    check(cudaMemset(words, 0, kBuffer), "cudaMemset");
    const auto measure = [&](const char* quantity, void (*kernel)(const uint4*, BlockRun*)) {
        const auto note = [&](const std::vector<double>& ends) {
            sample(quantity, static_cast<double>(ends.size()), apart(ends));
        };
        ends_in_runs(options.of(20, 6), kernel, words, kBlocksPerSm, kThreads, note);
    };
    measure("sm_ends_chains", follow_chains);
    measure("sm_ends_stream", stream);
    check(cudaFree(words), "cudaFree");
}

}  // namespace overcast::probes
