// Probe: host time of each call that enqueues work or orders it, alone and in the mix of a
// pipeline. Run untraced and under the tracer: the difference is what tracing adds.
#include "core/quiet_cpu.hpp"
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr int kCalls = 96;  // per round: far fewer than the launch queue holds
constexpr int kStreams = 4;
constexpr std::size_t kBytes = 64 << 10;

void nothing(void*) {}

struct Events {
    cudaEvent_t events[kStreams];

    Events() {
        for (auto& event : events) {
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
        }
    }
};

/// One sample a round: mean time of a call. Rounds that the host's other work slowed down are made
/// again, up to so many in all.
template <typename Call>
void measure(const char* name, int rounds, Call call) {
    constexpr int kMostDisturbed = 100;
    QuietCpu cpu;
    cpu.settle();
    int disturbed = 0;
    for (int round = -2; round < rounds; ++round) {
        if (cpu.disturbed()) {
            cpu.settle();
        }
        const auto start = Clock::now();
        for (int step = 0; step < kCalls; ++step) {
            call(step);
        }
        const double took = nanoseconds_since(start);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (round >= 0 && disturbed < kMostDisturbed && cpu.disturbed()) {
            ++disturbed;
            --round;
        } else if (round >= 0) {  // the first ones warm up
            sample(name, kCalls, took / kCalls);
        }
    }
}

}  // namespace

void probe_host_calls(const Options& options) {
    const Streams streams{kStreams};
    const Buffers buffers{kBytes * kCalls};
    const Events events;
    const int rounds = options.of(40, 15);
    const auto stream = [&](int step) { return streams[step % kStreams]; };
    const auto offset = [](int step) { return static_cast<std::size_t>(step) * kBytes; };
    const auto h2d = [&](int step) { buffers.h2d(kBytes, stream(step), offset(step)); };
    const auto d2h = [&](int step) { buffers.d2h(kBytes, stream(step), offset(step)); };
    const auto launch = [&](int step) { launch_empty(stream(step)); };
    measure("call_kernel_launch", rounds, launch);
    measure("call_copy_h2d", rounds, h2d);
    measure("call_copy_d2h", rounds, d2h);
    measure("call_unit_of_three", rounds, [&](int step) {
        h2d(step);
        launch(step);
        d2h(step);
    });
    measure("call_memset", rounds, [&](int step) {
        check(cudaMemsetAsync(buffers.device() + offset(step), 0, kBytes, stream(step)), "memset");
    });
    measure("call_event_record", rounds, [&](int step) {
        check(cudaEventRecord(events.events[step % kStreams], stream(step)), "record");
    });
    measure("call_event_wait", rounds, [&](int step) {
        check(cudaStreamWaitEvent(stream(step + 1), events.events[step % kStreams], 0), "wait");
    });
    measure("call_host_function", rounds, [&](int step) {
        check(cudaLaunchHostFunc(stream(step), nothing, nullptr), "cudaLaunchHostFunc");
    });
    measure("call_synchronise", rounds,
            [&](int step) { check(cudaStreamSynchronize(stream(step)), "synchronise"); });
    measure("call_query", rounds, [&](int step) { check(cudaStreamQuery(stream(step)), "query"); });
}

}  // namespace overcast::probes
