// Probe: host time of calls in a row round robin over ever more streams, as in a program that has
// given every stream work which has not ended: launches and copies to the host stand behind copies
// to the device. Observed: a launch into the next of 16 streams then costs 0.3 us more than one
// into the same stream, and hardly more where the streams are idle (0.1 us).
#include "model/probes/probes.hpp"
#include "model/probes/quiet_rounds.cuh"

namespace overcast::probes {
namespace {

constexpr int kCalls = 96;  // per round
constexpr int kNumbersOfStreams[] = {1, 2, 4, 8, 16, 32};
constexpr int kMostStreams = 32;
constexpr int kTurns = 4;
constexpr int kMostDisturbed = 25;
constexpr std::size_t kBytes = 64 << 10;
constexpr std::size_t kLongBytes = 32 << 20;  // 0.6 ms at 55 GB/s: no round of calls takes as long

class Program {
public:
    /// Every stream has a copy to do when the long one has ended.
    void give_copies(int streams) const {
        long_.h2d(kLongBytes, streams_[kMostStreams]);
        for (int i = 0; i < streams; ++i) {
            h2d(i, streams_[i]);
        }
    }

    void give_copies_and_kernels(int streams) const {
        give_copies(streams);
        for (int i = 0; i < streams; ++i) {
            launch_empty(streams_[i]);
        }
    }

    void h2d(int step, cudaStream_t stream) const { buffers_.h2d(kBytes, stream, offset(step)); }
    void d2h(int step, cudaStream_t stream) const { buffers_.d2h(kBytes, stream, offset(step)); }

    /// One turn with the calls dealt over the first `streams`.
    void measure(int streams, int rounds) const {
        const auto sample = [&](const char* quantity, auto prepare, auto call) {
            sample_calls_after([&] { prepare(streams); }, quantity, streams,
                               {rounds, kCalls, kMostDisturbed},
                               [&](int step) { call(step, streams_[step % streams]); });
        };
        const auto nothing = [](int) {};
        sample(
            "call_kernel_launch_of", [&](int count) { give_copies(count); },
            [](int, cudaStream_t stream) { launch_empty(stream); });
        sample("call_h2d_of", nothing, [&](int step, cudaStream_t stream) { h2d(step, stream); });
        sample(
            "call_d2h_of", [&](int count) { give_copies_and_kernels(count); },
            [&](int step, cudaStream_t stream) { d2h(step, stream); });
    }

private:
    static std::size_t offset(int step) { return static_cast<std::size_t>(step) * kBytes; }

    Streams streams_{kMostStreams + 1};
    Buffers buffers_{kBytes * kCalls};
    Buffers long_{kLongBytes};
};

}  // namespace

void probe_stream_changes(const Options& options) {
    const Program program;
    // In turn: what differs is less than how the host's speed does from one moment to the next.
    for (int turn = 0; turn < kTurns; ++turn) {
        for (const int streams : kNumbersOfStreams) {
            program.measure(streams, options.of(10, 4));
        }
    }
}

}  // namespace overcast::probes
