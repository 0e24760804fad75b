// Probe: which SMs blocks in clusters can use, and who starts while a kernel of clusters waits.
// Every SM holds a block that leaves no room for one of the clusters'; these wait, and small blocks
// behind them find room everywhere. Observed: behind clusters of three and more these start at
// once, but on eight SMs alone, the same behind clusters of whatever size; behind pairs they wait.
//   clusters_multiprocessors: x = blocks of a cluster; SMs that such clusters can use at once, one
//     block on each (cudaOccupancyMaxActiveClusters)
//   clusters_beside: x = blocks of a cluster; SMs on which others start while such clusters wait
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace overcast::probes {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kSmallPerSm = 4;
constexpr unsigned long long kHeldNs = 300'000;
constexpr unsigned long long kShortNs = 5'000;

struct Ran {
    unsigned long long begin;
    unsigned sm;
};

__global__ void stay(Ran* ran, unsigned long long ns) {
    const auto begin = globaltimer();
    while (globaltimer() < begin + ns) {
    }
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = {begin, multiprocessor()};
    }
}

/// Blocks of a cluster times how many of these fit, of which an SM holds one block.
unsigned usable(unsigned of_cluster, std::size_t shared) {
    const ClusterLaunch launch{of_cluster, of_cluster, kThreads, shared, nullptr};
    int clusters = 0;
    check(cudaOccupancyMaxActiveClusters(&clusters, stay, &launch.config),
          "cudaOccupancyMaxActiveClusters");
    return static_cast<unsigned>(clusters) * of_cluster;
}

/// SMs on which small blocks start before the clusters do that were launched before them.
std::size_t started_beside(unsigned of_cluster, unsigned processors, std::size_t shared) {
    const unsigned waiting = usable(of_cluster, shared);
    const unsigned small = kSmallPerSm * processors;
    const Buffers notes{(processors + waiting + small) * sizeof(Ran)};
    auto* const ran = reinterpret_cast<Ran*>(notes.device());
    const Streams streams{3};
    stay<<<processors, kThreads, shared / 2, streams[0]>>>(ran, kHeldNs);
    const ClusterLaunch launch{waiting, of_cluster, kThreads, shared, streams[1]};
    check(cudaLaunchKernelEx(&launch.config, stay, ran + processors, kShortNs), "launch");
    stay<<<small, kThreads, 0, streams[2]>>>(ran + processors + waiting, kShortNs);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<Ran> found(processors + waiting + small);
    check(cudaMemcpy(found.data(), ran, found.size() * sizeof(Ran), cudaMemcpyDeviceToHost),
          "cudaMemcpy to the host");
    const auto clusters = found.begin() + processors;
    const auto others = clusters + waiting;
    auto first = clusters->begin;
    std::for_each(clusters, others, [&](const Ran& each) { first = std::min(first, each.begin); });
    std::set<unsigned> sms;
    std::for_each(others, found.end(), [&](const Ran& each) {
        if (each.begin + kHeldNs / 2 < first) {
            sms.insert(each.sm);
        }
    });
    return sms.size();
}

}  // namespace

void probe_clusters(const Options& options) {
    if (attribute(cudaDevAttrClusterLaunch) == 0) {
        return;
    }
    const auto processors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const auto shared =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    check(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "cudaFuncSetAttribute");
    check(cudaFuncSetAttribute(stay, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "cudaFuncSetAttribute");
    for (const unsigned blocks : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 10U, 12U, 14U, 16U}) {
        sample("clusters_multiprocessors", blocks, usable(blocks, shared));
    }
    for (const unsigned blocks : {2U, 3U, 4U, 8U, 16U}) {
        for (int i = 0; i < options.of(5, 3); ++i) {
            sample("clusters_beside", blocks,
                   static_cast<double>(started_beside(blocks, processors, shared)));
        }
    }
}

}  // namespace overcast::probes
