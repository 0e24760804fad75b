// Probe: copies to the device while kernels wait in other channels, for an event, all for one copy
// of their stream, or each for a copy of its own; x = waiting channels * 100 + kernels in each.
// Copies to the host while streams take turns at their engine and kernels write what is copied next
// (channels that wait for an event do not slow them, nor do kernels alone). Untraced wall times.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <memory>
#include <vector>

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
    constexpr std::size_t kSmall = 128 << 10;  // more than travels inline
    constexpr int kWritingBlocks = 4;          // about 70 us, the copy 305
    for (const int units : {kFew, kMany}) {
        const auto* name = turns ? (units == kFew ? "d2h_turns_few" : "d2h_turns_many")
                                 : (units == kFew ? "d2h_alone_few" : "d2h_alone_many");
        sample_walls(name, streams_in_turn, repetitions, [&] {
            for (int unit = 0; unit < units * streams_in_turn; ++unit) {
                const auto stream = streams[unit % streams_in_turn];
                const auto& table = tables[unit];
                if (turns) {
                    inputs.h2d(kSmall, stream, kBytes);
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
    const Tables tables;
    for (const int in_turn : {2, 3, 4, 6}) {
        for (const bool turns : {false, true}) {
            measure_turns(in_turn, turns, options.of(6, 3), streams, buffers, tables);
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
