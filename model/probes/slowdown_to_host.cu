// Probe: copies to the host while streams take turns at their engine and kernels write what is
// copied next (channels that wait for an event do not slow them, nor do kernels alone). Untraced
// wall times.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <memory>
#include <vector>

namespace overcast::probes {
namespace {

constexpr std::size_t kBytes = 16 << 20;
constexpr std::size_t kSmall = 128 << 10;  // more than travels inline
constexpr int kMostStreams = 6;

/// Fills a table of so many words.
__global__ void write_table(uint4* table, std::size_t words, unsigned value) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += threads) {
        table[i] = make_uint4(value, value, value, value);
    }
}

/// What units copy out, more than the L2 holds. Copies to one buffer again and again, or while no
/// kernel writes, are not slowed.
class Tables {
public:
    Tables() {
        for (int i = 0; i < kTables; ++i) {
            tables_.push_back(std::make_unique<Buffers>(kBytes));
        }
    }

    const Buffers& operator[](int unit) const {
        return *tables_[static_cast<std::size_t>(unit % kTables)];
    }

private:
    static constexpr int kTables = 16;

    std::vector<std::unique_ptr<Buffers>> tables_;
};

/// Streams that take turns at the engine for copies to the host, each unit a small copy in, a
/// kernel that writes a table, and a copy of the table out: while one is copied out, those of the
/// others wait for copies that wait for copies. `turns` false: the copies out alone. x = streams;
/// wall time per copy.
void measure_turns(int streams_in_turn, bool turns, int repetitions, const Streams& streams,
                   const Buffers& inputs, const Tables& tables) {
    constexpr int kFew = 3;
    constexpr int kMany = 8;
    constexpr int kWritingBlocks = 4;  // about 70 us, the copy 305
    for (const int units : {kFew, kMany}) {
        const auto* name = turns ? (units == kFew ? "d2h_turns_few" : "d2h_turns_many")
                                 : (units == kFew ? "d2h_alone_few" : "d2h_alone_many");
        sample_walls(name, streams_in_turn, repetitions, [&] {
            for (int unit = 0; unit < units * streams_in_turn; ++unit) {
                const auto stream = streams[unit % streams_in_turn];
                const auto& table = tables[unit];
                if (turns) {
                    inputs.h2d(kSmall, stream);
                    write_table<<<kWritingBlocks, 1024, 0, stream>>>(
                        reinterpret_cast<uint4*>(table.device()), kBytes / sizeof(uint4),
                        static_cast<unsigned>(unit));
                    check(cudaGetLastError(), "launch");
                }
                table.d2h(kBytes, stream);
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        });
    }
}

}  // namespace

void probe_slowdown_to_host(const Options& options) {
    const Streams streams{kMostStreams};
    const Buffers inputs{kSmall};
    const Tables tables;
    for (const int in_turn : {2, 3, 4, kMostStreams}) {
        for (const bool turns : {false, true}) {
            measure_turns(in_turn, turns, options.of(6, 3), streams, inputs, tables);
        }
    }
}

}  // namespace overcast::probes
