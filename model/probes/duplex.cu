// Probe: copies of both directions at once, of equal size and small against large. Read from the
// times of its recording.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>

namespace overcast::probes {
namespace {

constexpr std::size_t kLarge = std::size_t{128} << 20;

struct Amount {
    std::size_t bytes;
    std::size_t count;
};

/// As many copies as make `total` bytes.
Amount amount(std::size_t bytes, std::size_t total) {
    return {bytes, std::clamp<std::size_t>(total / bytes, 2, 100)};
}

class Directions {
public:
    /// Both begin at once; x, y = bytes of one copy.
    void run(const char* name, Amount h2d, Amount d2h) {
        phase(name, static_cast<double>(h2d.bytes), static_cast<double>(d2h.bytes));
        hold_.start(streams_[2]);
        hold_.holds_back(streams_[0]);
        hold_.holds_back(streams_[1]);
        for (std::size_t i = 0; i < h2d.count; ++i) {
            to_device_.h2d(h2d.bytes, streams_[0]);
        }
        for (std::size_t i = 0; i < d2h.count; ++i) {
            to_host_.d2h(d2h.bytes, streams_[1]);
        }
        hold_.let_go();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

private:
    Streams streams_{3};
    Buffers to_device_{kLarge};
    Buffers to_host_{kLarge};
    Hold hold_;
};

}  // namespace

void probe_duplex(const Options& options) {
    Directions directions;
    const std::size_t least = std::size_t{options.quick ? 32u : 64u} << 20;
    constexpr Amount kNone{0, 0};
    for (std::size_t bytes = 64 << 10; bytes <= kLarge; bytes *= options.quick ? 4 : 2) {
        const auto one = amount(bytes, std::max<std::size_t>(4 * bytes, least));
        const Amount few{bytes, std::min<std::size_t>(one.count, 20)};
        for (int i = 0; i < options.of(3, 1); ++i) {
            directions.run("duplex_alone", few, kNone);
            directions.run("duplex_alone", kNone, few);
            directions.run("duplex_equal", one, one);
            if (bytes < kLarge / 4) {
                directions.run("duplex_small_h2d", amount(bytes, kLarge), {kLarge, 2});
                directions.run("duplex_small_d2h", {kLarge, 2}, amount(bytes, kLarge));
            }
        }
    }
    phase("end", 0);
}

}  // namespace overcast::probes
