// Probe: what waits for what without being told to. Calls beside a running kernel; the legacy
// default stream; a host function in another stream. Untraced.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {
namespace {

constexpr double kRun = 1e6;   // of a kernel or host function
constexpr double kLong = 4e6;  // of a kernel beside calls: cudaMallocHost takes 1 ms itself
constexpr std::size_t kBytes = 1 << 20;

/// Host time of a call while a kernel runs in a non-blocking stream; `prepare` and `clean` beside
/// an idle device.
template <typename Prepare, typename Call, typename Clean>
void beside_a_kernel(const char* name, int rounds, cudaStream_t stream, Prepare prepare, Call call,
                     Clean clean) {
    for (int round = -1; round < rounds; ++round) {
        prepare();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        spin(kLong, stream);
        const auto start = Clock::now();
        call();
        const double took = nanoseconds_since(start);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        clean();
        if (round >= 0) {
            sample(name, kLong, took);
        }
    }
}

void memory_calls(int rounds, cudaStream_t stream) {
    void* memory = nullptr;
    const auto nothing = [] {};
    const auto make = [&] { check(cudaMalloc(&memory, kBytes), "cudaMalloc"); };
    const auto drop = [&] { check(cudaFree(memory), "cudaFree"); };
    const auto make_host = [&] { check(cudaMallocHost(&memory, kBytes), "cudaMallocHost"); };
    const auto drop_host = [&] { check(cudaFreeHost(memory), "cudaFreeHost"); };
    const auto make_async = [&] { check(cudaMallocAsync(&memory, kBytes, stream), "async"); };
    const auto drop_async = [&] { check(cudaFreeAsync(memory, stream), "async"); };
    beside_a_kernel("beside_cudaMalloc", rounds, stream, nothing, make, drop);
    beside_a_kernel("beside_cudaFree", rounds, stream, make, drop, nothing);
    beside_a_kernel("beside_cudaMallocHost", rounds, stream, nothing, make_host, drop_host);
    beside_a_kernel("beside_cudaFreeHost", rounds, stream, make_host, drop_host, nothing);
    beside_a_kernel("beside_cudaMallocAsync", rounds, stream, nothing, make_async, drop_async);
    beside_a_kernel("beside_cudaFreeAsync", rounds, stream, make_async, drop_async, nothing);
}

void other_calls(int rounds, cudaStream_t stream) {
    const Buffers buffers{kBytes};
    const auto nothing = [] {};
    cudaStream_t made = nullptr;
    beside_a_kernel(
        "beside_cudaStreamCreate", rounds, stream, nothing,
        [&] { check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "create"); },
        [&] { check(cudaStreamDestroy(made), "destroy"); });
    beside_a_kernel(
        "beside_cudaMemcpy", rounds, stream, nothing,
        [&] {
            check(cudaMemcpy(buffers.device(), buffers.pinned(), kBytes, cudaMemcpyHostToDevice),
                  "cudaMemcpy");
        },
        nothing);
    beside_a_kernel(
        "beside_cudaMemset", rounds, stream, nothing,
        [&] { check(cudaMemset(buffers.device(), 0, kBytes), "cudaMemset"); }, nothing);
}

/// Wall time of three kernels on (first, default, third) stream; x = the time of one.
void default_stream(const char* name, unsigned flags, int rounds) {
    cudaStream_t streams[2];
    for (auto& stream : streams) {
        check(cudaStreamCreateWithFlags(&stream, flags), "cudaStreamCreate");
    }
    sample_walls(name, kRun / 2, rounds, [&] {
        spin(kRun / 2, streams[0]);
        spin(kRun / 2, cudaStreamLegacy);
        spin(kRun / 2, streams[1]);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    });
    for (auto stream : streams) {
        check(cudaStreamDestroy(stream), "cudaStreamDestroy");
    }
}

void CUDART_CB busy(void*) {
    const auto start = Clock::now();
    while (nanoseconds_since(start) < kRun) {
    }
}

void CUDART_CB idle(void*) {}

/// A kernel of another stream while a host function runs, and the way through a host function.
void host_functions(int rounds, cudaStream_t stream, cudaStream_t other) {
    for (int round = -1; round < rounds; ++round) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaLaunchHostFunc(stream, busy, nullptr), "cudaLaunchHostFunc");
        launch_empty(stream);
        const auto start = Clock::now();
        launch_empty(other);
        check(cudaStreamSynchronize(other), "cudaStreamSynchronize");
        const double beside = nanoseconds_since(start);
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        const double behind = nanoseconds_since(start);
        if (round >= 0) {
            sample("kernel_beside_host_function", kRun, beside);
            sample("kernel_behind_host_function", kRun, behind);
        }
    }
    for (const int functions : {1, 11}) {
        sample_walls("host_function_chain", functions, rounds, [&] {
            for (int i = 0; i < functions; ++i) {
                check(cudaLaunchHostFunc(stream, idle, nullptr), "cudaLaunchHostFunc");
                launch_empty(stream);
            }
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        });
    }
}

}  // namespace

void probe_implicit_waits(const Options& options) {
    const Streams streams{2};
    const int rounds = options.of(10, 4);
    memory_calls(rounds, streams[0]);
    other_calls(rounds, streams[0]);
    default_stream("default_blocking", cudaStreamDefault, rounds);
    default_stream("default_non_blocking", cudaStreamNonBlocking, rounds);
    host_functions(rounds, streams[0], streams[1]);
}

}  // namespace overcast::probes
