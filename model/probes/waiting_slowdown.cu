// Probe: copies to the device while kernels wait in other channels, for an event or for a copy of
// their own stream. Untraced wall times; x = waiting channels * 100 + kernels in each.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr std::size_t kBytes = 16 << 20;
constexpr int kCopies = 6;
constexpr int kMostWaiting = 7;

struct Waiting {
    int channels;
    int kernels;
    bool behind_copy;
};

void measure(const Waiting& waiting, int repetitions, const Streams& streams,
             const Buffers& buffers, Hold& hold) {
    const auto measured = streams[kMostWaiting];
    const double x = waiting.channels * 100 + waiting.kernels;
    const char* name = waiting.behind_copy ? "waiting_for_copy" : "waiting_for_event";
    phase(name, waiting.channels, waiting.kernels);
    for (int i = -1; i < repetitions; ++i) {
        hold.start(streams[kMostWaiting + 1]);
        for (int channel = 0; channel < waiting.channels; ++channel) {
            hold.holds_back(streams[channel]);
            if (waiting.behind_copy) {
                buffers.d2h(4, streams[channel], kBytes);
            }
            for (int kernel = 0; kernel < waiting.kernels; ++kernel) {
                launch_empty(streams[channel]);
            }
        }
        const auto start = Clock::now();
        for (int copy = 0; copy < kCopies; ++copy) {
            buffers.h2d(kBytes, measured);
        }
        check(cudaStreamSynchronize(measured), "cudaStreamSynchronize");
        const double took = nanoseconds_since(start);
        hold.let_go();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (i >= 0) {
            sample(name, x, took / kCopies);
        }
    }
}

}  // namespace

void probe_waiting_slowdown(const Options& options) {
    const Streams streams{kMostWaiting + 2};
    const Buffers buffers{kBytes + 4096};
    Hold hold;
    const int repetitions = options.of(8, 4);
    for (const bool behind_copy : {true, false}) {
        if (options.quick && !behind_copy) {
            continue;
        }
        for (const int channels : {2, 3, 4, 5, 7}) {
            measure({0, 0, behind_copy}, repetitions, streams, buffers, hold);
            for (const int kernels : {1, 3, 5, 8, 11, 16}) {
                if (!options.quick || kernels > 4) {
                    measure({channels, kernels, behind_copy}, repetitions, streams, buffers, hold);
                }
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
