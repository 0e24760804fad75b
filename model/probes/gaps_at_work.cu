// Probe: gaps between the kernels of one stream by what others do, on the device's clock within the
// kernels. gap_at_work_*: x streams besides, in every second channel, have kernels of their own one
// behind the other. gap_after_reads_*: x = KiB that each kernel reads, which the L2 no longer has.
// Beside an idle link, copies to the device, copies to the host.
//
// Every stream is held back by a kernel of its own until all is issued: one that looks at host
// memory meanwhile, or an event that all wait for, would itself make gaps longer
// (docs/findings.md#two-engines-read-the-compute-channels). Observed: only channels of the same
// parity disturb each other; streams take them in the order of their first use.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace overcast::probes {
namespace {

using Clockstamp = unsigned long long;

constexpr int kChannels = 8;
constexpr int kMostAtWork = 3;
constexpr double kHeld = 1e6;  // ns until all is issued
constexpr double kOwn = 20'000;
constexpr double kOthers = 15'000;
constexpr double kLonger = 8'200;          // own kernels differ by up to that
constexpr double kGoldenRatio = 0.618034;  // its multiples lie evenly between two whole numbers
constexpr int kKernels = 24;
/// So many are at the device before the first begins.
constexpr int kReadAhead = 6;
constexpr std::size_t kLoadBytes = 16 << 20;
constexpr int kLoadCopies = 10;                 // 3 ms at 55 GB/s: longer than all that is measured
constexpr std::size_t kReadBytes = 512U << 20;  // far more than an L2 holds
constexpr std::size_t kMostRead = 8U << 20;

/// First start and last end of a kernel's blocks.
struct Ran {
    Clockstamp start;
    Clockstamp end;
};

__global__ void forget(Ran* ran) { ran[threadIdx.x] = {~0ULL, 0}; }

/// Reads `words` of `memory` and lasts `nanoseconds` at least.
__global__ void read_and_spin(float* memory, std::size_t words, double nanoseconds, Ran* ran) {
    const auto start = globaltimer();
    if (threadIdx.x == 0) {
        atomicMin(&ran->start, start);
    }
    float sum = 0;
    const auto threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += threads) {
        sum += memory[i];
    }
    if (sum != 0) {  // never: all of it is 0
        *memory = sum;
    }
    while (static_cast<double>(globaltimer() - start) < nanoseconds) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(&ran->end, globaltimer());
    }
}

enum class Load { none, h2d, d2h };

class Chain {
public:
    Chain() {
        sms_ = attribute(cudaDevAttrMultiProcessorCount);
        check(cudaMalloc(&memory_, kReadBytes), "cudaMalloc");
        check(cudaMemset(memory_, 0, kReadBytes), "cudaMemset");
        check(cudaMalloc(&ran_, kKernels * sizeof(Ran)), "cudaMalloc");
        for (int i = 0; i < kChannels; ++i) {
            launch(0, 1000, 0, streams_[i]);
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    ~Chain() {
        cudaFree(memory_);
        cudaFree(ran_);
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    /// Mean gap, ns, between kernels that read `bytes` each while `at_work` streams have others.
    double mean_gap(Load load, int at_work, std::size_t bytes) {
        forget<<<1, kKernels, 0, streams_[0]>>>(ran_);  // the default stream would take a channel
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        for (int i = 0; i <= at_work; ++i) {
            spin(kHeld, streams_[2 * i]);
        }
        keep_busy(load);
        for (int i = 1; i <= at_work; ++i) {
            for (int k = 0; k < 2 * kKernels; ++k) {
                spin(kOthers, streams_[2 * i]);
            }
        }
        for (int k = 0; k < kKernels; ++k) {
            share_ = std::fmod(share_ + kGoldenRatio, 1);
            launch(bytes / sizeof(float), kOwn + share_ * kLonger, k, streams_[0]);
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        std::vector<Ran> ran(kKernels);
        check(cudaMemcpy(ran.data(), ran_, kKernels * sizeof(Ran), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
        double sum = 0;
        for (int k = kReadAhead; k < kKernels; ++k) {
            sum += static_cast<double>(ran[k].start) - static_cast<double>(ran[k - 1].end);
        }
        return sum / (kKernels - kReadAhead);
    }

private:
    void launch(std::size_t words, double nanoseconds, int kernel, cudaStream_t stream) {
        const int blocks = words == 0 ? 1 : sms_;
        const int threads = words == 0 ? 1 : 256;
        read_and_spin<<<blocks, threads, 0, stream>>>(memory_ + place_ / sizeof(float), words,
                                                      nanoseconds, ran_ + kernel);
        check(cudaGetLastError(), "launch");
        place_ = (place_ + kMostRead) % kReadBytes;
    }

    void keep_busy(Load load) const {
        for (int i = 0; load != Load::none && i < kLoadCopies; ++i) {
            load_.copy(load == Load::h2d, kLoadBytes, streams_[kChannels], 0);
        }
    }

    Streams streams_{kChannels + 1};
    Buffers load_{kLoadBytes};
    float* memory_ = nullptr;
    Ran* ran_ = nullptr;
    int sms_ = 0;
    std::size_t place_ = 0;  ///< what the next kernel reads: not what was read last
    double share_ = 0;
};

}  // namespace

void probe_gaps_at_work(const Options& options) {
    Chain chain;
    struct Beside {
        const char* name;
        Load load;
    };
    for (const auto& [name, load] :
         {Beside{"idle", Load::none}, Beside{"h2d", Load::h2d}, Beside{"d2h", Load::d2h}}) {
        char quantity[64];
        const auto measure = [&](const char* what, double x, int at_work, std::size_t bytes) {
            std::snprintf(quantity, sizeof quantity, "%s_%s", what, name);
            for (int i = 0; i < options.of(12, 4); ++i) {
                sample(quantity, x, chain.mean_gap(load, at_work, bytes));
            }
        };
        for (int at_work = 0; at_work <= kMostAtWork; ++at_work) {
            measure("gap_at_work", at_work, at_work, 0);
        }
        for (const std::size_t kib : {0, 256, 1024, 2048, 4096, 8192}) {
            measure("gap_after_reads", static_cast<double>(kib), 0, kib << 10);
        }
    }
}

}  // namespace overcast::probes
