// Probe: how long a read of shared memory waits in the queue of its SM to memory. One warp per
// scheduler follows a chain through shared memory; beside it blocks load, each lane from a line of
// its own and eight at once, so that many more lines are asked for than the L1 has. Observed: a
// read waits behind 31 and 53 instructions beside four and eight blocks, and not where the lines
// have room.
//   memory_queue_read: x = blocks that load beside it; from one read to the next, median of the SMs
//   memory_queue_instruction: x likewise; from one of an SM's loads to the next
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kTable = 1024;           // words of shared memory
constexpr unsigned kStride = 128;           // to the next one of a chain: no bank conflicts
constexpr unsigned kWords = 8U << 20 >> 2;  // that the L2 holds
constexpr unsigned kApart = 7919;           // lines from one lane's to the next one's
constexpr unsigned kAtOnce = 8;
constexpr unsigned kReads = 300;
constexpr unsigned long long kLongest = 5'000'000;  // ns; then loads end by themselves

// Counted: of a warp its reads, of a block its loads.
__global__ void load(const unsigned* words, CountedRun* ran, const volatile unsigned* done,
                     unsigned readers) {
    const auto begin = globaltimer();
    unsigned at = (blockIdx.x * kThreads + threadIdx.x) / 32 * 2654435761U;
    unsigned sum = 0;
    unsigned count = 0;
    __shared__ unsigned all;
    if (threadIdx.x == 0) {
        all = 0;
    }
    __syncthreads();
    while (*done < readers && globaltimer() < begin + kLongest) {
        unsigned found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            at = at * 1664525U + 1013904223U;
            const auto line = (at >> 7) + threadIdx.x % 32 * kApart;
            each = __ldcg(words + line * 32 % kWords);
        }
        for (const auto each : found) {
            sum += each;
        }
        count += kAtOnce;
    }
    const auto of_block = static_cast<unsigned>(__syncthreads_count(sum == 1));  // hardly ever one
    atomicAdd(&all, threadIdx.x % 32 == 0 ? count : 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = {begin, globaltimer(), all + of_block};
    }
}

__global__ void read(CountedRun* ran, unsigned* done) {
    extern __shared__ unsigned table[];
    for (unsigned i = threadIdx.x; i < kTable; i += kThreads) {
        table[i] = (i + kStride) % kTable;
    }
    __syncthreads();
    const auto begin = globaltimer();
    unsigned at = threadIdx.x;
    for (unsigned i = 0; i < kReads; ++i) {
        at = table[at];
    }
    const auto end = globaltimer();
    __syncthreads();
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = {begin, end, kReads + (at == kTable ? 1U : 0U)};
        atomicAdd(done, 1);
    }
}

void sample_reads(unsigned beside, unsigned processors) {
    const unsigned loading = beside * processors;
    const Buffers notes{(loading + processors) * sizeof(CountedRun) + sizeof(unsigned)};
    const Buffers words{kWords * sizeof(unsigned)};
    auto* const ran = reinterpret_cast<CountedRun*>(notes.device());
    auto* const done = reinterpret_cast<unsigned*>(ran + loading + processors);
    const Streams streams{2};
    constexpr std::size_t kShared = kTable * sizeof(unsigned);
    check(cudaMemset(done, 0, sizeof(unsigned)), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (loading > 0) {
        load<<<loading, kThreads, kShared, streams[0]>>>(
            reinterpret_cast<const unsigned*>(words.device()), ran, done, processors);
        spin(1e5, streams[1]);  // until all of them load
    }
    read<<<processors, kThreads, kShared, streams[1]>>>(ran + loading, done);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<CountedRun> found(loading + processors);
    check(cudaMemcpy(found.data(), ran, found.size() * sizeof(CountedRun), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    const auto* const reads = found.data() + loading;
    sample("memory_queue_read", beside, median_of_one(reads, reads + processors));
    if (loading > 0) {
        sample("memory_queue_instruction", beside, median_of_one(found.data(), reads) / beside);
    }
}

}  // namespace

void probe_memory_queue(const Options& options) {
    const auto processors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    constexpr int kHalf = 50;  // of an SM's memory, for both: none waits for another division
    for (auto* const kernel :
         {reinterpret_cast<const void*>(load), reinterpret_cast<const void*>(read)}) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, kHalf),
              "cudaFuncSetAttribute");
    }
    for (const unsigned beside : {0U, 1U, 4U, 8U}) {
        for (int i = 0; i < options.of(5, 3); ++i) {
            sample_reads(beside, processors);
        }
    }
}

}  // namespace overcast::probes
