// Probe: when it is decided whether a copy still has to wait. Traced.
//
// look_ahead_kh, _kd: a copy (h: to the device, d: to the host) runs; behind it in its channel
// stands one of another stream that waits for a kernel, in every other channel one that is ready.
// The kernel ends around the end of the copy: how long before it, so that the engine stays on its
// channel? look_ahead_dh, _hd: it waits for a copy of the other direction. look_ahead_ch, _cd: it
// waits for nothing, but its call comes so late.
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

void wait_on_host(double nanoseconds, Clock::time_point from = Clock::now()) {
    while (nanoseconds_since(from) < nanoseconds) {
    }
}

/// The channel that was used least recently is the one of the copy that runs: so each of the others
/// gets its copy before the one that comes `early` ns before the end is issued.
void stay_or_leave(char waits_for, char direction, double early, const Streams& streams,
                   const Buffers& buffers) {
    const auto copy = [&](char to, double bytes, int stream) {
        const auto size = static_cast<std::size_t>(bytes);
        to == 'h' ? buffers.h2d(size, streams[stream]) : buffers.d2h(size, streams[stream]);
    };
    const int waits = kOthers + 1;
    if (waits_for == 'k') {
        spin(kCopy - early, streams[waits]);
    } else if (waits_for != 'c') {
        copy(waits_for, kLarge * (1 - early / kCopy), waits);
    }
    copy(direction, kLarge, 0);
    const auto issued = Clock::now();
    for (int i = 1; i <= kOthers; ++i) {
        copy(direction, kSmall, i);
    }
    if (waits_for == 'c') {
        wait_on_host(kCopy - early, issued);
    }
    copy(direction, kSmall, waits);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
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
    const Buffers buffers{2 * kLarge};
    for (int round = 0; round < options.of(6, 2); ++round) {
        for (const char* pair : {"look_ahead_kh", "look_ahead_kd", "look_ahead_dh", "look_ahead_hd",
                                 "look_ahead_ch", "look_ahead_cd"}) {
            for (double early = -4; early <= 20; early += 0.5) {
                phase(pair, early);
                stay_or_leave(pair[11], pair[12], early * 1e3, streams, buffers);
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
