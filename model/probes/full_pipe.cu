// Probe: what warps get of a pipe of arithmetic that older ones fill. On every SM one to four older
// warps per scheduler run several chains of one instruction; one younger warp per scheduler runs a
// chain of the same. Observed: beside three and four, which fill the pipe, it gets next to nothing
// (the XU, multiply-adds of integers, logic); where they fill the issue slots (multiply-adds of
// floats), a fortieth and an eightieth of its speed.
//   full_pipe_xu, full_pipe_integer, full_pipe_logic, full_pipe_slots: x = older warps per
//   scheduler; from one of the younger warp's instructions to the next, median of the SMs
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;                  // a warp for each scheduler
constexpr unsigned kAtOnce = 32;                    // instructions from one look at the clock
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

template <typename Instruction>
void sample_younger(unsigned older, unsigned processors) {
    const Buffers notes{processors * sizeof(CountedRun) + 2 * sizeof(unsigned)};
    auto* const ran = reinterpret_cast<CountedRun*>(notes.device());
    auto* const done = reinterpret_cast<unsigned*>(ran + processors);
    const Streams streams{2};
    check(cudaMemset(done, 0, sizeof(unsigned)), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (older > 0) {
        fill<Instruction>
            <<<older * processors, kThreads, 0, streams[0]>>>(done, processors, done + 1);
        spin(1e5, streams[1]);  // until all of them run
    }
    follow<Instruction><<<processors, kThreads, 0, streams[1]>>>(ran, done, done + 1);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<CountedRun> found(processors);
    check(cudaMemcpy(found.data(), ran, found.size() * sizeof(CountedRun), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    sample(Instruction::kName, older, median_of_one(found.data(), found.data() + processors));
}

template <typename Instruction>
void sample_all(int repetitions, unsigned processors) {
    for (const unsigned older : {0U, 1U, 2U, 3U, 4U}) {
        for (int i = 0; i < repetitions; ++i) {
            sample_younger<Instruction>(older, processors);
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
}

}  // namespace overcast::probes
