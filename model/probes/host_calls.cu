// Probe: host time of each call that enqueues work or orders it, alone and in the mix of a
// pipeline. Run untraced and under the tracer: the difference is what tracing adds.
#include "model/probes/probes.hpp"
#include "model/probes/quiet_rounds.cuh"

namespace overcast::probes {
namespace {

constexpr int kCalls = 96;  // per round
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

}  // namespace

void probe_host_calls(const Options& options) {
    const Streams streams{kStreams};
    const Buffers buffers{kBytes * kCalls};
    const Events events;
    const QuietRounds rounds{options.of(40, 15), kCalls, 100};
    const auto measure = [&](const char* name, auto call) {
        sample_calls(name, kCalls, rounds, call);
    };
    const auto stream = [&](int step) { return streams[step % kStreams]; };
    // As in a program of one stream: what others cost beyond that is measured by itself.
    const cudaStream_t only = streams[0];
    const auto offset = [](int step) { return static_cast<std::size_t>(step) * kBytes; };
    const auto h2d = [&](int step) { buffers.h2d(kBytes, only, offset(step)); };
    const auto d2h = [&](int step) { buffers.d2h(kBytes, only, offset(step)); };
    const auto launch = [&](int) { launch_empty(only); };
    measure("call_kernel_launch", launch);
    measure("call_copy_h2d", h2d);
    measure("call_copy_d2h", d2h);
    measure("call_unit_of_three", [&](int step) {
        h2d(step);
        launch(step);
        d2h(step);
    });
    measure("call_memset", [&](int step) {
        check(cudaMemsetAsync(buffers.device() + offset(step), 0, kBytes, stream(step)), "memset");
    });
    measure("call_event_record", [&](int step) {
        check(cudaEventRecord(events.events[step % kStreams], stream(step)), "record");
    });
    measure("call_event_wait", [&](int step) {
        check(cudaStreamWaitEvent(stream(step + 1), events.events[step % kStreams], 0), "wait");
    });
    measure("call_host_function", [&](int step) {
        check(cudaLaunchHostFunc(stream(step), nothing, nullptr), "cudaLaunchHostFunc");
    });
    // The first call after work has ended: later ones know it already.
    sample_calls_after(
        [&] {
            for (int i = 0; i < kStreams; ++i) {
                launch_empty(streams[i]);
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        },
        "call_synchronise", kStreams, {rounds.rounds, kStreams, rounds.most_disturbed},
        [&](int step) { check(cudaStreamSynchronize(stream(step)), "synchronise"); });
    measure("call_query", [&](int step) { check(cudaStreamQuery(stream(step)), "query"); });
}

}  // namespace overcast::probes
