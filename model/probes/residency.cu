// Probe: 1 to 8 blocks of eight warps on every SM, for three kinds of work. Untraced; from how many
// warps on the time grows is what saturates an SM.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr int kThreads = 256;

__global__ void multiply_add(float* out, int rounds) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
        x = x * 1.0001f + 0.5f;
    }
    if (x == -1.0f) {
        *out = x;
    }
}

__global__ void integers(float* out, int rounds) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        x = (x ^ (x << 5)) + (x >> 3);
    }
    if (x == 1u) {
        *out = 1.0f;
    }
}

__global__ void special(float* out, int rounds) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) {
        x = __sinf(x);
    }
    if (x == -1.0f) {
        *out = x;
    }
}

}  // namespace

void probe_residency(const Options& options) {
    const Streams streams{1};
    const int processors = attribute(cudaDevAttrMultiProcessorCount);
    float* out = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&out), sizeof(float)), "cudaMalloc");
    const auto sweep = [&](const char* name, auto kernel, int rounds) {
        for (const int blocks : {1, 2, 3, 4, 6, 8}) {
            sample_walls(name, blocks * kThreads / 32, options.of(9, 4), [&] {
                kernel<<<static_cast<unsigned>(blocks * processors), kThreads, 0, streams[0]>>>(
                    out, rounds);
                check(cudaGetLastError(), "launch");
                check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
            });
        }
    };
    sweep("residency_multiply_add", multiply_add, 200'000);
    sweep("residency_integers", integers, 40'000);
    sweep("residency_special", special, 40'000);
    check(cudaFree(out), "cudaFree");
}

}  // namespace overcast::probes
