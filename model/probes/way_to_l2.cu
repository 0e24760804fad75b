// Probe: what one SM can send to the L2. Blocks that have an SM to themselves, few enough that the
// L2 is not full, write lines that stay there, or read as many as they write. Observed: 63 bytes
// per ns are written, 32 per cycle; beside reads 48, as if each request for a line took 39 bytes of
// that. Each block reads the time itself.
//   way_to_l2_written, way_to_l2_rewritten: ns for a line that is written, in each block
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kBlocks = 8;
constexpr unsigned kWords = 1U << 15;  // of a block: 512 KiB
constexpr unsigned kPasses = 24;
constexpr unsigned kWarmUp = 4;     // of them
constexpr double kLinesOfWarp = 4;  // 16 bytes of each thread

/// All blocks have begun when the time of the first pass that counts does.
template <bool reads>
__global__ void write_lines(uint4* words, float* line_ns) {
    uint4* const own = words + std::size_t{blockIdx.x} * 2 * kWords;
    unsigned long long begin = 0;
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        begin = pass == kWarmUp ? globaltimer() : begin;
        for (unsigned i = threadIdx.x; i < kWords; i += 2 * kThreads) {
            auto first = make_uint4(pass, i, 0, 0);
            auto second = first;
            if (reads) {
                first = __ldcg(own + kWords + i);
                second = __ldcg(own + kWords + i + kThreads);
            }
            own[i] = make_uint4(first.x + 1, first.y, first.z, first.w);
            own[i + kThreads] = make_uint4(second.x + 1, second.y, second.z, second.w);
        }
    }
    if (threadIdx.x == 0) {
        constexpr auto kLines = (kPasses - kWarmUp) * kWords / 32 * kLinesOfWarp;
        line_ns[blockIdx.x] = static_cast<float>((globaltimer() - begin) / kLines);
    }
}

class WayToL2 {
public:
    WayToL2() : alone_{attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)} {
        check(cudaMallocManaged(reinterpret_cast<void**>(&line_ns_), kBlocks * sizeof(float)),
              "cudaMallocManaged");
    }
    ~WayToL2() { cudaFree(line_ns_); }
    WayToL2(const WayToL2&) = delete;
    WayToL2& operator=(const WayToL2&) = delete;

    template <bool reads>
    void measure(const char* quantity, int repetitions) {
        check(cudaFuncSetAttribute(write_lines<reads>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   alone_),
              "cudaFuncSetAttribute");
        for (int i = 0; i < repetitions; ++i) {
            write_lines<reads><<<kBlocks, kThreads, alone_>>>(
                reinterpret_cast<uint4*>(words_.device()), line_ns_);
            check(cudaGetLastError(), "launch");
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            for (unsigned block = 0; block < kBlocks; ++block) {
                sample(quantity, kBlocks, line_ns_[block]);
            }
        }
    }

private:
    int alone_;  ///< bytes of shared memory of a block, so that no other finds room on its SM
    float* line_ns_ = nullptr;
    Buffers words_{std::size_t{kBlocks} * 2 * kWords * sizeof(uint4)};
};

}  // namespace

void probe_way_to_l2(const Options& options) {
    WayToL2 way;
    const auto repetitions = options.of(12, 4);
    way.measure<false>("way_to_l2_written", repetitions);
    way.measure<true>("way_to_l2_rewritten", repetitions);
}

}  // namespace overcast::probes
