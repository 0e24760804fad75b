// Probe: how much longer a kernel takes beside older warps that leave nothing of a pipe, or of the
// issue slots, where it does next to nothing in its loop: what it does before and behind that
// waits. On every SM older warps are in their loops; then one block with one or four warps per
// scheduler comes, and goes a few times round its own. For docs/model.md#the-start-of-blocks, whose
// figures it gives; `calibrate` does not read it.
//   text starts OLDER WARPS YOUNGER WARPS PASSES | TIME
// WARPS are per scheduler; us that the younger kernel takes longer than alone, median of five
// launches. `-`: the older one had ended. Kernels hash their thread's number into each of their
// words, and a pass is four times
//   fma1, fma4     a multiply-add of each of one or four chains
//   mix42, mix61   of four or six; a rotation, an addition and logic of each of two words or one
//   int1, int2     these alone
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;                    // a warp for each scheduler
constexpr unsigned kMost = 8;                         // older blocks of an SM
constexpr std::chrono::microseconds kUntilThere{80};  // until they are in their loops
constexpr float kLastsMs = 4;

__device__ unsigned hash(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

template <int kFloats, int kIntegers>
__global__ void run(unsigned* results, unsigned seed, unsigned passes) {
    const auto thread = blockIdx.x * blockDim.x + threadIdx.x;
    float values[kFloats + 1];  // no array is empty
    unsigned words[kIntegers + 1];
    for (int i = 0; i < kFloats; ++i) {
        values[i] = static_cast<float>(hash(seed + i + thread) >> 8) * 1e-8f;
    }
    for (int i = 0; i < kIntegers; ++i) {
        words[i] = hash(seed + thread + i);
    }
    for (unsigned pass = 0; pass < passes; ++pass) {
        for (int step = 0; step < 4; ++step) {
            for (int i = 0; i < kFloats; ++i) {
                values[i] = fmaf(values[i], values[i], -0.7f);
            }
            for (int i = 0; i < kIntegers; ++i) {
                words[i] = __funnelshift_l(words[i], words[i], 7) ^ (words[i] + pass);
            }
        }
    }
    unsigned result = 0;
    for (int i = 0; i < kFloats; ++i) {
        result = result * 31 + __float_as_uint(values[i]);
    }
    for (int i = 0; i < kIntegers; ++i) {
        result = result * 31 + words[i];
    }
    results[thread] = result;
}

struct Kernel {
    const char* name;
    void (*function)(unsigned*, unsigned, unsigned);
};
constexpr Kernel kKernels[] = {{"fma1", run<1, 0>},  {"fma4", run<4, 0>}, {"mix42", run<4, 2>},
                               {"mix61", run<6, 1>}, {"int1", run<0, 1>}, {"int2", run<0, 2>}};
constexpr unsigned kPasses[] = {1, 4, 40};

class Pair {
public:
    Pair() {
        check(cudaEventCreate(&begin_), "cudaEventCreate");
        check(cudaEventCreate(&end_), "cudaEventCreate");
    }
    ~Pair() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    void set_older(const Kernel& older, unsigned warps) {
        older_ = &older;
        older_warps_ = warps;
        older_passes_ = passes_that_last(older, warps);
    }

    void run(const Kernel& younger, unsigned warps, unsigned passes) {
        std::array<float, 5> times{};
        bool beside = true;
        for (auto& time : times) {
            const auto alone = time_of(younger, warps, passes);
            older_->function<<<older_warps_ * processors_, kThreads, 0, streams_[0]>>>(
                words(older_results_), 3, older_passes_);
            const auto launched = Clock::now();
            while (Clock::now() - launched < kUntilThere) {
            }
            time = time_of(younger, warps, passes) - alone;
            beside = beside && cudaStreamQuery(streams_[0]) == cudaErrorNotReady;
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        }
        std::sort(times.begin(), times.end());
        char row[128];
        std::snprintf(row, sizeof(row), beside ? "%s %u %s %u %u | %.1f" : "%s %u %s %u %u | -",
                      older_->name, older_warps_, younger.name, warps, passes,
                      1e3 * times[times.size() / 2]);
        text("starts", row);
    }

private:
    static unsigned* words(const Buffers& buffers) {
        return reinterpret_cast<unsigned*>(buffers.device());
    }

    /// ms
    float time_of(const Kernel& kernel, unsigned warps, unsigned passes) {
        check(cudaEventRecord(begin_, streams_[1]), "cudaEventRecord");
        kernel.function<<<processors_, warps * kThreads, 0, streams_[1]>>>(words(younger_results_),
                                                                           7, passes);
        check(cudaEventRecord(end_, streams_[1]), "cudaEventRecord");
        check(cudaStreamSynchronize(streams_[1]), "cudaStreamSynchronize");
        float time = 0;
        check(cudaEventElapsedTime(&time, begin_, end_), "cudaEventElapsedTime");
        return time;
    }

    unsigned passes_that_last(const Kernel& kernel, unsigned warps) {
        constexpr unsigned kTried = 10'000;
        const auto tried = time_of(kernel, warps, kTried);
        return static_cast<unsigned>(kTried * kLastsMs / tried);
    }

    unsigned processors_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    Streams streams_{2};
    Buffers older_results_{processors_ * kMost * kThreads * sizeof(unsigned)};
    Buffers younger_results_{processors_ * kMost * kThreads * sizeof(unsigned)};
    const Kernel* older_ = nullptr;
    unsigned older_warps_ = 0;
    unsigned older_passes_ = 0;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace

void probe_starts(const Options& options) {
    Pair pair;
    for (unsigned older_warps = 2; older_warps <= kMost; older_warps *= options.of(2, 4)) {
        for (const auto& older : kKernels) {
            pair.set_older(older, older_warps);
            for (const auto& younger : kKernels) {
                for (const unsigned younger_warps : {1U, 4U}) {
                    for (const auto passes : kPasses) {
                        pair.run(younger, younger_warps, passes);
                    }
                }
            }
        }
    }
}

}  // namespace overcast::probes
