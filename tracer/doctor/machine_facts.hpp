// What this machine offers: GPU, driver, CUPTI, link, permissions, environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// One GPU as the CUDA driver and NVML describe it. Absent: could not be asked.
struct GpuFacts {
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    int multiprocessors = 0;
    int async_engines = 0;
    std::optional<std::uint32_t> pcie_generation;  ///< now; an idle link may have stepped down
    std::optional<std::uint32_t> most_pcie_generation;
    std::optional<std::uint32_t> pcie_width;
    std::optional<std::uint32_t> most_pcie_width;
    std::optional<std::uint32_t> clock_mhz;  ///< of the SMs, now
    std::optional<std::uint32_t> most_clock_mhz;
    std::optional<std::uint32_t> other_processes;  ///< that compute on it
};

struct MachineFacts {
    std::optional<std::string> kernel_driver;  ///< "580.159.03"
    std::optional<std::string> driver_cuda;    ///< "13.0": the newest that the driver supports
    std::optional<std::string> no_device;      ///< why no CUDA program can run here
    std::vector<GpuFacts> gpus;
    std::optional<std::filesystem::path> tracer_library;
    std::optional<std::string> cupti_soname;  ///< "libcupti.so.13"; absent: built without a tracer
    std::optional<std::filesystem::path> cupti;  ///< the library that the tracer would load
    /// True: only root may read hardware counters. Absent: unknown.
    std::optional<bool> counters_for_root_only;
    bool root = false;
    /// How long a loop of arithmetic takes on each CPU that this process may use.
    std::vector<std::chrono::nanoseconds> cpu_loops;
    /// Variables that change what CUDA programs do, as they are set.
    std::map<std::string, std::string> environment;
};

/// Asks this machine. Starts the CUDA driver: slow.
MachineFacts machine_facts();

}  // namespace overcast
