// Probe: when it is decided whether a copy still has to wait. Traced.
//
// look_ahead (x = 1 to the device, 0 to the host): a copy runs; behind it in its channel stands one
// of another stream that waits for a kernel, in every other channel one that is ready. The kernel
// ends around the end of the copy: how long before it, so that the engine stays on its channel?
//
// arrival_hk, _kh, …: one operation runs, and the call of the next one in its stream returns around
// its end: how late, so that the next one starts as if the stream were idle? Between kernels
// nothing of the kind is seen.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr std::size_t kLarge = 4 << 20;    // 76 us: all is issued before it ends
constexpr std::size_t kSmall = 512 << 10;  // never inline
constexpr double kCopy = 76'000;           // of kLarge, about
constexpr int kOthers = 3;                 // as many channels as there are beside the copy's own

/// The channel that was used least recently is the one of the copy that runs: so each of the others
/// gets its copy before the one that waits is issued.
void stay_or_leave(bool to_device, double kernel, const Streams& streams, const Buffers& buffers) {
    const auto copy = [&](std::size_t bytes, int stream) {
        to_device ? buffers.h2d(bytes, streams[stream]) : buffers.d2h(bytes, streams[stream]);
    };
    const int waits = kOthers + 1;
    spin(kernel, streams[waits]);
    copy(kLarge, 0);
    for (int i = 1; i <= kOthers; ++i) {
        copy(kSmall, i);
    }
    copy(kSmall, waits);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void wait_on_host(double nanoseconds) {
    const auto start = Clock::now();
    while (nanoseconds_since(start) < nanoseconds) {
    }
}

/// h: a copy to the device, d: to the host, k: a kernel.
void issue(char kind, bool first, cudaStream_t stream, const Buffers& buffers) {
    constexpr double kRuns = 20'000;
    switch (kind) {
        case 'h': buffers.h2d(first ? 2 * kSmall : kSmall, stream); break;
        case 'd': buffers.d2h(first ? 2 * kSmall : kSmall, stream); break;
        default: spin(first ? kRuns : 0, stream); break;
    }
}

}  // namespace

void probe_copy_decisions(const Options& options) {
    const Streams streams{kOthers + 2};
    const Buffers buffers{kLarge};
    for (int round = 0; round < options.of(6, 2); ++round) {
        for (const bool to_device : {true, false}) {
            for (double early = -4; early <= 20; early += 0.5) {
                phase("look_ahead", to_device ? 1 : 0, early);
                stay_or_leave(to_device, kCopy - early * 1e3, streams, buffers);
            }
        }
    }
    for (int round = 0; round < options.of(6, 2); ++round) {
        for (const char* pair :
             {"arrival_kh", "arrival_kd", "arrival_dh", "arrival_hk", "arrival_kk"}) {
            for (double after = 0; after <= 24; after += 0.5) {
                phase(pair, after);
                issue(pair[8], true, streams[0], buffers);
                wait_on_host(after * 1e3);
                issue(pair[9], false, streams[0], buffers);
                check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
