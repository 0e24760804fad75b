// Probe: launches and copies from several host threads, each with a stream of its own. Untraced; x
// = threads, each sample the time of a call as its own thread sees it.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <atomic>
#include <thread>

namespace overcast::probes {
namespace {

constexpr int kCalls = 96;
constexpr int kMostThreads = 4;
constexpr std::size_t kBytes = 64 << 10;

/// All threads begin at once; the time of each is a sample.
template <typename Call>
void measure(const char* name, int threads, int rounds, Call call) {
    for (int round = -2; round < rounds; ++round) {
        std::atomic<int> arrived{0};
        std::vector<double> took(static_cast<std::size_t>(threads));
        const auto work = [&](int thread) {
            arrived.fetch_add(1);
            while (arrived.load() < threads) {
            }
            const auto start = Clock::now();
            for (int i = 0; i < kCalls; ++i) {
                call(thread);
            }
            took[static_cast<std::size_t>(thread)] = nanoseconds_since(start) / kCalls;
        };
        std::vector<std::thread> running;
        for (int thread = 0; thread < threads; ++thread) {
            running.emplace_back(work, thread);
        }
        for (auto& thread : running) {
            thread.join();
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        for (const double each : took) {
            if (round >= 0) {
                sample(name, threads, each);
            }
        }
    }
}

}  // namespace

void probe_host_threads(const Options& options) {
    const Streams streams{kMostThreads};
    const Buffers buffers{kBytes * kMostThreads};
    for (const int threads : {1, 2, kMostThreads}) {
        measure("thread_launch", threads, options.of(20, 8),
                [&](int thread) { launch_empty(streams[thread]); });
        measure("thread_copy", threads, options.of(20, 8), [&](int thread) {
            buffers.h2d(kBytes, streams[thread], static_cast<std::size_t>(thread) * kBytes);
        });
    }
}

}  // namespace overcast::probes
