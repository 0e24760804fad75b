// Probe: how far apart SMs lose the blocks of a kernel that waits for memory. Two blocks on every
// SM follow chains of loads through a buffer that no L2 holds, or read it word after word; each
// notes when it ends, and on which SM. Observed: both blocks of an SM end together, the SMs within
// 4 % of the time where they follow chains and 2 % where they stream; a fifth of them, which get
// more of a memory that is full, up to 30 % before the others. And how far apart the last blocks of
// an SM end after many waves of them, that stream: they are mixed then, anywhere within most of a
// block's time.
//   sm_ends_chains, sm_ends_stream: 1 - end / last end of the SM that is later than a fifth of all
//   sm_ends_mixed: within what share of a block's time those of an SM end
#include "model/probes/block_ends.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
// In waves of blocks that fill an SM.
constexpr unsigned kSmall = 256;
constexpr unsigned kOfWave = 2'048 / kSmall;
constexpr unsigned kWaves = 6;
constexpr unsigned kRoundsOfWave = 16;
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

template <unsigned rounds>
__global__ void stream(const uint4* words, BlockRun* runs) {
    const auto begin = globaltimer();
    if (const auto sum = stream_through(words, kWords, rounds); sum != 0) {  // never
        runs[blockIdx.x].sm = sum;
    }
    note_end(runs, begin);
}

/// How much sooner than the last SM the first of those is done that are left, of the whole time.
double apart(std::vector<double> ends) {
    std::sort(ends.begin(), ends.end());
    return 1 - ends[ends.size() / kEarly];
}

/// Within what share of their time the last blocks of an SM end: as far as evenly spread ends, of
/// which the variance is a twelfth of the square of that.
double mixed_within(const std::vector<BlockRun>& runs) {
    std::map<unsigned, std::vector<BlockRun>> by_sm;
    for (const auto& each : runs) {
        by_sm[each.sm].push_back(each);
    }
    double squares = 0;
    double time = 0;
    double count = 0;
    for (auto& [sm, blocks] : by_sm) {
        std::sort(blocks.begin(), blocks.end(),
                  [](const BlockRun& a, const BlockRun& b) { return a.begin > b.begin; });
        blocks.resize(std::min(blocks.size(), std::size_t{kOfWave}));
        double mean = 0;
        for (const auto& each : blocks) {
            mean += static_cast<double>(each.end - blocks.back().begin) /
                    static_cast<double>(blocks.size());
        }
        for (const auto& each : blocks) {
            const auto off = static_cast<double>(each.end - blocks.back().begin) - mean;
            squares += off * off;
            time += static_cast<double>(each.end - each.begin);
            ++count;
        }
    }
    return std::sqrt(12 * squares / count) / (time / count);
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
    measure("sm_ends_stream", stream<kRounds>);
    blocks_in_runs(options.of(20, 6), stream<kRoundsOfWave>, words, kWaves * kOfWave, kSmall,
                   [](const std::vector<BlockRun>& runs) {
                       sample("sm_ends_mixed", kWaves, mixed_within(runs));
                   });
    check(cudaFree(words), "cudaFree");
}

}  // namespace overcast::probes
