// Waits for streams and events of every kind, each right behind what it waits for: check_tracer.py
// looks up whether the recording says so.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
        std::exit(1);
    }
}

__global__ void work(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

void launch(cudaStream_t stream) {
    constexpr long long kCycles = 100'000;
    work<<<1, 1, 0, stream>>>(kCycles);
    check(cudaGetLastError(), "launch");
}

void wait_for(cudaStream_t stream) {
    launch(stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void record(cudaEvent_t event, cudaStream_t stream) {
    launch(stream);
    check(cudaEventRecord(event, stream), "cudaEventRecord");
}

}  // namespace

int main() {
    cudaStream_t blocking = nullptr;
    cudaStream_t other = nullptr;
    cudaEvent_t event = nullptr;
    cudaEvent_t untimed = nullptr;
    check(cudaStreamCreate(&blocking), "cudaStreamCreate");
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaEventCreate(&event), "cudaEventCreate");
    check(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    for (const cudaStream_t stream :
         {blocking, other, cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
        wait_for(stream);
    }
    std::thread{[] { wait_for(cudaStreamPerThread); }}.join();
    for (const cudaEvent_t each : {event, untimed, event}) {
        for (const cudaStream_t stream : {blocking, cudaStream_t{nullptr}, cudaStreamPerThread}) {
            record(each, stream);
            check(cudaStreamWaitEvent(other, each, 0), "cudaStreamWaitEvent");
            check(cudaEventSynchronize(each), "cudaEventSynchronize");
        }
    }
    check(cudaEventDestroy(event), "cudaEventDestroy");
    check(cudaEventDestroy(untimed), "cudaEventDestroy");
    std::puts("waits: done");
    return 0;
}
