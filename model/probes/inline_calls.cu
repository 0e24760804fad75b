// Probe: host time of a call that copies few bytes to the device, by its bytes. Where the copy
// travels inside the compute channel, the host writes the data into the command stream itself.
// Round robin over streams that are idle again by their turn; each call has its own part of 4 MiB
// that the host has in its caches, as what a program has just written or works on again. Observed:
// 16 KiB cost the same out of 0.1 to 4 MiB, 0.2 us more out of 16 MiB and 1.1 us more out of 64.
// Each size in turn: the speed of the host changes while they are measured.
#include "model/probes/probes.hpp"
#include "model/probes/quiet_rounds.cuh"

namespace overcast::probes {
namespace {

constexpr int kStreams = 4;  // few enough that each keeps its channel
constexpr int kCalls = 96;
constexpr std::size_t kSources = 4 << 20;
constexpr int kTurns = 5;
constexpr int kMostDisturbed = 4;

}  // namespace

void probe_inline_calls(const Options& options) {
    const Streams streams{kStreams};
    const Buffers buffers{kSources};
    const int rounds = options.of(8, 3);
    std::size_t used = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
        for (const int kib : {1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96}) {
            const auto bytes = static_cast<std::size_t>(kib) << 10;
            sample_calls("call_h2d", static_cast<double>(bytes), {rounds, kCalls, kMostDisturbed},
                         [&](int call) {
                             used = used + 2 * bytes > kSources ? 0 : used + bytes;
                             buffers.h2d(bytes, streams[call % kStreams], used);
                         });
        }
    }
}

}  // namespace overcast::probes
