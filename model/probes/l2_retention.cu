// Probe: how long data stays in the L2 while other kernels bring in theirs. Chains of loads go
// round and round a footprint, alone and beside a stream that reads one half of a large buffer and
// writes the other: what they no longer find takes as long as a load from the DRAM, which chains
// through a footprint larger than the L2 show. Beside streams that only read, of ever more warps,
// few chains show how much longer a load takes where others use the L2 or the DRAM, and beside
// those that write as much how much longer writes make it. Beside ever more loads of single sectors
// on most SMs a load of another one waits until there are as many on their way as the L2 takes;
// more wait in their SMs. Read from the durations of the recording.
//   chain, chain_beside: x = bytes of the footprint, y = chains at once
//   l2_chain_beside_reads, dram_chain_beside_reads, dram_chain_beside_writes:
//     x = warps of the stream, y = chains at once
//   l2_chain_beside_lookups: x = warps per SM that look up sectors here and there, y = chains at
//     once, on other SMs
//   values: loads of each chain, chains of a warp, bytes that the stream reads and writes
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr unsigned kLoads = 1'000;
constexpr unsigned kChainsPerWarp = 8;
constexpr std::size_t kSector = 32;
constexpr std::size_t kStreamed = std::size_t{512} << 20;
constexpr std::size_t kMostFootprint = std::size_t{128} << 20;
constexpr unsigned kStreamThreads = 512;

struct alignas(kSector) Link {
    unsigned next;
};

/// One cycle through all links, of which there are 2^k.
__global__ void make_cycle(Link* links, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        links[i].next = (i * 1664525u + 1013904223u) % count;
    }
}

/// The first lanes of each warp follow a chain each, from places far apart.
__global__ void follow_chains(const Link* links, unsigned count, unsigned first, unsigned* out) {
    if (threadIdx.x % 32 >= kChainsPerWarp) {
        return;
    }
    unsigned at = (first + blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    at = (at ^ (at >> 15)) % count;
    for (unsigned i = 0; i < kLoads; ++i) {
        at = __ldcg(&links[at].next);
    }
    if (at == ~0u) {
        *out = at;
    }
}

__global__ void stream_through(uint4* words, std::size_t half, unsigned rounds) {
    const auto step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    auto at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < rounds; ++i) {
        const std::size_t first = at;
        const std::size_t second = first + step < half ? first + step : first + step - half;
        const uint4 a = words[first];
        const uint4 b = words[second];
        words[half + first] = uint4{a.x + 1, a.y, a.z, a.w};
        words[half + second] = uint4{b.x + 1, b.y, b.z, b.w};
        at = second + step < half ? second + step : second + step - half;
    }
}

__global__ void read_through(const uint4* words, std::size_t count, unsigned rounds, uint4* out) {
    constexpr unsigned kAtOnce = 4;
    const auto step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    auto at = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    uint4 sum{};
    for (unsigned i = 0; i < rounds; ++i) {
        uint4 found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            each = __ldcg(words + at);
            at = at + step < count ? at + step : at + step - count;
        }
#pragma unroll
        for (const auto& each : found) {
            sum.x ^= each.x ^ each.y ^ each.z ^ each.w;
        }
    }
    if (sum.x == ~0u) {  // never: the words are 0 and 1
        *out = sum;
    }
}

/// A sector for each word, from all over `count` of them, a power of two.
__global__ void look_up(const unsigned* words, unsigned count, unsigned rounds, unsigned* out) {
    constexpr unsigned kAtOnce = 16;
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        unsigned found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            state = state * 1664525u + 1013904223u;
            each = __ldcg(words + ((state >> 4) & (count - 1)));
        }
#pragma unroll
        for (const auto each : found) {
            sum ^= each;
        }
    }
    if (sum == ~0u) {  // never: places of links
        *out = sum;
    }
}

}  // namespace

void probe_l2_retention(const Options& /*options*/) {
    const int processors = attribute(cudaDevAttrMultiProcessorCount);
    const auto streaming = static_cast<unsigned>(processors / 3);  // SMs; chains have the others
    const auto chaining = static_cast<unsigned>(processors) - streaming - 4;
    const unsigned rounds = 8'000;
    Link* links = nullptr;
    uint4* words = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&links), kMostFootprint), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&words), kStreamed), "cudaMalloc");
    check(cudaMemset(words, 0, kStreamed), "cudaMemset");
    const Streams streams{2};
    value("l2_retention_loads", kLoads);
    value("l2_retention_chains_per_warp", kChainsPerWarp);
    value("l2_retention_streamed_bytes", 64.0 * rounds * streaming * kStreamThreads);
    const auto chains = [&](std::size_t bytes, unsigned threads) {
        follow_chains<<<chaining, threads, 0, streams[1]>>>(
            links, static_cast<unsigned>(bytes / kSector), 0, reinterpret_cast<unsigned*>(links));
    };
    for (const std::size_t mebibytes : {4, 8, 16, 128}) {
        const std::size_t bytes = mebibytes << 20;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // its streams do not wait
        make_cycle<<<1024, 256>>>(links, static_cast<unsigned>(bytes / kSector));
        for (const unsigned threads : {32u, 96u, 128u, 192u, 256u, 384u, 512u, 768u, 1024u}) {
            if (bytes == kMostFootprint ? threads > 32 : threads == 32) {
                continue;  // alone in the DRAM: loads that do not wait for each other
            }
            const double y = static_cast<double>(chaining) * threads / 32 * kChainsPerWarp;
            phase("chain", static_cast<double>(bytes), y);
            for (int i = 0; i < 4; ++i) {
                chains(bytes, threads);
            }
            phase("chain_beside", static_cast<double>(bytes), y);
            stream_through<<<streaming, kStreamThreads, 0, streams[0]>>>(
                words, kStreamed / 2 / sizeof(uint4), rounds);
            for (int i = 0; i < 4; ++i) {
                chains(bytes, threads);
            }
        }
    }
    const auto chains_on = [&](unsigned sms, std::size_t bytes) {
        for (int i = 0; i < 4; ++i) {
            follow_chains<<<sms, 32, 0, streams[1]>>>(links, static_cast<unsigned>(bytes / kSector),
                                                      0, reinterpret_cast<unsigned*>(links));
        }
    };
    const auto beside_reads = [&](const char* quantity, std::size_t bytes, unsigned reading,
                                  unsigned threads) {
        const auto others = static_cast<unsigned>(processors) - reading - 4;
        phase(quantity, reading * threads / 32.0, static_cast<double>(others) * kChainsPerWarp);
        if (reading > 0) {
            read_through<<<reading, threads, 0, streams[0]>>>(
                words, (bytes == kMostFootprint ? kStreamed : bytes) / sizeof(uint4), rounds,
                words);
        }
        chains_on(others, bytes);
    };
    // From the DRAM an SM gets little, however many warps ask; of the L2's way to a few SMs, those
    // beside them have less.
    for (const int twelfths : {0, 2, 4, 6, 7, 8, 10}) {
        beside_reads("dram_chain_beside_reads", kMostFootprint,
                     static_cast<unsigned>(processors * twelfths / 12), kStreamThreads);
    }
    // As few chains beside all streams: many by themselves make loads from the DRAM wait. Few would
    // find in the L2 what the launch before has read.
    constexpr unsigned kFewSms = 12;
    unsigned first = 0;
    for (const int twelfths : {0, 1, 2, 3, 4, 5}) {
        const auto writing = static_cast<unsigned>(processors * twelfths / 12);
        phase("dram_chain_beside_writes", writing * kStreamThreads / 32.0,
              static_cast<double>(kFewSms) * kChainsPerWarp);
        if (writing > 0) {
            stream_through<<<writing, kStreamThreads, 0, streams[0]>>>(
                words, kStreamed / 2 / sizeof(uint4), rounds);
        }
        for (int i = 0; i < 4; ++i) {
            follow_chains<<<kFewSms, 32, 0, streams[1]>>>(
                links, static_cast<unsigned>(kMostFootprint / kSector), first,
                reinterpret_cast<unsigned*>(links));
            first += 32 * kFewSms;
        }
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    constexpr std::size_t kInL2 = std::size_t{8} << 20;
    make_cycle<<<1024, 256>>>(links, static_cast<unsigned>(kInL2 / kSector));
    const auto most = static_cast<unsigned>(processors * 5 / 6);
    beside_reads("l2_chain_beside_reads", kInL2, 0, kStreamThreads);
    for (const unsigned threads : {64u, 96u, 128u, 160u, 192u, 224u, 256u, kStreamThreads}) {
        beside_reads("l2_chain_beside_reads", kInL2, most, threads);
    }
    const auto others = static_cast<unsigned>(processors) - most - 4;
    for (const unsigned threads : {0u, 128u, 256u, 512u, 1024u}) {
        phase("l2_chain_beside_lookups", threads / 32.0,
              static_cast<double>(others) * kChainsPerWarp);
        if (threads > 0) {
            look_up<<<most, threads, 0, streams[0]>>>(reinterpret_cast<const unsigned*>(links),
                                                      kInL2 / sizeof(unsigned), 640'000 / threads,
                                                      reinterpret_cast<unsigned*>(links));
        }
        chains_on(others, kInL2);
    }
    check(cudaGetLastError(), "launch");
    phase("end", 0);
    check(cudaFree(words), "cudaFree");
    check(cudaFree(links), "cudaFree");
}

}  // namespace overcast::probes
