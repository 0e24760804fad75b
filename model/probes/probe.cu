#include "model/probes/probe.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace overcast::probes {
namespace {

constexpr std::uint64_t kLongestHold = 2'000'000'000;
constexpr unsigned kNap = 10'000;

__device__ std::uint64_t device_time() {
    std::uint64_t now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void overcast_phase_marker() {}
__global__ void empty(float*, float*, float*, unsigned, unsigned) {}

__global__ void hold_until(volatile int* flag, std::uint64_t between_looks) {
    const auto start = device_time();
    auto looked = start;
    while (*flag == 0 && looked - start < kLongestHold) {
        while (device_time() - looked < between_looks) {
            __nanosleep(kNap);
        }
        looked = device_time();
    }
}

__global__ void spin_for(std::uint64_t nanoseconds) {
    const auto start = device_time();
    while (device_time() - start < nanoseconds) {
    }
}

}  // namespace

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
        std::exit(1);
    }
}

int attribute(cudaDeviceAttr which) {
    int found = 0;
    check(cudaDeviceGetAttribute(&found, which, 0), "cudaDeviceGetAttribute");
    return found;
}

void sample(const char* quantity, double x, double nanoseconds) {
    std::printf("sample %s %.17g %.6g\n", quantity, x, nanoseconds);
}

double median_of_one(const CountedRun* first, const CountedRun* last) {
    std::vector<double> each;
    for (; first != last; ++first) {
        each.push_back(static_cast<double>(first->end - first->begin) / first->count);
    }
    const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
    std::ranges::nth_element(each, middle);
    return *middle;
}

void value(const char* quantity, double number) {
    std::printf("value %s %.17g\n", quantity, number);
}

void text(const char* quantity, const char* words) { std::printf("text %s %s\n", quantity, words); }

void phase(const char* quantity, double x, double y) {
    static unsigned id = 0;
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    ++id;
    overcast_phase_marker<<<id, 1>>>();
    check(cudaGetLastError(), "phase marker");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::printf("phase %u %s %.17g %.17g\n", id, quantity, x, y);
}

Streams::Streams(int count) : streams_(static_cast<std::size_t>(count)) {
    for (auto& stream : streams_) {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    }
}

Streams::~Streams() {
    for (auto stream : streams_) {
        cudaStreamDestroy(stream);
    }
}

Buffers::Buffers(std::size_t bytes) {
    check(cudaMallocHost(reinterpret_cast<void**>(&pinned_), bytes), "cudaMallocHost");
    check(cudaMalloc(reinterpret_cast<void**>(&device_), bytes), "cudaMalloc");
    std::memset(pinned_, 1, bytes);
    check(cudaMemset(device_, 1, bytes), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

Buffers::~Buffers() {
    cudaFreeHost(pinned_);
    cudaFree(device_);
}

void Buffers::h2d(std::size_t bytes, cudaStream_t stream, std::size_t offset) const {
    check(
        cudaMemcpyAsync(device_ + offset, pinned_ + offset, bytes, cudaMemcpyHostToDevice, stream),
        "copy to the device");
}

void Buffers::d2h(std::size_t bytes, cudaStream_t stream, std::size_t offset) const {
    check(
        cudaMemcpyAsync(pinned_ + offset, device_ + offset, bytes, cudaMemcpyDeviceToHost, stream),
        "copy to the host");
}

Hold::Hold(double between_looks) : between_looks_{static_cast<std::uint64_t>(between_looks)} {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
    flag_ = static_cast<volatile int*>(memory);
    *flag_ = 1;
    check(cudaEventCreateWithFlags(&end_, cudaEventDisableTiming), "cudaEventCreate");
}

Hold::~Hold() {
    cudaEventDestroy(end_);
    cudaFreeHost(const_cast<int*>(flag_));
}

void Hold::start(cudaStream_t stream) {
    *flag_ = 0;
    hold_until<<<1, 1, 0, stream>>>(flag_, between_looks_);
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(end_, stream), "cudaEventRecord");
}

void Hold::let_go() { *flag_ = 1; }

void Hold::holds_back(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, end_, 0), "cudaStreamWaitEvent");
}

void spin(double nanoseconds, cudaStream_t stream) {
    spin_for<<<1, 1, 0, stream>>>(static_cast<std::uint64_t>(nanoseconds));
    check(cudaPeekAtLastError(), "launch");
}

void launch_empty(cudaStream_t stream) {
    empty<<<1, 32, 0, stream>>>(nullptr, nullptr, nullptr, 1, 1);
    check(cudaPeekAtLastError(), "launch");
}

}  // namespace overcast::probes
