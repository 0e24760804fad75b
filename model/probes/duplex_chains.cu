// Probe: a chain of copies of one stream, alone and beside a chain of the other direction of copies
// of the same size that lasts longer. x = bytes of a copy; wall times of two lengths, so that start
// and end cancel out. A recording of so short copies would lie: what writes it down lengthens the
// gaps between them, and they are less beside each other than they are without.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <string>

namespace overcast::probes {
namespace {

constexpr std::size_t kSmallest = 64 << 10;
constexpr std::size_t kLargest = 4 << 20;
constexpr int kParts = 16;  // of the memory that copies use in turn

class Chains {
public:
    /// Wall time from the start of both until `copies` of the direction are done.
    double run(bool to_device, std::size_t bytes, int copies, bool beside) {
        hold_.start(streams_[2]);
        hold_.holds_back(streams_[0]);
        hold_.holds_back(streams_[1]);
        if (beside) {
            for (int i = 0; i < 2 * copies + kFewCopies; ++i) {
                other_.copy(!to_device, bytes, streams_[1], part(i));
            }
        }
        for (int i = 0; i < copies; ++i) {
            own_.copy(to_device, bytes, streams_[0], part(i));
        }
        const auto start = Clock::now();
        hold_.let_go();
        check(cudaStreamSynchronize(streams_[0]), "cudaStreamSynchronize");
        const double took = nanoseconds_since(start);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        return took;
    }

private:
    static std::size_t part(int copy) { return static_cast<std::size_t>(copy % kParts) * kLargest; }

    Streams streams_{3};
    Buffers own_{kParts * kLargest};
    Buffers other_{kParts * kLargest};
    Hold hold_;
};

}  // namespace

void probe_duplex_chains(const Options& options) {
    Chains chains;
    for (const bool to_device : {true, false}) {
        for (std::size_t bytes = kSmallest; bytes <= kLargest; bytes *= options.quick ? 4 : 2) {
            for (const bool beside : {false, true}) {
                for (const int copies : {kFewCopies, kManyCopies}) {
                    const auto name = std::string{to_device ? "duplex_h2d_" : "duplex_d2h_"} +
                                      (beside ? "beside_" : "alone_") +
                                      (copies == kFewCopies ? "few" : "many");
                    for (int i = -1; i < options.of(11, 5); ++i) {
                        const double took = chains.run(to_device, bytes, copies, beside);
                        if (i >= 0) {
                            sample(name.c_str(), static_cast<double>(bytes), took);
                        }
                    }
                }
            }
        }
    }
}

}  // namespace overcast::probes
