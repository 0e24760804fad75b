// Probe: what the SMs of one GPC get of the L2 together. The blocks of a cluster share a GPC, which
// tells whose SMs are whose (one that clusters use in part counts as several); then some SMs read a
// buffer that the L2 holds, the others rest. Observed on an H200: seven and more SMs of a GPC share
// what it gets, about 1,270 bytes per ns, and eight times that is what all SMs get; SMs of
// different GPCs hardly notice each other.
//   gpcs_multiprocessors: x = the GPC, the smallest first; its SMs
//   gpcs_read: x = SMs of the largest GPC that read; for 64 KiB of each, mean of these SMs
//   gpcs_read_apart: x = SMs that read, as many of each GPC; likewise
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kStayThreads = 128;
constexpr unsigned kAtOnce = 4;
constexpr unsigned kWords = 8U << 20 >> 4;  // of 16 bytes, that the L2 holds
constexpr unsigned kRounds = 200;           // of 64 KiB
constexpr unsigned long long kStayNs = 20'000;
constexpr unsigned kRests = ~0U;

using Multiprocessors = std::vector<unsigned>;

__global__ void stay(unsigned* sms) {
    const auto begin = globaltimer();
    while (globaltimer() < begin + kStayNs) {
    }
    if (threadIdx.x == 0) {
        sms[blockIdx.x] = multiprocessor();
    }
}

struct Ran {
    unsigned long long begin, end;
};

/// `ranks`: of each SM among those that read, or kRests. One block on each SM.
__global__ void __launch_bounds__(kThreads)
    read(const uint4* words, const unsigned* ranks, unsigned readers, unsigned* arrived, Ran* ran,
         unsigned* result) {
    const auto rank = ranks[multiprocessor()];
    if (rank == kRests) {
        return;
    }
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*static_cast<volatile unsigned*>(arrived) < readers) {
        }
    }
    __syncthreads();
    const auto begin = globaltimer();
    const auto stride = readers * kThreads;
    auto at = rank * kThreads + threadIdx.x;
    unsigned sum = 0;
    for (unsigned round = 0; round < kRounds; ++round) {
        uint4 found[kAtOnce];
#pragma unroll
        for (auto& each : found) {
            each = __ldcg(words + at);
            at = at + stride < kWords ? at + stride : at + stride - kWords;
        }
#pragma unroll
        for (const auto& each : found) {
            sum = sum * 3 + (each.x ^ each.y ^ each.z ^ each.w);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ran[rank] = {begin, globaltimer()};
        result[rank] = sum;
    }
}

/// The SMs of each GPC, the smallest first. Those in no cluster of more than two are their own.
std::vector<Multiprocessors> gpcs(unsigned processors, std::size_t shared) {
    Multiprocessors of(processors);
    std::iota(of.begin(), of.end(), 0U);
    const Buffers notes{processors * sizeof(unsigned)};
    auto* const device = reinterpret_cast<unsigned*>(notes.device());
    for (const unsigned size : {2U, 4U, 8U, 16U, 2U, 4U, 8U, 16U}) {
        const auto blocks = processors / size * size;
        const ClusterLaunch launch{blocks, size, kStayThreads, shared, nullptr};
        check(cudaLaunchKernelEx(&launch.config, stay, device), "launch");
        Multiprocessors sms(blocks);
        check(cudaMemcpy(sms.data(), device, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        for (unsigned i = 0; i < blocks; ++i) {
            const auto one = of[sms[i]];
            const auto same = of[sms[i / size * size]];
            std::replace(of.begin(), of.end(), one, same);
        }
    }
    std::map<unsigned, Multiprocessors> found;
    for (unsigned sm = 0; sm < processors; ++sm) {
        found[of[sm]].push_back(sm);
    }
    std::vector<Multiprocessors> sorted;
    for (const auto& [first, sms] : found) {
        sorted.push_back(sms);
    }
    std::ranges::stable_sort(sorted, {}, &Multiprocessors::size);
    return sorted;
}

Multiprocessors first_of(const Multiprocessors& sms, std::size_t count) {
    const std::span first{sms.data(), std::min(count, sms.size())};
    return {first.begin(), first.end()};
}

class Readers {
public:
    Readers(unsigned processors, std::size_t shared)
        : processors_{processors},
          shared_{shared},
          words_{kWords * sizeof(uint4)},
          notes_{processors * (sizeof(Ran) + 2 * sizeof(unsigned)) + sizeof(unsigned)} {}

    /// ns for 64 KiB of each of these SMs, their mean; after a run that brings the data in.
    double time(const Multiprocessors& sms) const {
        run(sms);
        return run(sms);
    }

private:
    double run(const Multiprocessors& sms) const {
        auto* const ran = reinterpret_cast<Ran*>(notes_.device());
        auto* const ranks = reinterpret_cast<unsigned*>(ran + processors_);
        auto* const arrived = ranks + 2 * processors_;
        Multiprocessors of(processors_, kRests);
        for (unsigned rank = 0; rank < sms.size(); ++rank) {
            of[sms[rank]] = rank;
        }
        check(cudaMemcpy(ranks, of.data(), of.size() * sizeof(unsigned), cudaMemcpyHostToDevice),
              "cudaMemcpy to the device");
        check(cudaMemset(arrived, 0, sizeof(unsigned)), "cudaMemset");
        read<<<processors_, kThreads, shared_>>>(reinterpret_cast<const uint4*>(words_.device()),
                                                 ranks, static_cast<unsigned>(sms.size()), arrived,
                                                 ran, ranks + processors_);
        check(cudaGetLastError(), "launch");
        std::vector<Ran> found(sms.size());
        check(cudaMemcpy(found.data(), ran, found.size() * sizeof(Ran), cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
        double sum = 0;
        for (const auto& each : found) {
            sum += static_cast<double>(each.end - each.begin) / kRounds;
        }
        return sum / static_cast<double>(found.size());
    }

    unsigned processors_;
    std::size_t shared_;
    Buffers words_;
    Buffers notes_;
};

}  // namespace

void probe_gpcs(const Options& options) {
    if (attribute(cudaDevAttrClusterLaunch) == 0) {
        return;
    }
    const auto processors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const auto shared =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    check(cudaFuncSetAttribute(stay, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "cudaFuncSetAttribute");
    for (auto* const kernel :
         {reinterpret_cast<const void*>(stay), reinterpret_cast<const void*>(read)}) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shared)),
              "cudaFuncSetAttribute");
    }
    const auto all = gpcs(processors, shared);
    for (unsigned i = 0; i < all.size(); ++i) {
        sample("gpcs_multiprocessors", i, static_cast<double>(all[i].size()));
    }
    const Readers readers{processors, shared};
    const auto& largest = all.back();
    for (int i = 0; i < options.of(3, 1); ++i) {
        for (std::size_t n = 1; n <= largest.size(); n += n < 3 ? 1 : 2) {
            sample("gpcs_read", static_cast<double>(n), readers.time(first_of(largest, n)));
        }
        for (std::size_t of_each = 1; of_each <= 4; ++of_each) {
            Multiprocessors sms;
            for (const auto& gpc : all) {
                const auto some = first_of(gpc, of_each);
                sms.insert(sms.end(), some.begin(), some.end());
            }
            sample("gpcs_read_apart", static_cast<double>(sms.size()), readers.time(sms));
        }
        Multiprocessors every(processors);
        std::iota(every.begin(), every.end(), 0U);
        sample("gpcs_read_apart", processors, readers.time(every));
    }
}

}  // namespace overcast::probes
