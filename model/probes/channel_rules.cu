// Probe: the rules by which channels and copy engines are used, each where another rule would show
// something else. Read from the channel ids and times of its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <random>

namespace overcast::probes {
namespace {

constexpr std::size_t kBytes = 128 << 10;  // never inline
constexpr int kStreams = 12;

/// Ownership: streams in random order; a ring or a fixed channel per stream gives other ids.
void ownership(const Streams& streams, const Buffers& buffers, int operations) {
    std::mt19937 random{7};
    std::uniform_int_distribution<int> any{0, kStreams - 1};
    phase("ownership", 0);
    for (int i = 0; i < operations; ++i) {
        const auto stream = streams[any(random)];
        buffers.h2d(kBytes, stream);
        launch_empty(stream);
        buffers.d2h(kBytes, stream);
    }
}

/// FIFO: of eleven streams one waits; who shares its channel and was issued later waits too.
void fifo(const Streams& streams, const Buffers& buffers, Hold& hold) {
    for (int blocked = 0; blocked < 8; ++blocked) {
        phase("fifo", blocked);
        hold.start(streams[kStreams - 1]);
        for (int i = 0; i < kStreams - 1; ++i) {
            if (i == blocked) {
                hold.holds_back(streams[i]);
            }
            buffers.h2d(kBytes, streams[i]);
        }
        const auto start = Clock::now();
        while (nanoseconds_since(start) < 300'000) {  // what may run has run
        }
        hold.let_go();
    }
}

/// `count` copies over `used` streams, all ready at once; first to the device, then back.
template <typename StreamOf>
void copies_over(const Streams& streams, const Buffers& buffers, Hold& hold, int used, int count,
                 StreamOf stream_of) {
    for (const bool to_device : {true, false}) {
        hold.start(streams[kStreams - 1]);
        for (int i = 0; i < used; ++i) {
            hold.holds_back(streams[i]);
        }
        for (int i = 0; i < count; ++i) {
            if (to_device) {
                buffers.h2d(kBytes, streams[stream_of(i)]);
            } else {
                buffers.d2h(kBytes, streams[stream_of(i)], kBytes);
            }
        }
        hold.let_go();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
}

/// Order of service: copies over streams that have a channel each, or share it evenly. Issued in
/// turn, an engine that drains leaves the order of issue; issued stream by stream, one that takes
/// who was ready first does.
void service(const Streams& streams, const Buffers& buffers, Hold& hold, int rounds) {
    constexpr int kCopies = 24;
    for (int round = 0; round < rounds; ++round) {
        for (const int used : {2, 3, 4, 8}) {
            phase("service", used, round);
            copies_over(streams, buffers, hold, used, kCopies, [&](int i) { return i % used; });
            phase("service_depth", used, round);
            copies_over(streams, buffers, hold, used, kCopies,
                        [&](int i) { return i / (kCopies / used); });
        }
    }
}

}  // namespace

void probe_channel_rules(const Options& options) {
    const Streams streams{kStreams};
    const Buffers buffers{2 * kBytes};
    Hold hold;
    ownership(streams, buffers, options.of(250, 100));
    fifo(streams, buffers, hold);
    service(streams, buffers, hold, options.of(3, 1));
    phase("end", 0);
}

}  // namespace overcast::probes
