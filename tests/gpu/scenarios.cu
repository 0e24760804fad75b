// Programs for checking the tracer on a machine with a GPU: each scenario is one way to use CUDA,
// or to end, that a tracer has to survive. Standard output is the same in every run of a scenario.
#include "validate/cases/harness/cuda_check.hpp"

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using overcast::cases::check;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kElements = 1U << 16;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void increment(float* values, std::uint32_t elements) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) {
        values[i] += 1.0F;
    }
}

/// Three operations per unit: copy in, kernel, copy out, then a wait for the stream.
class Worker {
public:
    Worker() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        void* memory = nullptr;
        check(cudaMallocHost(&memory, kBytes), "cudaMallocHost");
        host_ = static_cast<float*>(memory);
        check(cudaMalloc(&memory, kBytes), "cudaMalloc");
        device_ = static_cast<float*>(memory);
        std::fill_n(host_, kElements, 0.0F);
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() {
        cudaFree(device_);
        cudaFreeHost(host_);
        cudaStreamDestroy(stream_);
    }

    void run_unit() {
        check(cudaMemcpyAsync(device_, host_, kBytes, cudaMemcpyHostToDevice, stream_), "copy in");
        increment<<<kElements / 256, 256, 0, stream_>>>(device_, kElements);
        check(cudaPeekAtLastError(), "kernel launch");
        check(cudaMemcpyAsync(host_, device_, kBytes, cudaMemcpyDeviceToHost, stream_), "copy out");
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    void run_units(int units) {
        for (int i = 0; i < units; ++i) {
            run_unit();
        }
    }

    /// The first element: one more for each unit.
    [[nodiscard]] int value() const { return static_cast<int>(host_[0]); }

private:
    cudaStream_t stream_ = nullptr;
    float* host_ = nullptr;
    float* device_ = nullptr;
};

/// Runs a unit about every millisecond and notes its progress, one line "milliseconds units" each
/// 50 ms, so that a checker knows what was complete when.
void run_steadily(std::chrono::milliseconds length, const char* progress_file) {
    std::FILE* progress = progress_file != nullptr ? std::fopen(progress_file, "w") : nullptr;
    if (progress_file != nullptr && progress == nullptr) {
        throw std::runtime_error(std::string{"cannot write "} + progress_file);
    }
    if (progress != nullptr) {
        std::fprintf(progress, "pid %d\n", static_cast<int>(getpid()));
    }
    Worker worker;
    const auto start = Clock::now();
    auto next_note = start;
    for (int units = 0; Clock::now() - start < length; ++units) {
        if (progress != nullptr && Clock::now() >= next_note) {
            const auto elapsed =
                std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
            std::fprintf(progress, "%lld %d\n", static_cast<long long>(elapsed.count()), units);
            std::fflush(progress);
            next_note += std::chrono::milliseconds{50};
        }
        worker.run_unit();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    if (progress != nullptr) {
        std::fclose(progress);
    }
}

int plain() {
    Worker worker;
    worker.run_units(50);
    std::printf("plain: %d\n", worker.value());
    return 0;
}

int own_status() {
    Worker worker;
    worker.run_units(50);
    std::printf("own status: %d\n", worker.value());
    return 42;
}

int crash() {
    run_steadily(std::chrono::milliseconds{1500}, nullptr);
    std::printf("about to crash\n");
    std::fflush(stdout);
    // Read at run time: a compiler that sees a null pointer would emit a trap instead.
    volatile std::uintptr_t nowhere = 0;
    *reinterpret_cast<volatile int*>(nowhere) = 1;
    return 0;
}

int abort_after_work() {
    run_steadily(std::chrono::milliseconds{1500}, nullptr);
    std::printf("about to abort\n");
    std::fflush(stdout);
    std::abort();
}

/// Ranges begin before the first CUDA call: the tracer must not lose them. Inside "wanted" are 20
/// units of 50.
int named_ranges() {
    nvtxRangePushA("before everything");
    Worker worker;
    worker.run_units(15);
    nvtxRangePushA("wanted");
    worker.run_units(20);
    nvtxRangePop();
    worker.run_units(15);
    nvtxRangePop();
    std::printf("ranges: %d\n", worker.value());
    return 0;
}

/// The device is reset between two halves of the work.
int device_reset() {
    int value = 0;
    for (int half = 0; half < 2; ++half) {
        {
            Worker worker;
            worker.run_units(25);
            value += worker.value();
        }
        check(cudaDeviceReset(), "cudaDeviceReset");
    }
    std::printf("reset: %d\n", value);
    return 0;
}

int leave_without_teardown() {
    auto worker = std::make_unique<Worker>();
    worker->run_units(50);
    std::printf("leaving: %d\n", worker.release()->value());
    std::fflush(stdout);
    _exit(7);
}

int steady(const char* progress_file) {
    std::printf("steady\n");
    std::fflush(stdout);
    run_steadily(std::chrono::seconds{20}, progress_file);
    return 0;
}

int threads() {
    constexpr int kThreads = 4;
    std::array<int, kThreads> values{};
    std::vector<std::thread> running;
    for (auto& value : values) {
        running.emplace_back([&value] {
            Worker worker;
            worker.run_units(50);
            value = worker.value();
        });
    }
    for (auto& thread : running) {
        thread.join();
    }
    std::printf("threads: %d %d %d %d\n", values[0], values[1], values[2], values[3]);
    return 0;
}

int wait_for(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        throw std::runtime_error("waitpid failed");
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A child that makes no CUDA call and leaves through exit(), after CUDA was initialised: handlers
/// that the tracer registered in the parent run in the child too.
int fork_without_exec() {
    Worker worker;
    worker.run_units(25);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        std::exit(3);
    }
    const int status = wait_for(child);
    worker.run_units(25);
    std::printf("fork: child %d, parent %d\n", status, worker.value());
    return 0;
}

int fork_and_exec(const char* own_path) {
    Worker worker;
    worker.run_units(25);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execl(own_path, own_path, "plain", static_cast<char*>(nullptr));
        _exit(127);
    }
    const int status = wait_for(child);
    worker.run_units(25);
    std::printf("fork and exec: child %d, parent %d\n", status, worker.value());
    return 0;
}

/// Driver functions by hand: the program must not be linked against libcuda.
template <typename Function>
Function* driver_function(void* library, const char* name) {
    auto* function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function == nullptr) {
        throw std::runtime_error(std::string{"libcuda.so.1 has no "} + name);
    }
    return function;
}

void check_driver(int status, const char* call) {
    if (status != 0) {
        throw std::runtime_error(std::string{call} + " failed: " + std::to_string(status));
    }
}

int two_contexts() {
    auto first = std::make_unique<Worker>();  // in the primary context
    first->run_units(20);
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) {
        throw std::runtime_error("no libcuda.so.1");
    }
    const auto create = driver_function<int(void**, unsigned, int)>(library, "cuCtxCreate_v2");
    const auto get = driver_function<int(void**)>(library, "cuCtxGetCurrent");
    const auto set = driver_function<int(void*)>(library, "cuCtxSetCurrent");
    const auto destroy = driver_function<int(void*)>(library, "cuCtxDestroy_v2");
    void* primary = nullptr;
    void* second_context = nullptr;
    check_driver(get(&primary), "cuCtxGetCurrent");
    check_driver(create(&second_context, 0, 0), "cuCtxCreate");
    int value = 0;
    {
        Worker second;
        second.run_units(30);
        value = second.value();
    }
    check_driver(set(primary), "cuCtxSetCurrent");
    first->run_units(20);
    check_driver(destroy(second_context), "cuCtxDestroy");
    std::printf("two contexts: %d %d\n", first->value(), value);
    return 0;
}

/// Another profiler is there first: it subscribes to CUPTI before CUDA is initialised.
int own_subscriber() {
    void* library = nullptr;
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
        library = library != nullptr ? library : dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    }
    if (library == nullptr) {
        throw std::runtime_error("no libcupti.so in the library path");
    }
    using Callback = void(void*, int, std::uint32_t, const void*);
    const auto subscribe =
        driver_function<int(void**, Callback*, void*)>(library, "cuptiSubscribe");
    void* subscriber = nullptr;
    check_driver(subscribe(
                     &subscriber, [](void*, int, std::uint32_t, const void*) {}, nullptr),
                 "cuptiSubscribe");
    Worker worker;
    worker.run_units(50);
    std::printf("own subscriber: %d\n", worker.value());
    return 0;
}

struct View {
    std::uint32_t elements;
    float* values;
};

__device__ void add_up(View view, const float* more, float* sums) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < view.elements) {
        sums[i] = view.values[i] + more[i];
    }
}

__global__ void gather(View view, const float* more, float* sums) { add_up(view, more, sums); }
__global__ void gather_together(View view, const float* more, float* sums) {
    add_up(view, more, sums);
}

/// Kernels whose arguments point into 3 MiB + 256 KiB of device memory, and pinned host memory.
int pointers() {
    float* inputs = nullptr;
    float* sums = nullptr;
    float* unused = nullptr;
    float* pinned = nullptr;
    check(cudaMalloc(&inputs, 3U << 20U), "cudaMalloc");
    check(cudaMalloc(&sums, kBytes), "cudaMalloc");
    check(cudaMalloc(&unused, 1U << 20U), "cudaMalloc");
    check(cudaMallocHost(&pinned, kBytes), "cudaMallocHost");
    check(cudaMemset(inputs, 0, 3U << 20U), "cudaMemset");
    std::fill_n(pinned, kElements, 2.0F);
    View view{kElements, inputs + kElements};
    gather<<<kElements / 256, 256>>>(view, inputs, sums);
    gather<<<kElements / 256, 256>>>(view, pinned, sums);
    void* arguments[] = {&view, &pinned, &sums};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(gather_together), dim3(64),
                                      dim3(256), arguments, 0, nullptr),
          "cudaLaunchCooperativeKernel");
    check(cudaMemcpy(pinned, sums, kBytes, cudaMemcpyDeviceToHost), "copy out");
    std::printf("pointers: %.0f, last error: %s\n", static_cast<double>(pinned[0]),
                cudaGetErrorName(cudaGetLastError()));
    cudaFree(inputs);
    cudaFree(sums);
    cudaFree(unused);
    cudaFreeHost(pinned);
    return 0;
}

int run(int count, char** words) {
    const char* second = count > 2 ? words[2] : nullptr;
    const std::map<std::string, std::function<int()>> scenarios{
        {"plain", plain},
        {"own-status", own_status},
        {"crash", crash},
        {"abort", abort_after_work},
        {"ranges", named_ranges},
        {"reset", device_reset},
        {"leave", leave_without_teardown},
        {"steady", [second] { return steady(second); }},
        {"threads", threads},
        {"fork", fork_without_exec},
        {"fork-exec", [words] { return fork_and_exec(words[0]); }},
        {"two-contexts", two_contexts},
        {"own-subscriber", own_subscriber},
        {"pointers", pointers},
    };
    const auto found = count > 1 ? scenarios.find(words[1]) : scenarios.end();
    if (found == scenarios.end()) {
        std::string known;
        for (const auto& [name, scenario] : scenarios) {
            known += ' ' + name;
        }
        std::fprintf(stderr, "usage: %s SCENARIO [PROGRESS-FILE]; scenarios:%s\n", words[0],
                     known.c_str());
        return 2;
    }
    return found->second();
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(count, words);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
