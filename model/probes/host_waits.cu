// Probe: from the return of a launch to its start, from the end of device work to the return of the
// call that waits for it. A kernel raises a flag in host memory at its start and at its end; the
// way of the flag itself is half of a round trip between host and kernel.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <atomic>
#include <thread>

namespace overcast::probes {
namespace {

constexpr double kRun = 60'000;
constexpr int kTurns = 40;

__device__ std::uint64_t now() {
    std::uint64_t time = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void raise_flags(volatile int* flag, std::uint64_t nanoseconds) {
    *flag = 1;
    __threadfence_system();
    const auto start = now();
    while (now() - start < nanoseconds) {
    }
    *flag = 2;
    __threadfence_system();
}

/// Answers each odd number with the next even one.
__global__ void answer(volatile int* ball, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
        const auto start = now();
        while (*ball != 2 * turn + 1 && now() - start < 1'000'000'000) {
        }
        *ball = 2 * turn + 2;
        __threadfence_system();
    }
}

class Flag {
public:
    Flag() {
        void* memory = nullptr;
        check(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
        flag_ = static_cast<volatile int*>(memory);
    }
    ~Flag() { cudaFreeHost(const_cast<int*>(flag_)); }
    volatile int* get() const { return flag_; }
    void wait_for(int number) const {
        const auto start = Clock::now();
        while (*flag_ < number && nanoseconds_since(start) < 1e9) {
        }
    }

private:
    volatile int* flag_ = nullptr;
};

void round_trips(const Flag& flag, cudaStream_t stream) {
    *flag.get() = 0;
    answer<<<1, 1, 0, stream>>>(flag.get(), kTurns);
    check(cudaGetLastError(), "launch");
    for (int turn = 0; turn < kTurns; ++turn) {
        const auto start = Clock::now();
        *flag.get() = 2 * turn + 1;
        flag.wait_for(2 * turn + 2);
        if (turn >= 4) {
            sample("flag_round_trip", 0, nanoseconds_since(start));
        }
    }
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void start_of_a_kernel(const Flag& flag, cudaStream_t stream, int repetitions) {
    for (int i = -3; i < repetitions; ++i) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        *flag.get() = 0;
        raise_flags<<<1, 1, 0, stream>>>(flag.get(), 1000);
        const auto returned = Clock::now();
        flag.wait_for(1);
        if (i >= 0) {
            sample("launch_to_flag", 0, nanoseconds_since(returned));
        }
    }
}

/// A second thread sees the flag of the end while this one waits in the call.
void end_of_a_kernel(const Flag& flag, cudaStream_t stream, int repetitions) {
    for (int i = -3; i < repetitions; ++i) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        *flag.get() = 0;
        Clock::time_point seen;
        std::thread watcher{[&] {
            flag.wait_for(2);
            seen = Clock::now();
        }};
        const auto before = Clock::now();
        while (nanoseconds_since(before) < 100'000) {  // the watcher watches
        }
        raise_flags<<<1, 1, 0, stream>>>(flag.get(), static_cast<std::uint64_t>(kRun));
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        const auto returned = Clock::now();
        watcher.join();
        if (i >= 0) {
            sample("flag_to_return", 0,
                   std::chrono::duration<double, std::nano>(returned - seen).count());
        }
    }
}

}  // namespace

void probe_host_waits(const Options& options) {
    const Streams streams{1};
    const Flag flag;
    round_trips(flag, streams[0]);
    start_of_a_kernel(flag, streams[0], options.of(100, 30));
    end_of_a_kernel(flag, streams[0], options.of(100, 30));
    phase("spin", kRun);
    sample_walls("wall_spin", kRun, options.of(100, 30), [&] {
        spin(kRun, streams[0]);
        check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
    });
    phase("empty", 0);
    for (int i = 0; i < options.of(60, 20); ++i) {
        launch_empty(streams[0]);
        check(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
    }
    phase("end", 0);
}

}  // namespace overcast::probes
