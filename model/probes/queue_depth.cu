// Probe: how many launches a channel takes while nothing starts. Behind a held kernel, the launch
// that finds no room blocks until the hold is over.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <thread>

namespace overcast::probes {
namespace {

constexpr int kMost = 20'000;

int launches_before_one_blocks(cudaStream_t holder, cudaStream_t stream) {
    Hold hold;
    hold.start(holder);
    hold.holds_back(stream);
    std::thread opener{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{250});
        hold.let_go();
    }};
    int launched = 0;
    for (; launched < kMost; ++launched) {
        const auto start = Clock::now();
        launch_empty(stream);
        if (nanoseconds_since(start) > 10e6) {
            break;
        }
    }
    opener.join();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return launched;
}

}  // namespace

void probe_queue_depth(const Options& options) {
    const Streams streams{2};
    launch_empty(streams[1]);
    for (int i = 0; i < options.of(3, 1); ++i) {
        const int launched = launches_before_one_blocks(streams[0], streams[1]);
        if (launched < kMost) {
            sample("queue_depth", 0, launched);
        }
    }
}

}  // namespace overcast::probes
