// Probes: chains of dependent operations in one stream. gaps_idle, traced and untraced: the
// recording shows each gap, two lengths of the untraced chain what is left of them without tracing.
// gaps, untraced: how much longer a unit takes while w channels of one kind wait. Observed: traced,
// seven waiting compute channels stop the chain (a channel is the tracer's). gaps_beside_copies:
// the same while large copies use the link. gaps_many: up to 31, where
// CUDA_DEVICE_MAX_CONNECTIONS=32 gives each stream a channel. Gaps between kernels: gaps_at_work.
//
// Observed: a channel whose head waits looks every 8.2 us whether it may go on. Units of one length
// would meet always the same moment between two looks, and which one differs from process to
// process and with the recorder. So units differ in length, evenly over such a period.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace overcast::probes {
namespace {

constexpr std::size_t kBytes = 128 << 10;  // more than travels inline
constexpr double kSpin = 20'000;
constexpr double kLooks = 8'200;                  // ns between two
constexpr std::size_t kBytesOfLooks = 448 << 10;  // copied meanwhile
constexpr double kGoldenRatio = 0.618034;  // its multiples lie evenly between two whole numbers
constexpr int kFew = 6;
constexpr int kMany = 26;
constexpr std::size_t kLoadBytes = 16 << 20;
constexpr int kLoadCopies = 8;  // 2.4 ms at 55 GB/s; 26 units of two operations take 1.6

/// What other streams do meanwhile.
struct Waiting {
    char kind;        ///< of the operation that waits: h, k or d
    int channels;     ///< how many streams, each with a channel of its own; -1: no kernel is held
    char load = '-';  ///< large copies meanwhile: h, d or none
};

class Chains {
public:
    explicit Chains(int most_waiting) : most_waiting_{most_waiting}, streams_{most_waiting + 3} {}

    /// Where operations of different kinds take turns, one of them is longer by `share` of the time
    /// between two looks: the kernel, or where there is none, the copy to the device.
    void issue(const char* operations, cudaStream_t stream, double share = 0) const {
        share = operations[1] != '\0' ? share : 0;
        const bool copies_take_turns = std::strcmp(operations, "hd") == 0;
        const auto more = copies_take_turns ? static_cast<std::size_t>(share * kBytesOfLooks) : 0;
        for (; *operations != '\0'; ++operations) {
            switch (*operations) {
                case 'h': buffers_.h2d(kBytes + more, stream); break;
                case 'd': buffers_.d2h(kBytes, stream, kBytes + kBytesOfLooks); break;
                default: spin(kSpin + share * kLooks, stream); break;
            }
        }
    }

    /// `units` times the operations of `unit`, while other streams wait as `waiting` says. `first`:
    /// share by which the first is longer.
    double wall(const char* unit, int units, const Waiting& waiting, double first) {
        const char held[] = {waiting.kind, '\0'};
        const auto measured = streams_[most_waiting_];
        if (waiting.channels >= 0) {
            hold_.start(streams_[most_waiting_ + 1]);
        }
        issue(unit, measured);  // takes its channels before the others do
        for (int i = 0; i < waiting.channels; ++i) {
            hold_.holds_back(streams_[i]);
            issue(held, streams_[i]);
        }
        check(cudaStreamSynchronize(measured), "cudaStreamSynchronize");
        load(waiting.load, streams_[most_waiting_ + 2]);
        const auto start = Clock::now();
        double share = first;
        for (int i = 0; i < units; ++i) {
            issue(unit, measured, share);
            share = std::fmod(share + kGoldenRatio, 1);
        }
        check(cudaStreamSynchronize(measured), "cudaStreamSynchronize");
        const double took = nanoseconds_since(start);
        hold_.let_go();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        return took;
    }

private:
    /// Keeps one direction busy for longer than the longest chain takes.
    void load(char direction, cudaStream_t stream) const {
        for (int i = 0; direction != '-' && i < kLoadCopies; ++i) {
            if (direction == 'h') {
                large_.h2d(kLoadBytes, stream);
            } else {
                large_.d2h(kLoadBytes, stream);
            }
        }
    }

    int most_waiting_;
    Streams streams_;
    Buffers buffers_{2 * kBytes + kBytesOfLooks};
    Buffers large_{kLoadBytes};
    Hold hold_{Hold::kRarely};
};

void measure(Chains& chains, const char* unit, const Waiting& waiting, int repetitions) {
    char name[64];
    const char* how = waiting.load == 'h'   ? "beside_h2d"
                      : waiting.load == 'd' ? "beside_d2h"
                                            : "event";
    std::snprintf(name, sizeof name, "gaps_%s_%c_%s", unit, waiting.kind, how);
    phase(name, waiting.channels);
    for (const int units : {kFew, kMany}) {
        std::snprintf(name, sizeof name, "gaps_%s_%c_%s_%d", unit, waiting.kind, how, units);
        for (int i = -1; i < repetitions; ++i) {
            const double first = std::max(i, 0) / static_cast<double>(repetitions);
            const double took = chains.wall(unit, units, waiting, first);
            if (i >= 0) {
                sample(name, waiting.channels, took);
            }
        }
    }
}

}  // namespace

void probe_gaps(const Options& options) {
    Chains chains{7};
    struct Row {
        const char* unit;
        char kind;
        int most;
    };
    constexpr Row kRows[] = {{"hkd", 'k', 7}, {"hkd", 'd', 3}, {"hkd", 'h', 3}};
    for (const auto& row : kRows) {
        for (int channels = -1; channels <= row.most; ++channels) {
            if (!options.quick || channels < 3 || channels == row.most) {
                measure(chains, row.unit, {row.kind, channels}, options.of(12, 4));
            }
        }
    }
}

void probe_gaps_beside_copies(const Options& options) {
    Chains chains{7};
    struct Row {
        const char* unit;
        char kind;
        char load;
        int most;
    };
    constexpr Row kRows[] = {{"kd", 'd', 'h', 3}, {"hk", 'k', 'd', 7}};
    for (const auto& row : kRows) {
        for (const char load : {'-', row.load}) {
            for (int channels = 0; channels <= row.most; ++channels) {
                if (!options.quick || channels < 3 || channels == row.most) {
                    measure(chains, row.unit, {row.kind, channels, load}, options.of(10, 4));
                }
            }
        }
    }
    phase("end", 0);
}

void probe_gaps_many(const Options& options) {
    const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    if (connections == nullptr || std::atoi(connections) < 32) {
        std::fprintf(stderr, "gaps_many needs CUDA_DEVICE_MAX_CONNECTIONS=32\n");
        std::exit(1);
    }
    Chains chains{31};
    struct Row {
        const char* unit;
        char kind;
    };
    for (const auto& row : {Row{"k", 'k'}, Row{"hkd", 'k'}, Row{"hkd", 'd'}, Row{"hkd", 'h'}}) {
        for (const int channels : {-1, 1, 3, 7, 11, 15, 23, 31}) {
            if (!options.quick || channels < 0 || channels == 7 || channels == 31) {
                measure(chains, row.unit, {row.kind, channels}, options.of(12, 4));
            }
        }
    }
}

void probe_gaps_idle(const Options& options) {
    Chains chains{7};
    for (const char* unit : {"k", "hkd", "h", "d", "hk", "kd", "hd"}) {
        measure(chains, unit, {'k', -1}, options.of(12, 4));
    }
    phase("end", 0);
}

}  // namespace overcast::probes
