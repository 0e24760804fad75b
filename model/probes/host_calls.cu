// Probe: host time of each call that enqueues work or orders it, alone and in the mix of a
// pipeline.
//
// Run untraced and under the tracer: the difference is what tracing adds (TracingCost). Prints one
// line per call: name, median over the rounds of the mean time per call, in nanoseconds.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kRounds = 40;
constexpr int kCalls = 96;  // per round: far fewer than the launch queue holds
constexpr int kStreams = 4;
constexpr std::size_t kBytes = 64 << 10;

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(result));
        std::exit(1);
    }
}

__global__ void empty(float*, float*, float*, unsigned, unsigned) {}

struct Machine {
    std::vector<cudaStream_t> streams{kStreams};
    std::vector<cudaEvent_t> events{kStreams};
    float* host = nullptr;
    float* device = nullptr;

    Machine() {
        for (auto& stream : streams) {
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        }
        for (auto& event : events) {
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
        }
        check(cudaMallocHost(reinterpret_cast<void**>(&host), kBytes * kCalls), "cudaMallocHost");
        check(cudaMalloc(reinterpret_cast<void**>(&device), kBytes * kCalls), "cudaMalloc");
    }
    float* host_at(int call) const { return host + static_cast<std::size_t>(call) * (kBytes / 4); }
    float* device_at(int call) const {
        return device + static_cast<std::size_t>(call) * (kBytes / 4);
    }
};

template <typename Call>
void measure(const char* name, int calls_per_step, Call call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> means;
    for (int round = 0; round < kRounds + 2; ++round) {
        const auto start = Clock::now();
        for (int step = 0; step < kCalls; ++step) {
            call(step);
        }
        const std::chrono::duration<double, std::nano> took = Clock::now() - start;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (round >= 2) {  // the first ones warm up
            means.push_back(took.count() / kCalls / calls_per_step);
        }
    }
    std::sort(means.begin(), means.end());
    std::printf("%-24s %8.0f ns  (p10 %.0f, p90 %.0f)\n", name, means[means.size() / 2],
                means[means.size() / 10], means[means.size() * 9 / 10]);
}

}  // namespace

int main() {
    const Machine machine;
    const auto stream = [&](int step) { return machine.streams[step % kStreams]; };
    const auto h2d = [&](int step) {
        check(cudaMemcpyAsync(machine.device_at(step), machine.host_at(step), kBytes,
                              cudaMemcpyHostToDevice, stream(step)),
              "H2D");
    };
    const auto d2h = [&](int step) {
        check(cudaMemcpyAsync(machine.host_at(step), machine.device_at(step), kBytes,
                              cudaMemcpyDeviceToHost, stream(step)),
              "D2H");
    };
    const auto launch = [&](int step) {
        empty<<<1, 32, 0, stream(step)>>>(machine.device, machine.device, machine.device, 1, 1);
        check(cudaPeekAtLastError(), "launch");
    };
    measure("kernel_launch", 1, launch);
    measure("copy_h2d", 1, h2d);
    measure("copy_d2h", 1, d2h);
    measure("unit_of_three", 1, [&](int step) {
        h2d(step);
        launch(step);
        d2h(step);
    });
    measure("memset", 1, [&](int step) {
        check(cudaMemsetAsync(machine.device_at(step), 0, kBytes, stream(step)), "memset");
    });
    measure("event_record", 1, [&](int step) {
        check(cudaEventRecord(machine.events[step % kStreams], stream(step)), "record");
    });
    measure("event_wait", 1, [&](int step) {
        check(cudaStreamWaitEvent(stream(step + 1), machine.events[step % kStreams], 0), "wait");
    });
    measure("synchronise", 1,
            [&](int step) { check(cudaStreamSynchronize(stream(step)), "synchronise"); });
    measure("query", 1, [&](int step) { check(cudaStreamQuery(stream(step)), "query"); });
    return 0;
}
