// What every probe needs: checked calls, streams and buffers, lines on standard output, work that
// can be held back.
//
// A probe says what it measured in lines of words:
//   sample QUANTITY X NANOSECONDS    a time that it measured itself, on the host's clock
//   value QUANTITY NUMBER            a property of the machine
//   text QUANTITY WORDS…
//   phase ID QUANTITY X Y            what follows on the device belongs to this
//   probe NAME                       what follows is printed by this one
// A phase begins with a marker kernel whose grid is its ID, so that a recording of the probe can be
// cut into the same phases.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast::probes {

struct Options {
    bool quick = false;  ///< fewer sizes, fewer repetitions

    int of(int thorough, int fast) const { return quick ? fast : thorough; }
};

/// Ends the program with one line on stderr.
void check(cudaError_t result, const char* what);
/// Of the device.
int attribute(cudaDeviceAttr which);

void sample(const char* quantity, double x, double nanoseconds);
void value(const char* quantity, double number);
void text(const char* quantity, const char* words);
/// Waits until the device is idle before and after.
void phase(const char* quantity, double x, double y = 0);

using Clock = std::chrono::steady_clock;

inline double nanoseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Lengths of two chains of copies: their difference is free of start and end.
inline constexpr int kFewCopies = 8;
inline constexpr int kManyCopies = 40;

/// Non-blocking streams.
class Streams {
public:
    explicit Streams(int count);
    ~Streams();
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    cudaStream_t operator[](int i) const { return streams_[static_cast<std::size_t>(i)]; }
    int count() const { return static_cast<int>(streams_.size()); }

private:
    std::vector<cudaStream_t> streams_;
};

/// Memory on both sides, written once.
class Buffers {
public:
    explicit Buffers(std::size_t bytes);
    ~Buffers();
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    void h2d(std::size_t bytes, cudaStream_t stream, std::size_t offset = 0) const;
    void d2h(std::size_t bytes, cudaStream_t stream, std::size_t offset = 0) const;
    void copy(bool to_device, std::size_t bytes, cudaStream_t stream, std::size_t offset) const {
        if (to_device) {
            h2d(bytes, stream, offset);
        } else {
            d2h(bytes, stream, offset);
        }
    }
    char* device() const { return device_; }
    char* pinned() const { return pinned_; }

private:
    char* pinned_ = nullptr;
    char* device_ = nullptr;
};

/// A kernel of one thread that runs until it is let go, and ends by itself after two seconds. It
/// looks at host memory, in ns, so often; beside copies to the device the next gap between two
/// kernels, of whatever stream, is 3 us longer behind each look.
class Hold {
public:
    static constexpr double kOften = 10e3;
    static constexpr double kRarely = 2e6;  ///< where gaps are measured

    explicit Hold(double between_looks = kOften);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    void start(cudaStream_t stream);
    void let_go();
    /// Later work of `stream` waits for the end of what holds.
    void holds_back(cudaStream_t stream) const;

private:
    volatile int* flag_ = nullptr;
    cudaEvent_t end_ = nullptr;
    std::uint64_t between_looks_;
};

/// The device's clock, ns.
inline __device__ unsigned long long globaltimer() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/// The SM that runs the thread.
inline __device__ unsigned multiprocessor() {
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    return sm;
}

/// When a block ran, ns, and how many of what a probe times it did meanwhile.
struct CountedRun {
    unsigned long long begin, end;
    unsigned count;
};
/// ns for one of what was counted, median of these runs.
double median_of_one(const CountedRun* first, const CountedRun* last);

/// A launch whose blocks start in clusters.
struct ClusterLaunch {
    ClusterLaunch(unsigned blocks, unsigned of_cluster, unsigned threads, std::size_t shared,
                  cudaStream_t stream) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = of_cluster;
        attribute.val.clusterDim.y = 1;
        attribute.val.clusterDim.z = 1;
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = shared;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
    }
    ClusterLaunch(const ClusterLaunch&) = delete;
    ClusterLaunch& operator=(const ClusterLaunch&) = delete;

    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config{};
};

/// One block of one thread that runs for a time.
void spin(double nanoseconds, cudaStream_t stream);
void launch_empty(cudaStream_t stream);

/// Median wall time of `repetitions` runs after two unmeasured ones are `sample`s.
template <typename Run>
void sample_walls(const char* quantity, double x, int repetitions, Run run) {
    for (int i = -2; i < repetitions; ++i) {
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto start = Clock::now();
        run();
        const double took = nanoseconds_since(start);
        if (i >= 0) {
            sample(quantity, x, took);
        }
    }
}

/// One piece of work at a time, alone: `sample`s of how long its calls take, and of that with the
/// wait for its end.
template <typename Issue>
void sample_alone(const char* wall, const char* call, double x, int repetitions,
                  cudaStream_t stream, Issue issue) {
    for (int i = -2; i < repetitions; ++i) {
        const auto start = Clock::now();
        issue();
        const double issued = nanoseconds_since(start);
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        const double took = nanoseconds_since(start);
        if (i >= 0) {
            sample(wall, x, took);
            sample(call, x, issued);
        }
    }
}

}  // namespace overcast::probes
