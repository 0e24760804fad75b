// Probe: when the device starts what a call asks for, and how long the call takes: usual ones, and
// such whose code and data the host's caches have lost. Untraced and traced; the device is idle.
//   cold_d, cold_k (a copy to the host, a kernel): x = nanoseconds of the call, value = from its
//   return until the host sees what the copy or the kernel wrote.
//   Phases of the same names, and cold_h (a copy to the device): x = bytes that were written before
//   each call.
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <vector>

namespace overcast::probes {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kBytes = 64 << 10;  // never inline
constexpr double kTimeOut = 5e6;

__global__ void tell(volatile unsigned* place, unsigned value) { *place = value; }

class ColdCalls {
public:
    /// What the caches hold besides is what the last call left of it.
    void evict(std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; i += kLine) {
            ++evicts_[i];
        }
    }

    void to_device(std::size_t bytes) {
        evict(bytes);
        buffers_.h2d(kBytes, streams_[0]);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    void to_host(std::size_t bytes) {
        tell<<<1, 1, 0, streams_[0]>>>(reinterpret_cast<unsigned*>(buffers_.device()), ++value_);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        measure("cold_d", bytes, [&] { buffers_.d2h(sizeof(value_), streams_[0]); });
    }

    void kernel(std::size_t bytes) {
        ++value_;
        measure("cold_k", bytes, [&] { tell<<<1, 1, 0, streams_[0]>>>(seen(), value_); });
    }

private:
    unsigned* seen() const { return reinterpret_cast<unsigned*>(buffers_.pinned()); }

    template <typename Call>
    void measure(const char* quantity, std::size_t bytes, Call call) {
        evict(bytes);
        const auto start = Clock::now();
        call();
        const double returned = nanoseconds_since(start);
        const volatile unsigned* place = seen();
        while (*place != value_ && nanoseconds_since(start) < kTimeOut) {
        }
        sample(quantity, returned, nanoseconds_since(start) - returned);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    Buffers buffers_{kBytes};
    Streams streams_{1};
    std::vector<char> evicts_ = std::vector<char>(64 << 20);
    unsigned value_ = 0;
};

}  // namespace

void probe_cold_calls(const Options& options) {
    ColdCalls calls;
    const int rounds = options.of(16, 8);
    for (const std::size_t kib : {0, 64, 512, 2048, 8192, 65536}) {
        const auto bytes = kib << 10;
        const auto repeat = [&](const char* quantity, void (ColdCalls::*one)(std::size_t)) {
            phase(quantity, static_cast<double>(bytes));
            for (int i = 0; i < rounds; ++i) {
                (calls.*one)(bytes);
            }
        };
        repeat("cold_h", &ColdCalls::to_device);
        repeat("cold_d", &ColdCalls::to_host);
        repeat("cold_k", &ColdCalls::kernel);
    }
}

}  // namespace overcast::probes
