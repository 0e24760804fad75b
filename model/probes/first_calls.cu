// Probe: the first call after a pause of the host, and the second. Untraced; x = length of the
// pause in nanoseconds, 0: none.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <thread>

namespace overcast::probes {
namespace {

template <typename Call>
void measure(const char* first, const char* second, double pause, int rounds, Call call) {
    for (int round = -2; round < rounds; ++round) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (pause > 0) {
            std::this_thread::sleep_for(std::chrono::duration<double, std::nano>{pause});
        }
        const auto start = Clock::now();
        call();
        const auto between = Clock::now();
        call();
        const double later = nanoseconds_since(between);
        if (round >= 0) {
            sample(first, pause, std::chrono::duration<double, std::nano>(between - start).count());
            sample(second, pause, later);
        }
    }
}

}  // namespace

void probe_first_calls(const Options& options) {
    constexpr std::size_t kBytes = 64 << 10;
    const Streams streams{1};
    const Buffers buffers{kBytes};
    for (const double pause : {0.0, 1e5, 1e6, 1e7}) {
        const int rounds = pause > 5e6 ? options.of(20, 8) : options.of(40, 12);
        measure("first_launch", "second_launch", pause, rounds, [&] { launch_empty(streams[0]); });
        measure("first_copy", "second_copy", pause, rounds,
                [&] { buffers.h2d(kBytes, streams[0]); });
    }
}

}  // namespace overcast::probes
