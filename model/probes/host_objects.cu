// Probe: host time of making and freeing streams, events and memory on an idle device. Untraced.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

/// One sample each for `make` and `free`, of single calls: some differ from the first on.
template <typename Make, typename Free>
void pairs(const char* made, const char* freed, double x, int rounds, Make make, Free free) {
    for (int round = -2; round < rounds; ++round) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto start = Clock::now();
        make();
        const double making = nanoseconds_since(start);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto later = Clock::now();
        free();
        const double freeing = nanoseconds_since(later);
        if (round >= 0) {
            sample(made, x, making);
            sample(freed, x, freeing);
        }
    }
}

}  // namespace

void probe_host_objects(const Options& options) {
    const Streams streams{1};
    const int rounds = options.of(40, 12);
    cudaStream_t stream = nullptr;
    pairs(
        "stream_create", "stream_destroy", 0, rounds,
        [&] { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create"); },
        [&] { check(cudaStreamDestroy(stream), "destroy"); });
    cudaEvent_t event = nullptr;
    pairs(
        "event_create", "event_destroy", 0, rounds,
        [&] { check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create"); },
        [&] { check(cudaEventDestroy(event), "destroy"); });
    void* memory = nullptr;
    for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{1} << 20,
                                    std::size_t{16} << 20, std::size_t{256} << 20}) {
        const auto x = static_cast<double>(bytes);
        pairs(
            "malloc", "free", x, rounds, [&] { check(cudaMalloc(&memory, bytes), "cudaMalloc"); },
            [&] { check(cudaFree(memory), "cudaFree"); });
        pairs(
            "malloc_async", "free_async", x, rounds,
            [&] { check(cudaMallocAsync(&memory, bytes, streams[0]), "cudaMallocAsync"); },
            [&] { check(cudaFreeAsync(memory, streams[0]), "cudaFreeAsync"); });
    }
    for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{16} << 20}) {
        pairs(
            "malloc_host", "free_host", static_cast<double>(bytes), rounds / 4,
            [&] { check(cudaMallocHost(&memory, bytes), "cudaMallocHost"); },
            [&] { check(cudaFreeHost(memory), "cudaFreeHost"); });
    }
}

}  // namespace overcast::probes
