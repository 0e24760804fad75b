// A program with five faults that `overcast advise` must find, each of which a number on the
// command line takes away (measure_advice.sh measures what that saves):
//
//   1  pageable host memory                        → pinned
//   2  a memset in the legacy default stream before each kernel, so that no two kernels of a sixth
//      of the GPU run side by side                 → in the unit's own, non-blocking stream
//   3  breadth first over 6 streams: all copies to the device, all kernels, all copies back
//                                                  → depth first: unit by unit
//   4  cudaMalloc and cudaFree in every unit       → allocated once
//   5  the host waits for every unit               → once, at the end
//
// usage: overcast-bad-program [--profile-one-pass] [NUMBER…]
// Prints the median wall time of a pass; with --profile-one-pass runs a single one between
// cudaProfilerStart and cudaProfilerStop, for a recording. Both after a warm-up.
#include "core/quiet_cpu.hpp"
#include "validate/cases/harness/cuda_check.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

namespace {

using overcast::cases::check;
using Clock = std::chrono::steady_clock;

constexpr int kStreams = 6;
constexpr int kUnits = 24;
constexpr std::uint32_t kElements = 2U << 20;  // 8 MiB
constexpr std::size_t kBytes = kElements * sizeof(float);
constexpr std::size_t kScratch = 1U << 20;
constexpr int kSteps = 400;
constexpr int kRepetitions = 50;
constexpr int kWarmUps = 8;  // the driver's first allocations are slow

/// Which faults are left.
struct Faults {
    bool pageable = true;
    bool default_stream = true;
    bool breadth_first = true;
    bool frees = true;
    bool waits = true;

    bool remove(int number) {
        const std::array<bool*, 5> all{&pageable, &default_stream, &breadth_first, &frees, &waits};
        if (number < 1 || number > static_cast<int>(all.size())) {
            return false;
        }
        *all[static_cast<std::size_t>(number - 1)] = false;
        return true;
    }
};

constexpr int kBlocks = 22;  // a sixth of the SMs of an H200, one block on each

/// x → a x + b, so often that the kernel takes about as long as a copy.
__global__ void iterate(float* values, std::uint32_t elements) {
    for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < elements;
         i += gridDim.x * blockDim.x) {
        auto value = values[i];
        for (int step = 0; step < kSteps; ++step) {
            value = fmaf(value, 0.5F, 1.0F);
        }
        values[i] = value;
    }
}

class Program {
public:
    explicit Program(const Faults& faults) : faults_{faults} {
        const auto flags = faults.default_stream ? cudaStreamDefault : cudaStreamNonBlocking;
        for (auto& stream : streams_) {
            check(cudaStreamCreateWithFlags(&stream, flags), "cudaStreamCreateWithFlags");
        }
        for (int unit = 0; unit < kUnits; ++unit) {
            host_.push_back(host_memory());
            device_.push_back(device_memory(kBytes));
            scratch_.push_back(faults.frees ? nullptr : device_memory(kScratch));
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        for (int unit = 0; unit < kUnits; ++unit) {
            const auto i = static_cast<std::size_t>(unit);
            faults_.pageable ? std::free(host_[i]) : static_cast<void>(cudaFreeHost(host_[i]));
            cudaFree(device_[i]);
            cudaFree(scratch_[i]);
        }
        for (auto stream : streams_) {
            cudaStreamDestroy(stream);
        }
    }

    void run() {
        if (faults_.breadth_first) {
            run_breadth_first();
        } else {
            for (int unit = 0; unit < kUnits; ++unit) {
                copy_in(unit);
                compute(unit);
                copy_out(unit);
                finish(unit);
            }
        }
        for (auto stream : streams_) {
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        }
    }

    /// Every value has come to the fixed point of the kernel, which is 2.
    [[nodiscard]] bool is_right() const {
        return std::all_of(host_.begin(), host_.end(), [](const float* values) {
            return std::all_of(values, values + kElements,
                               [](float value) { return value > 1.999F && value < 2.001F; });
        });
    }

    void reset() {
        for (auto* values : host_) {
            std::fill_n(values, kElements, 0.0F);
        }
    }

private:
    float* host_memory() const {
        void* memory = nullptr;
        if (faults_.pageable) {
            memory = std::malloc(kBytes);
            if (memory == nullptr) {
                throw std::bad_alloc();
            }
        } else {
            check(cudaMallocHost(&memory, kBytes), "cudaMallocHost");
        }
        std::memset(memory, 0, kBytes);
        return static_cast<float*>(memory);
    }

    static float* device_memory(std::size_t bytes) {
        void* memory = nullptr;
        check(cudaMalloc(&memory, bytes), "cudaMalloc");
        return static_cast<float*>(memory);
    }

    cudaStream_t stream(int unit) const {
        return streams_[static_cast<std::size_t>(unit % kStreams)];
    }

    void run_breadth_first() {
        for (int unit = 0; unit < kUnits; ++unit) {
            copy_in(unit);
        }
        for (int unit = 0; unit < kUnits; ++unit) {
            compute(unit);
        }
        for (int unit = 0; unit < kUnits; ++unit) {
            copy_out(unit);
            finish(unit);
        }
    }

    void copy_in(int unit) {
        const auto i = static_cast<std::size_t>(unit);
        check(cudaMemcpyAsync(device_[i], host_[i], kBytes, cudaMemcpyHostToDevice, stream(unit)),
              "cudaMemcpyAsync");
    }

    void compute(int unit) {
        const auto i = static_cast<std::size_t>(unit);
        if (faults_.frees) {
            scratch_[i] = device_memory(kScratch);
        }
        check(cudaMemsetAsync(scratch_[i], 0, kScratch,
                              faults_.default_stream ? nullptr : stream(unit)),
              "cudaMemsetAsync");
        iterate<<<kBlocks, 1024, 0, stream(unit)>>>(device_[i], kElements);
        check(cudaGetLastError(), "iterate");
    }

    void copy_out(int unit) {
        const auto i = static_cast<std::size_t>(unit);
        check(cudaMemcpyAsync(host_[i], device_[i], kBytes, cudaMemcpyDeviceToHost, stream(unit)),
              "cudaMemcpyAsync");
    }

    void finish(int unit) {
        const auto i = static_cast<std::size_t>(unit);
        if (faults_.waits) {
            check(cudaStreamSynchronize(stream(unit)), "cudaStreamSynchronize");
        }
        if (faults_.frees) {
            check(cudaFree(scratch_[i]), "cudaFree");
            scratch_[i] = nullptr;
        }
    }

    Faults faults_;
    std::array<cudaStream_t, kStreams> streams_{};
    std::vector<float*> host_;
    std::vector<float*> device_;
    std::vector<float*> scratch_;
};

double milliseconds_of_a_pass(Program& program) {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto start = Clock::now();
    program.run();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void measure(Program& program) {
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
        times.push_back(milliseconds_of_a_pass(program));
    }
    std::sort(times.begin(), times.end());
    std::printf("wall_median_ms %.4f\nwall_min_ms %.4f\nwall_max_ms %.4f\n",
                times[times.size() / 2], times.front(), times.back());
}

int usage() {
    std::fprintf(stderr, "usage: overcast-bad-program [--profile-one-pass] [1] [2] [3] [4] [5]\n");
    return 2;
}

int run(int argc, char** argv) {
    Faults faults;
    bool profile = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--profile-one-pass") == 0) {
            profile = true;
        } else if (!faults.remove(std::atoi(argv[i]))) {
            return usage();
        }
    }
    Program program{faults};
    for (int i = 0; i < kWarmUps; ++i) {
        program.run();
    }
    overcast::QuietCpu{}.settle();
    if (profile) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaProfilerStart(), "cudaProfilerStart");
        program.run();
        check(cudaProfilerStop(), "cudaProfilerStop");
    } else {
        measure(program);
    }
    program.reset();
    program.run();
    if (!program.is_right()) {
        std::fprintf(stderr, "overcast-bad-program: wrong results\n");
        return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "overcast-bad-program: %s\n", error.what());
        return 1;
    }
}
