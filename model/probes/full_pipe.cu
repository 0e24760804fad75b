// Probe: what warps get of a pipe of arithmetic that older ones fill. On every SM one to eight
// older warps per scheduler run several chains of one instruction; one younger warp per scheduler
// runs a chain of the same. Observed: beside three and more, which fill the pipe, it gets next to
// nothing (the XU, multiply-adds of integers, logic), but an instruction waits no longer than 9 or
// 17 us; where they fill the issue slots (multiply-adds of floats), a fortieth (three) to a five
// hundredth (eight) of its speed. Loads of 16 bytes per thread, several at once, wait there as
// nothing else does.
//   full_pipe_xu, full_pipe_integer, full_pipe_logic, full_pipe_slots: x = older warps per
//   scheduler; from one of the younger warp's instructions to the next, median of the SMs
//   full_pipe_wide_loads: x = the same; share of the issue slots that two younger warps per
//   scheduler use which load so from the L2, median of the SMs
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;  // a warp for each scheduler
constexpr unsigned kAtOnce = 32;    // instructions from one look at the clock
constexpr unsigned kSweepThreads = 256;
constexpr unsigned kLoads = 4;             // of 16 bytes per thread, at once
constexpr unsigned kSteps = 8;             // of so many, from one look at the clock
constexpr unsigned kPerStep = kLoads * 5;  // instructions: loads, and a multiply-add for each word
constexpr unsigned kSwept = 16 * kLoads * kSweepThreads;  // times 16 bytes
constexpr double kSchedulers = 4;
constexpr unsigned kRounds = 64;                    // of so many, from one look at what is left
constexpr unsigned long long kWindow = 300'000;     // ns in which the younger warps are counted
constexpr unsigned long long kLongest = 5'000'000;  // ns; then the older ones end by themselves

struct Xu {
    static constexpr const char* kName = "full_pipe_xu";
    static constexpr unsigned kChains = 2;  // that fill the pipe together with other warps
    static __device__ void run(unsigned& value) {
        asm volatile("ex2.approx.f32 %0, %0;" : "+r"(value));
    }
};
struct Integer {
    static constexpr const char* kName = "full_pipe_integer";
    static constexpr unsigned kChains = 4;
    static __device__ void run(unsigned& value) {
        asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(value));
    }
};
struct Logic {
    static constexpr const char* kName = "full_pipe_logic";
    static constexpr unsigned kChains = 4;
    static __device__ void run(unsigned& value) {
        asm volatile("lop3.b32 %0, %0, 0x55, %0, 0x96;" : "+r"(value));
    }
};
struct Slots {
    static constexpr const char* kName = "full_pipe_slots";
    static constexpr unsigned kChains = 16;
    static __device__ void run(unsigned& value) {
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+r"(value));
    }
};

template <typename Instruction>
__global__ void fill(const volatile unsigned* done, unsigned younger, unsigned* result) {
    const auto begin = globaltimer();
    unsigned values[Instruction::kChains];
    for (unsigned i = 0; i < Instruction::kChains; ++i) {
        values[i] = threadIdx.x + i;
    }
    while (*done < younger && globaltimer() < begin + kLongest) {
#pragma unroll 1
        for (unsigned round = 0; round < kRounds; ++round) {
#pragma unroll
            for (unsigned i = 0; i < kAtOnce; ++i) {
                Instruction::run(values[i % Instruction::kChains]);
            }
        }
    }
    unsigned sum = 0;
    for (const auto each : values) {
        sum += each;
    }
    *result = sum;
}

template <typename Instruction>
__global__ void follow(CountedRun* ran, unsigned* done, unsigned* result) {
    const auto begin = globaltimer();
    auto end = begin;
    unsigned count = 0;
    unsigned value = threadIdx.x;
    while (end < begin + kWindow) {
#pragma unroll
        for (unsigned i = 0; i < kAtOnce; ++i) {
            Instruction::run(value);
        }
        count += kAtOnce;
        end = globaltimer();
    }
    *result = value;
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = {begin, end, count};
        atomicAdd(done, 1);
    }
}

/// Begin and end are cycles of the SM here.
__global__ void sweep(const float4* data, CountedRun* ran, unsigned* done, unsigned* result) {
    const auto from = globaltimer();
    const auto begin = clock64();
    unsigned steps = 0;
    unsigned place = threadIdx.x;
    float4 sum{};
    while (globaltimer() < from + kWindow) {
#pragma unroll
        for (unsigned step = 0; step < kSteps; ++step) {
            float4 loaded[kLoads];
#pragma unroll
            for (unsigned i = 0; i < kLoads; ++i) {
                loaded[i] = __ldcg(data + place + i * kSweepThreads);
            }
            place = (place + kLoads * kSweepThreads) % kSwept;
#pragma unroll
            for (const auto& each : loaded) {
                sum.x = fmaf(sum.x, 3, each.x);
                sum.y = fmaf(sum.y, 3, each.y);
                sum.z = fmaf(sum.z, 3, each.z);
                sum.w = fmaf(sum.w, 3, each.w);
            }
        }
        steps += kSteps;
    }
    *result = static_cast<unsigned>(sum.x + sum.y + sum.z + sum.w);
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = {static_cast<unsigned long long>(begin),
                           static_cast<unsigned long long>(clock64()), steps};
        atomicAdd(done, 1);
    }
}

/// Runs `launch(ran, done, result, stream)` beside older warps: the median of its runs for one of
/// what they counted.
template <typename Older, typename Launch>
double beside(unsigned older, unsigned processors, Launch launch) {
    const Buffers notes{processors * sizeof(CountedRun) + 2 * sizeof(unsigned)};
    auto* const ran = reinterpret_cast<CountedRun*>(notes.device());
    auto* const done = reinterpret_cast<unsigned*>(ran + processors);
    const Streams streams{2};
    check(cudaMemset(done, 0, sizeof(unsigned)), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (older > 0) {
        fill<Older><<<older * processors, kThreads, 0, streams[0]>>>(done, processors, done + 1);
        spin(1e5, streams[1]);  // until all of them run
    }
    launch(ran, done, done + 1, streams[1]);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<CountedRun> found(processors);
    check(cudaMemcpy(found.data(), ran, found.size() * sizeof(CountedRun), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    return median_of_one(found.data(), found.data() + processors);
}

template <typename Instruction>
void sample_all(int repetitions, unsigned processors) {
    const auto launch = [&](CountedRun* ran, unsigned* done, unsigned* result, cudaStream_t to) {
        follow<Instruction><<<processors, kThreads, 0, to>>>(ran, done, result);
    };
    for (const unsigned older : {0U, 1U, 2U, 3U, 4U, 8U}) {
        for (int i = 0; i < repetitions; ++i) {
            sample(Instruction::kName, older, beside<Instruction>(older, processors, launch));
        }
    }
}

void sample_wide_loads(int repetitions, unsigned processors) {
    const Buffers data{kSwept * sizeof(float4)};
    const auto launch = [&](CountedRun* ran, unsigned* done, unsigned* result, cudaStream_t to) {
        sweep<<<processors, kSweepThreads, 0, to>>>(reinterpret_cast<const float4*>(data.device()),
                                                    ran, done, result);
    };
    constexpr auto kWarpsOfScheduler = kSweepThreads / 32 / kSchedulers;
    for (const unsigned older : {0U, 1U, 2U, 4U, 8U}) {
        for (int i = 0; i < repetitions; ++i) {
            const auto cycles = beside<Slots>(older, processors, launch);
            sample("full_pipe_wide_loads", older, kWarpsOfScheduler * kPerStep / cycles);
        }
    }
}

}  // namespace

void probe_full_pipe(const Options& options) {
    const auto processors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const int repetitions = options.of(5, 1);
    sample_all<Xu>(repetitions, processors);
    sample_all<Integer>(repetitions, processors);
    sample_all<Logic>(repetitions, processors);
    sample_all<Slots>(repetitions, processors);
    sample_wide_loads(repetitions, processors);
}

}  // namespace overcast::probes
