// Probe: copies while a kernel fills the device, one that streams from and to DRAM, and one that
// only computes, for comparison; and the kernel while copies run. Read from the durations of its
// recording; the kernel outlasts its copies in the phases beside_*, and copies outlast the kernel
// in the phases under_*. x = bytes of a copy (0: none), y = kind of kernel.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdio>

namespace overcast::probes {
namespace {

constexpr std::size_t kMemory = std::size_t{2} << 30;
constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;
constexpr std::size_t kLarge = std::size_t{64} << 20;

enum Kind { kNone = 0, kReads = 1, kWrites = 2, kComputes = 3 };

__global__ void stream_in(const float4* from, std::size_t count, int rounds, float4* out) {
    float4 sum{};
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (int round = 0; round < rounds; ++round) {
        for (auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
             i += step) {
            const auto one = __ldcs(from + i);
            sum.x += one.x;
            sum.y += one.y;
            sum.z += one.z;
            sum.w += one.w;
        }
    }
    if (sum.x + sum.y + sum.z + sum.w == -1.0f) {
        *out = sum;
    }
}

__global__ void stream_out(float4* to, std::size_t count, int rounds) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (int round = 0; round < rounds; ++round) {
        for (auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
             i += step) {
            __stcs(to + i, float4{1.0f, 2.0f, 3.0f, static_cast<float>(round)});
        }
    }
}

__global__ void compute(float* out, int rounds) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
        x = x * 1.0001f + 0.5f;
    }
    if (x == -1.0f) {
        *out = x;
    }
}

class Kernels {
public:
    Kernels() {
        processors_ = attribute(cudaDevAttrMultiProcessorCount);
        check(cudaMalloc(reinterpret_cast<void**>(&memory_), kMemory), "cudaMalloc");
        check(cudaMemset(memory_, 0, kMemory), "cudaMemset");
        for (const int kind : {kReads, kWrites, kComputes}) {
            rounds_for_a_millisecond_[kind] = measured_rounds(kind);
        }
    }
    ~Kernels() { cudaFree(memory_); }
    Kernels(const Kernels&) = delete;
    Kernels& operator=(const Kernels&) = delete;

    void start(int kind, double milliseconds, cudaStream_t stream) const {
        if (kind != kNone) {
            launch(kind, static_cast<int>(rounds_for_a_millisecond_[kind] * milliseconds) + 1,
                   stream);
        }
    }

private:
    void launch(int kind, int rounds, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>(processors_ * kBlocksPerProcessor);
        const auto count = kMemory / sizeof(float4);
        if (kind == kReads) {
            stream_in<<<blocks, kThreads, 0, stream>>>(memory_, count, rounds, memory_);
        } else if (kind == kWrites) {
            stream_out<<<blocks, kThreads, 0, stream>>>(memory_, count, rounds);
        } else {
            compute<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<float*>(memory_), rounds);
        }
        check(cudaGetLastError(), "launch");
    }

    double measured_rounds(int kind) const {
        const int rounds = kind == kComputes ? 100'000 : 4;
        launch(kind, rounds, nullptr);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto start = Clock::now();
        launch(kind, rounds, nullptr);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        return rounds / (nanoseconds_since(start) * 1e-6);
    }

    float4* memory_ = nullptr;
    int processors_ = 0;
    double rounds_for_a_millisecond_[4] = {};
};

enum class Way { none, h2d, d2h };

void copies(Way way, std::size_t bytes, int count, const Buffers& buffers, cudaStream_t stream) {
    for (int i = 0; i < count; ++i) {
        if (way == Way::h2d) {
            buffers.h2d(bytes, stream);
        } else if (way == Way::d2h) {
            buffers.d2h(bytes, stream);
        }
    }
}

}  // namespace

void probe_memory_kernels(const Options& options) {
    constexpr double kBytesPerMillisecond = 50e6;  // of the link, roughly
    const Streams streams{2};
    const Buffers buffers{kLarge};
    const Kernels kernels;
    for (const int kind : {kNone, kReads, kWrites, kComputes}) {
        for (const auto bytes : {std::size_t{1} << 20, std::size_t{16} << 20, kLarge}) {
            const int count = bytes == kLarge ? options.of(4, 3) : options.of(12, 6);
            const double length = static_cast<double>(bytes) * count / kBytesPerMillisecond;
            for (const auto way : {Way::h2d, Way::d2h}) {
                phase("copies_beside", static_cast<double>(bytes), kind);
                kernels.start(kind, length * 1.5 + 1, streams[0]);
                copies(way, bytes, count, buffers, streams[1]);
            }
        }
    }
    const double length = options.of(8, 4);
    const auto count = static_cast<int>(length * 2 * kBytesPerMillisecond / (16 << 20)) + 2;
    for (const int kind : {kReads, kWrites, kComputes}) {
        for (int round = 0; round < options.of(4, 2); ++round) {
            for (const auto way : {Way::none, Way::h2d, Way::d2h}) {
                const char* name = way == Way::none  ? "kernel_alone"
                                   : way == Way::h2d ? "kernel_under_h2d"
                                                     : "kernel_under_d2h";
                phase(name, 16 << 20, kind);
                copies(way, 16 << 20, count, buffers, streams[1]);
                kernels.start(kind, length, streams[0]);
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
