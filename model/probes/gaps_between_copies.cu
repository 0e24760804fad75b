// Probe: two streams take turns at one copy engine, as programs do: the gap behind a copy of one
// falls into the copy of the other. Traced; alone, the recording of one stream shows the same gap
// beside an idle link. x = channels that wait meanwhile, beside that of the other stream.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <cstdio>

namespace overcast::probes {
namespace {

constexpr std::size_t kLarge = 4 << 20;    // 78 us: longer than the rest of a unit takes
constexpr std::size_t kSmall = 128 << 10;  // more than travels inline
constexpr double kSpin = 20'000;
constexpr int kUnits = 12;
/// Further streams with a channel of their own: the tracer needs one, and traced chains stop where
/// none is left.
constexpr int kMostWaiting = 4;

class Turns {
public:
    void run(const char* name, bool to_device, int streams, int waiting) {
        phase(name, waiting);
        hold_.start(streams_[kMostWaiting + 2]);
        for (int i = 0; i < waiting; ++i) {
            hold_.holds_back(streams_[i]);
            spin(kSpin, streams_[i]);
        }
        for (int unit = 0; unit < kUnits; ++unit) {
            for (int i = 0; i < streams; ++i) {
                issue(to_device, streams_[kMostWaiting + i]);
            }
        }
        for (int i = 0; i < streams; ++i) {
            check(cudaStreamSynchronize(streams_[kMostWaiting + i]), "cudaStreamSynchronize");
        }
        hold_.let_go();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

private:
    /// A large copy, and what has to notice its end.
    void issue(bool to_device, cudaStream_t stream) const {
        if (to_device) {
            buffers_.h2d(kLarge, stream);
            spin(kSpin, stream);
        } else {
            buffers_.d2h(kLarge, stream);
            buffers_.h2d(kSmall, stream);
        }
    }

    Streams streams_{kMostWaiting + 3};
    Buffers buffers_{kLarge};
    Hold hold_{Hold::kRarely};
};

}  // namespace

void probe_gaps_between_copies(const Options& options) {
    Turns turns;
    for (int i = 0; i < options.of(4, 1); ++i) {
        for (const bool to_device : {true, false}) {
            const char* alone = to_device ? "gap_hk_alone" : "gap_dh_alone";
            const char* turn = to_device ? "gap_hk_turns" : "gap_dh_turns";
            turns.run(alone, to_device, 1, 0);
            // Copies do not notice kernels that wait in other channels.
            for (int waiting = 0; waiting <= (to_device ? kMostWaiting : 0); ++waiting) {
                turns.run(turn, to_device, 2, waiting);
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
