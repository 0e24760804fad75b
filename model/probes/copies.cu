// Probe: one pinned copy at a time, alone. Device-side durations come from its recording, wall
// times from an untraced run.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

std::size_t largest(const Options& options) {
    return std::size_t{options.quick ? 256U : 1024U} << 20;
}

std::vector<std::size_t> sizes(const Options& options) {
    std::vector<std::size_t> all{4, 1 << 10, 16 << 10};
    for (std::size_t size = 64 << 10; size <= largest(options); size *= options.quick ? 4 : 2) {
        all.push_back(size);
    }
    return all;
}

template <typename Copy>
void alone(const char* wall, const char* call, const char* name, std::size_t bytes, int repetitions,
           cudaStream_t stream, Copy copy) {
    phase(name, static_cast<double>(bytes));
    for (int i = -2; i < repetitions; ++i) {
        const auto start = Clock::now();
        copy();
        const double issued = nanoseconds_since(start);
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        const double took = nanoseconds_since(start);
        if (i >= 0) {
            sample(wall, static_cast<double>(bytes), took);
            sample(call, static_cast<double>(bytes), issued);
        }
    }
}

}  // namespace

void probe_copies(const Options& options) {
    const Streams streams{1};
    const Buffers buffers{largest(options)};
    for (const auto bytes : sizes(options)) {
        const int repetitions = bytes > (16 << 20) ? options.of(6, 3) : options.of(30, 12);
        alone("wall_h2d", "call_h2d", "h2d", bytes, repetitions, streams[0],
              [&] { buffers.h2d(bytes, streams[0]); });
        alone("wall_d2h", "call_d2h", "d2h", bytes, repetitions, streams[0],
              [&] { buffers.d2h(bytes, streams[0]); });
    }
    phase("end", 0);
}

}  // namespace overcast::probes
