// Probe: how long loads take whose data goes round the L2, by how much of it there is and by how
// many SMs use it. Kernels of two blocks on one or several streams walk through a unit of memory
// each, line by line, one unit after the other and all of them several times. Observed: the first
// eight SMs that get blocks are in one half of the chip, so that four streams are as fast as one;
// more use both halves, and what they go round leaves the L2 earlier. Each kernel reads the time
// itself.
//   l2_round_in_one, l2_round_in_both: x = bytes of all units, a load's time in each kernel
//   l2_round_by_multiprocessors: x = SMs in use, the same with 0.9 of what the L2 holds
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>

namespace overcast::probes {
namespace {

constexpr unsigned kLine = 128;
constexpr unsigned kLinesOfPart = 4096;
constexpr unsigned kPartsOfUnit = 3;  // a part of each block's own, and one of both
constexpr std::size_t kUnit = std::size_t{kPartsOfUnit} * kLinesOfPart * kLine;
constexpr unsigned kWarps = 8;  // each walks by itself
constexpr int kWarmUp = 2;
constexpr int kPasses = 6;  // with these
constexpr int kInOne = 1;   // streams
constexpr int kInBoth = 16;

struct alignas(kLine) Line {
    unsigned step;
};

__global__ void fill(Line* lines, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        lines[i].step = 1;
    }
}

/// Where to go next is in each line. Of both blocks the time of the first warp counts.
__global__ void walk(const Line* unit, float* load_ns, unsigned* out) {
    if (threadIdx.x % 32 != 0) {
        return;
    }
    constexpr unsigned kLines = kLinesOfPart / kWarps;
    const auto first = threadIdx.x / 32 * kLines;
    const auto begin = globaltimer();
    unsigned sum = 0;
    for (const auto part : {blockIdx.x, kPartsOfUnit - 1}) {
        auto at = part * kLinesOfPart + first;
        const auto end = at + kLines;
        while (at < end) {
            at += __ldcg(&unit[at].step);
        }
        sum += at;
    }
    if (threadIdx.x == 0) {
        load_ns[blockIdx.x] = static_cast<float>(globaltimer() - begin) / (2 * kLines);
    }
    if (sum == ~0u) {  // never: the steps are 1
        *out = sum;
    }
}

class Round {
public:
    explicit Round(std::size_t most) : most_{static_cast<unsigned>(most / kUnit)} {
        check(cudaMalloc(reinterpret_cast<void**>(&lines_), most_ * kUnit), "cudaMalloc");
        check(cudaMallocManaged(reinterpret_cast<void**>(&load_ns_),
                                std::size_t{2} * most_ * sizeof(float)),
              "cudaMallocManaged");
        fill<<<1024, 256>>>(lines_, most_ * kPartsOfUnit * kLinesOfPart);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    ~Round() {
        cudaFree(lines_);
        cudaFree(load_ns_);
    }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;

    /// `sample`s of each kernel once what was there before is gone.
    void go(const char* quantity, double x, std::size_t bytes, int streams) {
        const auto units = std::min(most_, static_cast<unsigned>(bytes / kUnit));
        for (int pass = 0; pass < kPasses; ++pass) {
            for (unsigned unit = 0; unit < units; ++unit) {
                walk<<<2, kWarps * 32, 0, streams_[static_cast<int>(unit) % streams]>>>(
                    lines_ + std::size_t{unit} * kPartsOfUnit * kLinesOfPart, load_ns_ + 2 * unit,
                    &lines_->step);
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            for (unsigned i = 0; pass >= kWarmUp && i < units; ++i) {
                sample(quantity, x, std::max(load_ns_[2 * i], load_ns_[2 * i + 1]));
            }
        }
    }

private:
    unsigned most_;
    Line* lines_ = nullptr;
    float* load_ns_ = nullptr;
    Streams streams_{kInBoth};
};

}  // namespace

void probe_l2_halves(const Options& /*options*/) {
    int held = 0;
    check(cudaDeviceGetAttribute(&held, cudaDevAttrL2CacheSize, 0), "attribute");
    const auto of_l2 = [&](double share) { return static_cast<std::size_t>(share * held); };
    Round round{of_l2(1.3)};
    for (const double share :
         {0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.1, 1.2}) {
        const auto bytes = of_l2(share) / kUnit * kUnit;
        round.go("l2_round_in_one", static_cast<double>(bytes), bytes, kInOne);
        round.go("l2_round_in_both", static_cast<double>(bytes), bytes, kInBoth);
    }
    for (int streams = 1; streams <= kInBoth; ++streams) {
        round.go("l2_round_by_multiprocessors", 2.0 * streams, of_l2(0.9), streams);
    }
}

}  // namespace overcast::probes
