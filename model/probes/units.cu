// Probe: kernels that use all that can be had of one unit. Of those of an SM, two blocks of 32
// warps on each, which end together: a counter is a mean over the whole launch. Of those of the
// device, eight blocks of eight warps on every SM. The counter of the unit, read in a second run,
// is its capacity. Each kernel's name says which. And kernels that read and write the DRAM, of
// which less can be reached then.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cuda_fp16.h>
#include <mma.h>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kBlocksPerSm = 8;
constexpr unsigned kWideThreads = 1024;
constexpr int kWideBlocksPerSm = 2;
constexpr unsigned kRows = 128;                     // of a thread
constexpr unsigned long long kMixedNs = 3'000'000;  // for which mixed_dram runs

__global__ void saturate_issue_slots(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int step = 0; step < 16; ++step) {
            value = value * 1.0001f + 0.5f;
        }
    }
    if (value == -1.0f) {
        *out = value;
    }
}

__global__ void saturate_fma_heavy_pipe(float* out, int rounds) {
    unsigned a = threadIdx.x;
    unsigned b = a + 1;
    for (int i = 0; i < rounds; ++i) {
        a = a * 1664525u + b;
        b = b * 22695477u + a;
    }
    if (a + b == 1u) {
        *out = 1.0f;
    }
}

__global__ void saturate_alu_pipe(float* out, int rounds) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        x = (x ^ (x << 5)) + (x >> 3);
    }
    if (x == 1u) {
        *out = 1.0f;
    }
}

__global__ void saturate_xu_pipe(float* out, int rounds) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
        x = __sinf(x);
    }
    if (x == -1.0f) {
        *out = x;
    }
}

__global__ void saturate_fp64_pipe(float* out, int rounds) {
    double x = static_cast<double>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
        x = x * 1.0001 + 0.5;
    }
    if (x == -1.0) {
        *out = static_cast<float>(x);
    }
}

__global__ void saturate_tensor_pipe(float* out, int rounds) {
#if __CUDA_ARCH__ >= 700
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(a, __float2half(1e-3f));
    fill_fragment(b, __float2half(1e-3f));
    fill_fragment(sum, 0.0f);
    for (int i = 0; i < rounds; ++i) {
        mma_sync(sum, a, b, sum);
    }
    if (sum.x[0] == -1.0f) {
        *out = sum.x[0];
    }
#endif
}

/// Every second word: two accesses for each instruction.
__global__ void saturate_l1(float* out, int rounds) {
    __shared__ float words[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) {
        words[i] = static_cast<float>(i);
    }
    __syncthreads();
    float sum = 0;
    const unsigned first = threadIdx.x * 2;
    for (int i = 0; i < rounds; ++i) {
        const unsigned at = first + static_cast<unsigned>(i);
        sum += words[at & 2047u];
        sum += words[(at + 64) & 2047u];
        sum += words[(at + 128) & 2047u];
        sum += words[(at + 192) & 2047u];
    }
    if (sum == -1.0f) {
        *out = sum;
    }
}

/// Consecutive words: one access for each instruction.
__global__ void saturate_lsu_pipe(float* out, int rounds) {
    __shared__ float words[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) {
        words[i] = static_cast<float>(i);
    }
    __syncthreads();
    const volatile float* const own = words + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int word = 0; word < 32; ++word) {
            sum += own[word * 32];
        }
    }
    if (sum == -1.0f) {
        *out = sum;
    }
}

/// Rows of 8 bytes of 16 MB, which stay in the L2: each thread its own, one behind the other, so
/// that each word of a warp is a request by itself.
__global__ void saturate_l2_writes(uint2* rows, int rounds) {
    constexpr unsigned kRows = 1u << 21;
    constexpr unsigned kOfThread = 64;
    const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * kOfThread;
    for (int i = 0; i < rounds; ++i) {
        const unsigned at = first + static_cast<unsigned>(i) % kOfThread;
        rows[at % kRows] = make_uint2(at, static_cast<unsigned>(i));
    }
}

/// Whole lines of 16 MB, which stay in the L2.
__global__ void saturate_l2_replies(float* out, const float4* words, int rounds) {
    constexpr unsigned kWords = 1u << 20;
    float sum = 0;
    unsigned at = blockIdx.x * 4096 + threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        const float4 a = __ldcg(words + at % kWords);
        const float4 b = __ldcg(words + (at + 256) % kWords);
        const float4 c = __ldcg(words + (at + 512) % kWords);
        const float4 d = __ldcg(words + (at + 768) % kWords);
        at += 1024;
        sum += a.x + b.y + c.z + d.w;
    }
    if (sum == -1.0f) {
        *out = sum;
    }
}

/// One word here and there in 16 MB: the place of the next hangs on the one before.
__global__ void saturate_l2_requests(float* out, const unsigned* words, int rounds) {
    constexpr unsigned kSectors = 1u << 19;
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 977u;
    for (int i = 0; i < rounds; ++i) {
        at = __ldcg(words + (at % kSectors) * 8) + at * 1664525u + 1013904223u;
    }
    if (at == 1u) {
        *out = 1.0f;
    }
}

/// Rows of 8 bytes: each thread its own, one behind the other.
__device__ void write_rows(uint2* rows, unsigned of_thread) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint2* const own = rows + static_cast<std::size_t>(thread) * of_thread;
    for (unsigned i = 0; i < of_thread; ++i) {
        own[i] = make_uint2(thread, i);
    }
}

/// All together more than the L2 holds, so that what was written before has to leave it in single
/// sectors.
__global__ void saturate_dram_writes(uint2* rows, unsigned of_thread) {
    write_rows(rows, of_thread);
}

/// The same from few threads to as many as fit: how fast that is with so many rows open at once.
__global__ void open_rows(uint2* rows, unsigned of_thread) { write_rows(rows, of_thread); }

/// Each block its own lines, `passes` times: so many that the first have left the L2 by then.
__global__ void saturate_dram(float* out, const float4* words, int rounds, int passes) {
    float sum = 0;
    const float4* const first =
        words + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(rounds) * 1024 +
        threadIdx.x;
    const float4* at = first;
    for (int i = 0; i < rounds * passes; ++i) {
        if (i % rounds == 0) {
            at = first;
        }
        const float4 a = __ldcs(at);
        const float4 b = __ldcs(at + 256);
        const float4 c = __ldcs(at + 512);
        const float4 d = __ldcs(at + 768);
        at += 1024;
        sum += a.x + b.y + c.z + d.w;
    }
    if (sum == -1.0f) {
        *out = sum;
    }
}

/// All blocks side by side round the memory, `rounds` times a step before they are back, each with
/// lines of 4 KiB: kRead that it reads, then kWrite that it writes. All for the same time, in which
/// far more is written than the L2 holds.
template <int kRead, int kWrite>
__global__ void mixed_dram(float* out, float4* words, int rounds, unsigned long long ns) {
    constexpr int kLines = kRead + kWrite;
    constexpr int kBetweenLooks = 8;
    const auto end = globaltimer() + ns;
    const std::size_t step = std::size_t{gridDim.x} * kLines * kThreads;
    float4* const first = words + std::size_t{blockIdx.x} * kLines * kThreads + threadIdx.x;
    float4 sum = make_float4(1, 2, 3, 4);
    for (int i = 0; i % kBetweenLooks != 0 || globaltimer() < end; ++i) {
        float4* const at = first + static_cast<std::size_t>(i % rounds) * step;
        float4 read[kRead > 0 ? kRead : 1];
#pragma unroll
        for (int line = 0; line < kRead; ++line) {
            read[line] = at[line * kThreads];
        }
#pragma unroll
        for (int line = 0; line < kRead; ++line) {
            sum.x += read[line].x + read[line].y + read[line].z + read[line].w;
        }
#pragma unroll
        for (int line = kRead; line < kLines; ++line) {
            at[line * kThreads] = sum;
        }
    }
    if (sum.x == -1.0f) {
        *out = sum.x;
    }
}

/// Round `bytes` of memory.
template <int kRead, int kWrite>
void mix_dram(unsigned blocks, float* out, char* memory, std::size_t bytes) {
    constexpr auto kStep = sizeof(float4) * kThreads * (kRead + kWrite);
    const auto rounds = static_cast<int>(bytes / (kStep * blocks));
    mixed_dram<kRead, kWrite>
        <<<blocks, kThreads>>>(out, reinterpret_cast<float4*>(memory), rounds, kMixedNs);
}

}  // namespace

void probe_units(const Options& /*options*/) {
    const int processors = attribute(cudaDevAttrMultiProcessorCount);
    const auto blocks = static_cast<unsigned>(kBlocksPerSm * processors);
    const auto wide_blocks = static_cast<unsigned>(kWideBlocksPerSm * processors);
    constexpr int kRounds = 120;  // of the kernel that reads the DRAM: 16 KiB each
    const std::size_t bytes = std::size_t{blocks} * kRounds * 16384;
    float* out = nullptr;
    char* memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&out), sizeof(float)), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&memory), bytes), "cudaMalloc");
    check(cudaMemset(memory, 0, bytes), "cudaMemset");
    const auto* vectors = reinterpret_cast<const float4*>(memory);
    const auto* words = reinterpret_cast<const unsigned*>(memory);
    auto* rows = reinterpret_cast<uint2*>(memory);
    constexpr int kReplyRounds = 200;
    value("units_l2_reply_bytes", 64.0 * kReplyRounds * blocks * kThreads);
    for (int i = 0; i < 2; ++i) {
        saturate_issue_slots<<<wide_blocks, kWideThreads>>>(out, 5'000);
        saturate_fma_heavy_pipe<<<wide_blocks, kWideThreads>>>(out, 20'000);
        saturate_alu_pipe<<<wide_blocks, kWideThreads>>>(out, 20'000);
        saturate_xu_pipe<<<wide_blocks, kWideThreads>>>(out, 10'000);
        saturate_fp64_pipe<<<wide_blocks, kWideThreads>>>(out, 10'000);
        saturate_tensor_pipe<<<wide_blocks, kWideThreads>>>(out, 5'000);
        saturate_l1<<<wide_blocks, kWideThreads>>>(out, 5'000);
        saturate_lsu_pipe<<<wide_blocks, kWideThreads>>>(out, 1'000);
        saturate_l2_writes<<<blocks, kThreads>>>(rows, 200);
        saturate_l2_replies<<<blocks, kThreads>>>(out, vectors, kReplyRounds);
        saturate_l2_requests<<<blocks, kThreads>>>(out, words, 500);
        saturate_dram<<<blocks, kThreads>>>(out, vectors, kRounds, 5);
        const auto half = blocks / 2;  // 32 warps on every SM, which all run at once
        mix_dram<4, 0>(half, out, memory, bytes);
        mix_dram<4, 1>(half, out, memory, bytes);
        mix_dram<4, 2>(half, out, memory, bytes);
        mix_dram<4, 4>(half, out, memory, bytes);
        mix_dram<2, 4>(half, out, memory, bytes);
        mix_dram<1, 4>(half, out, memory, bytes);
        mix_dram<0, 4>(half, out, memory, bytes);
        saturate_dram_writes<<<static_cast<unsigned>(processors), kWideThreads>>>(rows, kRows);
        for (const auto eighths : {1, 4, 8, 12, 16}) {  // of a block of 32 warps on each SM
            open_rows<<<static_cast<unsigned>(processors * eighths / 8), kWideThreads>>>(rows,
                                                                                         kRows);
        }
        check(cudaGetLastError(), "launch");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    check(cudaFree(memory), "cudaFree");
    check(cudaFree(out), "cudaFree");
}

}  // namespace overcast::probes
