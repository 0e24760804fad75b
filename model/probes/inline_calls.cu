// Probe: host time of a call that copies few bytes to the device, by its bytes. Where the copy
// travels inside the compute channel, the host writes the data into the command stream itself.
// Round robin over streams that are idle again by their turn; the data comes from a buffer that the
// last level of the CPU's cache holds, but not the one of a core, as that of a program that works
// on it again.
#include "model/probes/probes.hpp"
#include "model/probes/quiet_rounds.cuh"

namespace overcast::probes {
namespace {

constexpr int kStreams = 16;
constexpr int kCalls = 96;
constexpr std::size_t kSources = 4 << 20;
constexpr int kMostDisturbed = 20;

}  // namespace

void probe_inline_calls(const Options& options) {
    const Streams streams{kStreams};
    const Buffers buffers{kSources};
    const int rounds = options.of(20, 6);
    std::size_t used = 0;
    for (const int kib : {1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96}) {
        const auto bytes = static_cast<std::size_t>(kib) << 10;
        sample_calls("call_h2d", static_cast<double>(bytes), {rounds, kCalls, kMostDisturbed},
                     [&](int call) {
                         used = used + 2 * bytes > kSources ? 0 : used + bytes;
                         buffers.h2d(bytes, streams[call % kStreams], used);
                     });
    }
}

}  // namespace overcast::probes
