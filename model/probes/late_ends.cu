// Probe: how much longer kernels of multiply-adds take, from their start to their end, beside 16 to
// 48 warps per SM that sweep the L2, sweep the DRAM or rewrite it and were there before
// (late_ends_beside_*), than alone (late_ends_alone). x = passes: of two lengths, so that what the
// others take of their issue slots, which grows with the length, can be told from what their first
// and last requests wait for. late_ends_full_* are the others by themselves, late_ends_idle_* with
// one warp per SM: a pass takes longer by what requests wait behind those of a whole pass of all
// warps. Observed behind 48 of them: 2 us behind sweeps of the L2, 6 behind those of the DRAM, 9
// behind rewrites, whatever the length.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <initializer_list>
#include <string>

namespace overcast::probes {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kThreadsOfArithmetic = 128;
constexpr std::size_t kBytes = std::size_t{1} << 30U;
constexpr std::size_t kBytesOfL2 = std::size_t{16} << 20U;  // that stay there
constexpr int kPasses = 400;
constexpr int kMeasured = 5;

/// Each thread four times 16 bytes at once in a pass, all of them side by side round the first
/// `vectors` (a power of two).
template <bool kRewrite>
__global__ void ask_for_memory(float4* memory, unsigned vectors, int passes) {
    constexpr int kAtOnce = 4;
    constexpr int kWritten = 2;  // of a rewrite: two lines are read and written
    constexpr int kRead = kRewrite ? kWritten : kAtOnce;
    const unsigned threads = gridDim.x * blockDim.x;
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        float4 read[kRead];
#pragma unroll
        for (int i = 0; i < kRead; ++i) {
            read[i] = __ldcg(memory + (at + static_cast<unsigned>(i) * threads) % vectors);
        }
#pragma unroll
        for (int i = 0; i < kRead; ++i) {
            sum += read[i].x + read[i].y;
            if (kRewrite) {
                memory[(at + static_cast<unsigned>(i) * threads) % vectors] = read[i];
            }
        }
        at += kRead * threads;
    }
    if (sum == -1.0F) {
        memory->x = sum;
    }
}

__global__ void multiply_and_add(float* out, int passes, float factor) {
    constexpr int kSteps = 16;
    float a = static_cast<float>(threadIdx.x);
    float b = a + 1;
    float c = a + 2;
    float d = a + 3;
    for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            a = a * factor + b;
            b = b * factor + c;
            c = c * factor + d;
            d = d * factor + a;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

class LateEnds {
public:
    LateEnds() {
        check(cudaMalloc(reinterpret_cast<void**>(&memory_), kBytes), "cudaMalloc");
        check(cudaMemset(memory_, 0, kBytes), "cudaMemset");
        const auto words = sms_ * kThreadsOfArithmetic;
        check(cudaMalloc(reinterpret_cast<void**>(&out_), words * sizeof(float)), "cudaMalloc");
    }
    ~LateEnds() {
        cudaFree(memory_);
        cudaFree(out_);
    }
    LateEnds(const LateEnds&) = delete;
    LateEnds& operator=(const LateEnds&) = delete;

    void alone(int passes) const {
        phase("late_ends_alone", passes);
        for (int i = 0; i < kMeasured; ++i) {
            arithmetic(passes);
            wait();
        }
    }

    /// `blocks` of eight warps on each SM.
    template <bool kRewrite>
    void measure(const std::string& like, unsigned blocks, std::size_t bytes,
                 std::initializer_list<int> lengths) const {
        const auto kind = like + "_" + std::to_string(blocks);
        phase(("late_ends_idle_" + kind).c_str(), kPasses);
        for (int i = 0; i < kMeasured; ++i) {
            ask<kRewrite>(sms_, kWarp, bytes);
            wait();
        }
        phase(("late_ends_full_" + kind).c_str(), kPasses);
        for (int i = 0; i < kMeasured; ++i) {
            ask<kRewrite>(blocks * sms_, kThreads, bytes);
            wait();
        }
        for (const auto passes : lengths) {
            phase(("late_ends_beside_" + kind).c_str(), passes);
            for (int i = 0; i < kMeasured; ++i) {
                ask<kRewrite>(blocks * sms_, kThreads, bytes);
                arithmetic(passes);
                wait();
            }
        }
    }

private:
    template <bool kRewrite>
    void ask(unsigned blocks, unsigned threads, std::size_t bytes) const {
        const auto vectors = static_cast<unsigned>(bytes / sizeof(float4));
        ask_for_memory<kRewrite><<<blocks, threads, 0, streams_[0]>>>(memory_, vectors, kPasses);
    }
    void arithmetic(int passes) const {
        multiply_and_add<<<sms_, kThreadsOfArithmetic, 0, streams_[1]>>>(out_, passes, 1.0001F);
    }
    static void wait() {
        check(cudaGetLastError(), "launch");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    unsigned sms_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    Streams streams_{2};
    float4* memory_ = nullptr;
    float* out_ = nullptr;
};

}  // namespace

void probe_late_ends(const Options& /*options*/) {
    const LateEnds ends;
    const auto lengths = {400, 1500};  // 20 and 72 us on an H200
    for (const auto passes : lengths) {
        ends.alone(passes);
    }
    for (const unsigned blocks : {2U, 4U, 6U}) {
        ends.measure<false>("l2", blocks, kBytesOfL2, lengths);
        ends.measure<false>("dram", blocks, kBytes, lengths);
        ends.measure<true>("rewrites", blocks, kBytes, lengths);
    }
}

}  // namespace overcast::probes
