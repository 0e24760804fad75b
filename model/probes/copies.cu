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

}  // namespace

void probe_copies(const Options& options) {
    const Streams streams{1};
    const Buffers buffers{largest(options)};
    for (const auto bytes : sizes(options)) {
        const int repetitions = bytes > (16 << 20) ? options.of(6, 3) : options.of(30, 12);
        phase("h2d", static_cast<double>(bytes));
        sample_alone("wall_h2d", "call_h2d", static_cast<double>(bytes), repetitions, streams[0],
                     [&] { buffers.h2d(bytes, streams[0]); });
        phase("d2h", static_cast<double>(bytes));
        sample_alone("wall_d2h", "call_d2h", static_cast<double>(bytes), repetitions, streams[0],
                     [&] { buffers.d2h(bytes, streams[0]); });
    }
    phase("end", 0);
}

}  // namespace overcast::probes
