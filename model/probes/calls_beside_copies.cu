// Probe: host time of calls whose work stands in compute channels while a long copy is on the link.
// Observed: beside a copy to the device a launch, a memset and a copy within the device cost 0.5 us
// more, beside one to the host nothing; calls that copy between host and device cost what they
// always do. What such a call writes to the device goes the way that the copy's data takes.
#include "model/probes/probes.hpp"
#include "model/probes/quiet_rounds.cuh"

namespace overcast::probes {
namespace {

constexpr int kCalls = 48;  // per round
constexpr int kTurns = 4;
constexpr int kMostDisturbed = 25;
constexpr std::size_t kBytes = 64 << 10;
constexpr std::size_t kLongBytes = 64 << 20;  // 1.2 ms at 55 GB/s: no round of calls takes as long

/// What is on the link, as the x of the samples.
enum Beside : int { kNothing, kCopyToDevice, kCopyToHost };

class Program {
public:
    void measure(Beside beside, int rounds) const {
        const auto sample = [&](const char* quantity, auto call) {
            sample_calls_after([&] { start(beside); }, quantity, beside,
                               {rounds, kCalls, kMostDisturbed}, call);
        };
        sample("call_kernel_launch_beside", [&](int) { launch_empty(streams_[0]); });
        sample("call_memset_beside", [&](int step) {
            check(cudaMemsetAsync(buffers_.device() + offset(step), 0, kBytes, streams_[0]),
                  "cudaMemsetAsync");
        });
        sample("call_h2d_beside",
               [&](int step) { buffers_.h2d(kBytes, streams_[0], offset(step)); });
    }

private:
    static std::size_t offset(int step) { return static_cast<std::size_t>(step) * kBytes; }

    void start(Beside beside) const {
        if (beside == kCopyToDevice) {
            long_.h2d(kLongBytes, streams_[1]);
        } else if (beside == kCopyToHost) {
            long_.d2h(kLongBytes, streams_[1]);
        }
    }

    Streams streams_{2};
    Buffers buffers_{kBytes * kCalls};
    Buffers long_{kLongBytes};
};

}  // namespace

void probe_calls_beside_copies(const Options& options) {
    const Program program;
    // In turn: what differs is less than how the host's speed does from one moment to the next.
    for (int turn = 0; turn < kTurns; ++turn) {
        for (const auto beside : {kNothing, kCopyToDevice, kCopyToHost}) {
            program.measure(beside, options.of(8, 4));
        }
    }
}

}  // namespace overcast::probes
