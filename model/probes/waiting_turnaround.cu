// Probe: what waiting channels add between two copies of one engine. Copies of one stream follow
// each other while in other compute channels one kernel each waits for a copy of its own stream,
// which an event holds back. x = waiting channels * 10000 + KiB of a copy; wall times of two
// lengths, so that start and end cancel out.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr std::size_t kPart = 1 << 20;
constexpr int kParts = 32;
constexpr std::size_t kHeldBack = 128 << 10;  // more than travels inline
constexpr int kMostWaiting = 7;

struct Chain {
    bool to_device;
    int waiting;
    int kib;
};

struct Place {
    const Streams& streams;
    const Buffers& buffers;
    Hold& hold;

    void copy(bool to_device, std::size_t bytes, cudaStream_t stream, int part) const {
        buffers.copy(to_device, bytes, stream, static_cast<std::size_t>(part) * kPart);
    }

    /// The copies that the kernels wait for go the other way: the engine under test is free.
    void let_kernels_wait(const Chain& chain) const {
        hold.start(streams[kMostWaiting + 1]);
        for (int channel = 0; channel < chain.waiting; ++channel) {
            hold.holds_back(streams[channel]);
            copy(!chain.to_device, kHeldBack, streams[channel], kParts);
            launch_empty(streams[channel]);
        }
    }
};

void measure(const Chain& chain, int repetitions, const Place& place) {
    const auto stream = place.streams[kMostWaiting];
    const double x = chain.waiting * 10'000 + chain.kib;
    for (const bool many : {false, true}) {
        for (int i = -1; i < repetitions; ++i) {
            place.let_kernels_wait(chain);
            const auto start = Clock::now();
            for (int copy = 0; copy < (many ? kManyCopies : kFewCopies); ++copy) {
                place.copy(chain.to_device, static_cast<std::size_t>(chain.kib) << 10, stream,
                           copy % kParts);
            }
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
            const double took = nanoseconds_since(start);
            place.hold.let_go();
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            if (i >= 0) {
                sample(chain.to_device ? (many ? "turnaround_h2d_many" : "turnaround_h2d_few")
                                       : (many ? "turnaround_d2h_many" : "turnaround_d2h_few"),
                       x, took);
            }
        }
    }
}

}  // namespace

void probe_waiting_turnaround(const Options& options) {
    const Streams streams{kMostWaiting + 2};
    const Buffers buffers{kPart * (kParts + 1)};
    Hold hold;
    for (const bool to_device : {true, false}) {
        for (const int kib : {64, 256, 1024}) {
            if (options.quick && kib == 1024) {
                continue;
            }
            for (const int waiting : {0, 1, 2, 3, 4, 5, 7}) {
                measure({to_device, waiting, kib}, options.of(11, 5), {streams, buffers, hold});
            }
        }
    }
}

}  // namespace overcast::probes
