// Probe: copies to the device while kernels wait in other channels, for an event, all for one copy
// of their stream, or each for a copy of its own; x = waiting channels * 100 + kernels in each.
// Untraced wall times.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr std::size_t kBytes = 16 << 20;
constexpr int kCopies = 6;
constexpr std::size_t kBytesOfEach = 64 << 10;
constexpr int kMostWaiting = 7;

enum class WaitFor { event, copy, copies };  // copies: each kernel for one of its own

struct Waiting {
    int channels;
    int kernels;
    WaitFor what;
};

const char* name_of(WaitFor what) {
    switch (what) {
        case WaitFor::event: return "waiting_for_event";
        case WaitFor::copy: return "waiting_for_copy";
        case WaitFor::copies: return "waiting_for_copies";
    }
    return "";
}

void measure(const Waiting& waiting, int repetitions, const Streams& streams,
             const Buffers& buffers, Hold& hold) {
    const auto measured = streams[kMostWaiting];
    const double x = waiting.channels * 100 + waiting.kernels;
    const char* name = name_of(waiting.what);
    phase(name, waiting.channels, waiting.kernels);
    for (int i = -1; i < repetitions; ++i) {
        hold.start(streams[kMostWaiting + 1]);
        for (int channel = 0; channel < waiting.channels; ++channel) {
            hold.holds_back(streams[channel]);
            if (waiting.what == WaitFor::copy) {
                buffers.d2h(4, streams[channel], kBytes);
            }
            for (int kernel = 0; kernel < waiting.kernels; ++kernel) {
                if (waiting.what == WaitFor::copies) {
                    buffers.d2h(kBytesOfEach, streams[channel], kBytes);
                }
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
    const Buffers buffers{kBytes + (128 << 10)};
    Hold hold;
    const int repetitions = options.of(8, 4);
    for (const auto what : {WaitFor::copy, WaitFor::copies, WaitFor::event}) {
        for (const int channels : {2, 3, 4, 5, kMostWaiting}) {
            if (what == WaitFor::event && (options.quick || channels < kMostWaiting)) {
                continue;  // no fit needs it
            }
            measure({0, 0, what}, repetitions, streams, buffers, hold);
            for (const int kernels : {1, 3, 5, 8, 11, 16}) {
                if (!options.quick || kernels > 4) {
                    measure({channels, kernels, what}, repetitions, streams, buffers, hold);
                }
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
