// Probe: how long the code before a kernel's loop takes beside older warps that leave nothing of a
// pipe, or of the issue slots. On every SM older warps, one to eight per scheduler, are in their
// loops (schedule_loops.cuh); then one block with a warp per scheduler comes and executes some
// instructions once. For docs/model.md#the-start-of-blocks, whose figures it gives; `calibrate`
// does not read it.
//   text starts OLDER WARPS CODE | TIME LEAST MOST
// WARPS are per scheduler; us from the first to the last instruction, median, 10th and 90th
// percentile of the younger warps. `-`: the older ones had ended.
//   int1, int2     older: one and two chains of shifts and logic
//   fma1, fma4     older: one and four chains of multiply-adds
//   nothing        two looks at the clock
//   shifts_4, _16  so many shifts, each of what the one before gave
//   pairs_16, _32  so many shifts in two chains
//   quads_32       in four
//   mixed_32       two chains of shifts and two of multiply-adds, by turns; so many shifts
//   adds_16        a chain of multiply-adds
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"
#include "model/probes/schedule_loops.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;  // a warp for each scheduler
constexpr unsigned kSchedulers = 4;
constexpr unsigned kPasses = 32;                      // from one look at the clock to the next
constexpr unsigned long long kLasts = 2'500'000;      // ns, of the older ones
constexpr std::chrono::microseconds kUntilThere{60};  // until they are in their loops

template <typename Loop>
__global__ void run_older(unsigned* results, unsigned long long* ends) {
    Loop loop;
    loop.begin(blockIdx.x * blockDim.x + threadIdx.x, nullptr);
    const auto end = globaltimer() + kLasts;
    do {
        for (unsigned i = 0; i < kPasses; ++i) {
            loop.run(kPasses);
        }
    } while (globaltimer() < end);
    results[blockIdx.x * blockDim.x + threadIdx.x] = loop.result();
    if (threadIdx.x == 0) {
        ends[blockIdx.x] = globaltimer();
    }
}

struct Start {
    unsigned long long begin, end;
};

__device__ void shift(unsigned& x, unsigned a, unsigned b) {
    asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
}
__device__ void add(float& x) { asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x) : "f"(-0.7f)); }

/// kCount times a shift of each of so many chains, and a multiply-add of each of these.
template <int kShifts, int kAdds, int kCount>
__global__ void start_beside(unsigned* results, Start* starts, unsigned a, unsigned b) {
    const auto begin = globaltimer();
    unsigned x[4] = {unsigned(begin), 1, 2, 3};
    float f[4] = {1, 2, 3, 4};
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        for (int chain = 0; chain < (kShifts > kAdds ? kShifts : kAdds); ++chain) {
            if (chain < kShifts) {
                shift(x[chain], a, b);
            }
            if (chain < kAdds) {
                add(f[chain]);
            }
        }
    }
    const auto end = globaltimer();
    results[blockIdx.x * blockDim.x + threadIdx.x] =
        x[0] + x[1] + x[2] + x[3] + __float_as_uint(f[0] + f[1] + f[2] + f[3]);
    if (threadIdx.x % 32 == 0) {
        starts[blockIdx.x * kSchedulers + threadIdx.x / 32] = {begin, end};
    }
}

struct Older {
    const char* name;
    void (*kernel)(unsigned*, unsigned long long*);
};
constexpr Older kOlder[] = {{"int1", run_older<Integers<1>>},
                            {"int2", run_older<Integers<2>>},
                            {"fma1", run_older<MultiplyAdds<1, 16>>},
                            {"fma4", run_older<MultiplyAdds<4, 8>>}};

struct Code {
    const char* name;
    void (*kernel)(unsigned*, Start*, unsigned, unsigned);
};
constexpr Code kCode[] = {
    {"nothing", start_beside<0, 0, 1>},    {"shifts_4", start_beside<1, 0, 4>},
    {"shifts_16", start_beside<1, 0, 16>}, {"pairs_16", start_beside<2, 0, 8>},
    {"pairs_32", start_beside<2, 0, 16>},  {"quads_32", start_beside<4, 0, 8>},
    {"mixed_32", start_beside<2, 2, 16>},  {"adds_16", start_beside<0, 1, 16>}};

class Pair {
public:
    void run(const Older& older, unsigned warps, const Code& code) {
        older.kernel<<<warps * processors_, kThreads, 0, streams_[0]>>>(words(older_results_),
                                                                        ends());
        const auto launched = Clock::now();
        while (Clock::now() - launched < kUntilThere) {
        }
        code.kernel<<<processors_, kThreads, 0, streams_[1]>>>(words(younger_results_), starts(), 7,
                                                               21);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        print(older, warps, code);
    }

private:
    static constexpr std::size_t kMost = 64;  // blocks of an SM

    static unsigned* words(const Buffers& buffers) {
        return reinterpret_cast<unsigned*>(buffers.device());
    }
    unsigned long long* ends() const {
        return reinterpret_cast<unsigned long long*>(ends_.device());
    }
    Start* starts() const { return reinterpret_cast<Start*>(starts_.device()); }

    template <typename Row>
    static std::vector<Row> read(const Row* from, std::size_t count) {
        std::vector<Row> rows(count);
        check(cudaMemcpy(rows.data(), from, count * sizeof(Row), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        return rows;
    }

    void print(const Older& older, unsigned warps, const Code& code) const {
        const auto begun = read(starts(), std::size_t{processors_} * kSchedulers);
        const auto ended = read(ends(), std::size_t{processors_} * warps);
        const auto first_end = *std::min_element(ended.begin(), ended.end());
        std::vector<double> times;
        bool beside = true;
        for (const auto& start : begun) {
            times.push_back(static_cast<double>(start.end - start.begin) / 1e3);
            beside = beside && start.end < first_end;
        }
        std::sort(times.begin(), times.end());
        char words[128];
        std::snprintf(words, sizeof(words), beside ? "%s %u %s | %.2f %.2f %.2f" : "%s %u %s | -",
                      older.name, warps, code.name, times[times.size() / 2],
                      times[times.size() / 10], times[times.size() * 9 / 10]);
        text("starts", words);
    }

    unsigned processors_ = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    Streams streams_{2};
    Buffers older_results_{processors_ * kMost * kThreads * sizeof(unsigned)};
    Buffers younger_results_{processors_ * kThreads * sizeof(unsigned)};
    Buffers ends_{processors_ * kMost * sizeof(unsigned long long)};
    Buffers starts_{processors_ * kSchedulers * sizeof(Start)};
};

}  // namespace

void probe_starts(const Options& options) {
    Pair pair;
    for (unsigned warps = 1; warps <= 8; warps += options.of(1, 7)) {
        for (const auto& older : kOlder) {
            for (const auto& code : kCode) {
                pair.run(older, warps, code);
            }
        }
    }
}

}  // namespace overcast::probes
