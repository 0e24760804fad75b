// Probe: how many copies of its channel an engine takes ahead of the one that runs. Untraced, and
// traced; copies to the host, whose arrival the host sees.
//
// A large copy runs; behind it stands a row of copies of one size, and one is ready in every other
// channel. One more behind the row, whose call returns while the row is copied: does the engine
// still see it, or does it turn to the other channels first?
//   queue_stayed, queue_left: x = bytes of a copy; value = how many copies before the last of the
//   row one began when an idle engine could have begun the late one.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

namespace overcast::probes {
namespace {

constexpr int kRow = 24;     // more than an H200 takes ahead
constexpr int kOthers = 3;   // as many channels as there are beside the row's own
constexpr int kLate = kRow;  // its place, and those of the others behind it
constexpr int kPlaces = kRow + 1 + kOthers;
constexpr std::size_t kStride = 128 << 10;
constexpr std::size_t kLarge = 8 << 20;  // 155 us: all is issued before it ends
constexpr double kTimeOut = 5e6;

__global__ void mark(char* places, unsigned value) {
    *reinterpret_cast<unsigned*>(places + threadIdx.x * kStride) = value;
}

/// Copies to the host from `kPlaces` places behind kLarge bytes, and when the host saw each.
class Row {
public:
    /// From now on with copies of so many bytes.
    void set(std::size_t bytes) { bytes_ = bytes; }
    /// All that is seen from now on is new.
    void begin() {
        ++value_;
        mark<<<1, kPlaces>>>(buffers_.device() + kLarge, value_);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        std::fill(std::begin(seen_), std::end(seen_), 0);
        start_ = Clock::now();
    }
    void copy(int place, int stream) const {
        buffers_.d2h(bytes_, streams_[stream], offset(place));
    }
    /// A large copy, the row behind it, and one in each of the other channels.
    void issue() const {
        buffers_.d2h(kLarge, streams_[0]);
        for (int i = 0; i < kRow; ++i) {
            copy(i, 0);
        }
        for (int i = 1; i <= kOthers; ++i) {
            copy(kLate + i, i);
        }
    }
    double now() const { return nanoseconds_since(start_); }
    void look() {
        for (int i = 0; i < kPlaces; ++i) {
            const auto* place = buffers_.pinned() + offset(i);
            if (seen_[i] == 0 && *reinterpret_cast<const volatile unsigned*>(place) == value_) {
                seen_[i] = now();
            }
        }
    }
    void look_until(double then) {
        while (now() < then) {
            look();
        }
    }
    void wait_for(int place) {
        while (seen_[place] == 0 && now() < kTimeOut) {
            look();
        }
    }
    double seen(int place) const { return seen_[place]; }
    double seen_first_of_others() const {
        return *std::min_element(seen_ + kLate + 1, seen_ + kPlaces);
    }

private:
    static std::size_t offset(int place) {
        return kLarge + static_cast<std::size_t>(place) * kStride;
    }

    Buffers buffers_{kLarge + kPlaces * kStride};
    Streams streams_{kOthers + 1};
    std::size_t bytes_ = 0;
    unsigned value_ = 0;
    double seen_[kPlaces]{};
    Clock::time_point start_;
};

/// From the return of a call to the moment in which the host sees its copy, by an idle engine.
double latency_alone(Row& row) {
    constexpr int kRounds = 9;
    double latencies[kRounds];
    for (double& latency : latencies) {
        row.begin();
        row.copy(0, 0);
        const double returned = row.now();
        row.wait_for(0);
        latency = row.seen(0) - returned;
    }
    std::nth_element(latencies, latencies + kRounds / 2, latencies + kRounds);
    return latencies[kRounds / 2];
}

struct RowTimes {
    double first = 0;
    double last = 0;
    double period() const { return (last - first) / (kRow - 1); }
};

RowTimes times_of(const Row& row) { return {row.seen(0), row.seen(kRow - 1)}; }

/// `begins`: the call of the late copy.
void try_once(Row& row, std::size_t bytes, double latency, double begins) {
    row.begin();
    row.issue();
    row.look_until(begins);
    row.copy(kLate, 0);
    const double returned = row.now();
    for (int i = 0; i < kPlaces; ++i) {
        row.wait_for(i);
    }
    const auto times = times_of(row);
    if (times.last < row.seen_first_of_others()) {
        const bool stayed = row.seen(kLate) < row.seen_first_of_others();
        sample(stayed ? "queue_stayed" : "queue_left", static_cast<double>(bytes),
               (times.last - returned - latency) / times.period());
    }
}

}  // namespace

void probe_copy_queue(const Options& options) {
    std::mt19937 random{1};
    Row row;
    for (const std::size_t kib : {0, 4, 8, 16, 24, 32, 48, 64, 80, 96, 128}) {
        const auto bytes = std::max(kib << 10, sizeof(unsigned));
        row.set(bytes);
        row.begin();
        row.issue();
        row.wait_for(kRow - 1);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto usual = times_of(row);
        const auto latency = latency_alone(row);
        const double latest = usual.last + usual.period();
        const double earliest = usual.first - 20'000;
        std::uniform_real_distribution<double> any{0, 1};
        for (int i = 0; i < options.of(96, 24); ++i) {
            const double before = any(random);  // squared: the fewer copies, the more tries
            try_once(row, bytes, latency, latest - before * before * (latest - earliest));
        }
    }
}

}  // namespace overcast::probes
