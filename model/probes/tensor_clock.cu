// Probe: a kernel on half of the SMs, by itself (tensor_alone_*) and while tensor cores work on
// others (tensor_beside_*): arithmetic, and loads that find their data in the L2. All SMs have one
// clock, and it is lower for as long as tensor cores work anywhere. Observed: 1980 MHz → 1800
// within microseconds, one warp on one SM is enough; arithmetic takes 1.10 times as long,
// loads 1.05.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <string>

namespace overcast::probes {
namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kTensorNs = 600'000;
constexpr double kUntilTensorNs = 50e3;
constexpr int kArithmetic = 90'000;  // multiply-adds of a chain, some 200 us
constexpr int kLoads = 750;          // likewise
constexpr unsigned kLineWords = 32;
constexpr unsigned kLines = 1U << 16;

/// Tensor cores work until the time is over, if instructions for them are known.
__global__ void multiply_matrices(unsigned* out, unsigned long long ns) {
    float sums[4] = {};
    const auto end = globaltimer() + ns;
    while (globaltimer() < end) {
#if __CUDA_ARCH__ >= 800
        const unsigned halves = 0x3c003c00;  // two numbers, each 1
        for (int i = 0; i < 512; ++i) {
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                "{%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3};"
                : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                : "r"(halves));
        }
#endif
    }
    if (sums[0] < 0) {  // never
        *out = 0;
    }
}

__global__ void multiply_add(unsigned* out, int count) {
    float value = 1;
    for (int i = 0; i < count; ++i) {
        value = value * 1.0001F + 0.5F;
    }
    if (value < 0) {  // never
        *out = 0;
    }
}

/// From each line to the one that it names.
__global__ void load_in_turn(unsigned* lines, int count) {
    auto at = blockIdx.x * 997 % kLines;
    for (int i = 0; i < count; ++i) {
        at = __ldcg(lines + std::size_t{at} * kLineWords);
    }
    if (at == kLines) {  // never
        *lines = 0;
    }
}

__global__ void link_lines(unsigned* lines) {
    constexpr unsigned kStep = 5077;  // odd: comes to all of them
    const auto line = blockIdx.x * blockDim.x + threadIdx.x;
    lines[std::size_t{line} * kLineWords] = (line + kStep) % kLines;
}

using Kernel = void (*)(unsigned*, int);

class TensorClock {
public:
    TensorClock() {
        alone_ = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        half_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount)) / 2;
        link_lines<<<kLines / kThreads, kThreads>>>(memory());
        check(cudaGetLastError(), "launch");
        has_an_sm_alone(multiply_matrices);
    }

    void measure(const std::string& kind, Kernel kernel, int threads, int count,
                 int repetitions) const {
        has_an_sm_alone(kernel);
        const auto run = [&](const std::string& where, bool tensor) {
            phase(("tensor_" + where + "_" + kind).c_str(), count);
            for (int i = 0; i < repetitions; ++i) {
                if (tensor) {
                    multiply_matrices<<<half_ - 1, kThreads, alone_, streams_[0]>>>(memory(),
                                                                                    kTensorNs);
                }
                spin(kUntilTensorNs, streams_[1]);
                kernel<<<half_, threads, alone_, streams_[1]>>>(memory(), count);
                check(cudaGetLastError(), "launch");
                check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            }
        };
        run("alone", false);
        run("beside", true);
    }

private:
    template <typename Function>
    void has_an_sm_alone(Function* kernel) const {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, alone_),
              "cudaFuncSetAttribute");
    }
    unsigned* memory() const { return reinterpret_cast<unsigned*>(lines_.device()); }

    unsigned half_ = 0;
    int alone_ = 0;  ///< bytes of shared memory of a block, so that no other finds room on its SM
    Streams streams_{2};
    Buffers lines_{std::size_t{kLines} * kLineWords * sizeof(unsigned)};
};

}  // namespace

void probe_tensor_clock(const Options& options) {
    const TensorClock clock;
    const auto repetitions = options.of(24, 8);
    clock.measure("arithmetic", multiply_add, kThreads, kArithmetic, repetitions);
    clock.measure("load", load_in_turn, 1, kLoads, repetitions);
}

}  // namespace overcast::probes
