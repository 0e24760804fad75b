// Probe: what the device says of itself (the limits of a device model).
#include "model/probes/probe.cuh"
#include "model/probes/probes.hpp"

namespace overcast::probes {

void probe_machine(const Options&) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    text("device", properties.name);
    value("compute_capability_major", properties.major);
    value("compute_capability_minor", properties.minor);
    value("multiprocessors", properties.multiProcessorCount);
    value("threads_per_multiprocessor", properties.maxThreadsPerMultiProcessor);
    value("blocks_per_multiprocessor", properties.maxBlocksPerMultiProcessor);
    value("registers_per_multiprocessor", properties.regsPerMultiprocessor);
    value("shared_memory_per_multiprocessor_bytes",
          static_cast<double>(properties.sharedMemPerMultiprocessor));
    value("shared_memory_per_block_bytes", static_cast<double>(properties.sharedMemPerBlockOptin));
    value("async_engines", properties.asyncEngineCount);
    value("memory_bytes", static_cast<double>(properties.totalGlobalMem));
    value("l2_cache_bytes", properties.l2CacheSize);
    // Double data rate: two transfers a clock.
    const double memory_clock_hz = attribute(cudaDevAttrMemoryClockRate) * 1e3;
    value("memory_bandwidth_bytes_per_s",
          2 * memory_clock_hz * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8);
    value("core_clock_khz", attribute(cudaDevAttrClockRate));
    int version = 0;
    check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    value("cuda_version", version);
}

}  // namespace overcast::probes
