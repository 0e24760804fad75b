#include "tracer/doctor/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace overcast {
namespace {

using Findings = std::vector<Finding>;

void driver(const MachineFacts& facts, Findings& result) {
    if (facts.no_device) {
        result.push_back({Health::fault, "driver", *facts.no_device,
                          "install NVIDIA's driver (in a container: start it with --gpus all); "
                          "predict, show and validate --replay work without a GPU"});
        return;
    }
    result.push_back({Health::ok, "driver",
                      fmt::format("{}, CUDA {}", facts.kernel_driver.value_or("version unknown"),
                                  facts.driver_cuda.value_or("unknown")),
                      ""});
}

void tracer(const MachineFacts& facts, Findings& result) {
    if (!facts.tracer_library) {
        result.push_back(
            {Health::fault, "tracer", "libovercast-tracer.so is not there",
             "build Overcast where the CUDA Toolkit is installed, or take its portable "
             "folder"});
    } else {
        result.push_back({Health::ok, "tracer", facts.tracer_library->string(), ""});
    }
    if (!facts.cupti_soname) {
        return;  // built without a tracer: nothing needs CUPTI
    }
    if (!facts.cupti) {
        result.push_back(
            {Health::fault, "CUPTI",
             fmt::format("{}, for which the tracer was built, was not found", *facts.cupti_soname),
             "install CUPTI of that CUDA Toolkit and set CUDA_HOME, or put its folder into "
             "LD_LIBRARY_PATH"});
    } else {
        result.push_back({Health::ok, "CUPTI", facts.cupti->string(), ""});
    }
}

void link(const GpuFacts& gpu, const std::string& subject, Findings& result) {
    if (!gpu.pcie_generation || !gpu.pcie_width) {
        result.push_back({Health::warning, subject + " link", "PCIe unknown (NVML does not say)",
                          "overcast calibrate measures what the link does"});
        return;
    }
    const auto text = fmt::format("PCIe generation {} of {}, {} of {} lanes", *gpu.pcie_generation,
                                  gpu.most_pcie_generation.value_or(*gpu.pcie_generation),
                                  *gpu.pcie_width, gpu.most_pcie_width.value_or(*gpu.pcie_width));
    if (gpu.most_pcie_width && *gpu.pcie_width < *gpu.most_pcie_width) {
        result.push_back({Health::warning, subject + " link", text,
                          "the GPU sits in a slot with fewer lanes: copies are slower than it "
                          "could do"});
        return;
    }
    result.push_back({Health::ok, subject + " link", text, ""});
}

void clocks(const GpuFacts& gpu, const std::string& subject, Findings& result) {
    if (gpu.clock_mhz && gpu.most_clock_mhz) {
        result.push_back({Health::ok, subject + " clock",
                          fmt::format("SMs at {} of {} MHz (an idle GPU is slow)", *gpu.clock_mhz,
                                      *gpu.most_clock_mhz),
                          ""});
    }
    if (gpu.other_processes.value_or(0) > 0) {
        result.push_back(
            {Health::warning, subject + " users",
             fmt::format("{} other {} on this GPU", *gpu.other_processes,
                         *gpu.other_processes == 1 ? "process computes" : "processes compute"),
             "measure while nobody else uses it"});
    }
}

void gpus(const MachineFacts& facts, Findings& result) {
    for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
        const auto& gpu = facts.gpus[i];
        const auto subject = facts.gpus.size() == 1 ? std::string{"GPU"} : fmt::format("GPU {}", i);
        result.push_back({Health::ok, subject,
                          fmt::format("{}, compute capability {}.{}, {} SMs, {} copy engines",
                                      gpu.name, gpu.compute_major, gpu.compute_minor,
                                      gpu.multiprocessors, gpu.async_engines),
                          ""});
        link(gpu, subject, result);
        clocks(gpu, subject, result);
    }
}

void counters(const MachineFacts& facts, Findings& result) {
    if (!facts.counters_for_root_only) {
        return;
    }
    if (*facts.counters_for_root_only && !facts.root) {
        result.push_back({Health::warning, "counters", "hardware counters are for root only",
                          "not needed for tracing; NVreg_RestrictProfilingToAdminUsers=0 as an "
                          "option of the nvidia kernel module opens them"});
        return;
    }
    result.push_back({Health::ok, "counters", "hardware counters may be read", ""});
}

/// A variable that is set and what that means.
struct Variable {
    const char* name;
    Health health;
    const char* remedy;
};

constexpr std::array kVariables{
    Variable{"CUDA_LAUNCH_BLOCKING", Health::warning,
             "it makes every launch wait: nothing can overlap; unset it"},
    Variable{"CUDA_DEVICE_MAX_CONNECTIONS", Health::ok,
             "predictions take it from the recording; --max-connections tries others"},
    Variable{"CUDA_VISIBLE_DEVICES", Health::ok, ""},
    Variable{"CUDA_INJECTION64_PATH", Health::warning,
             "another tool is injected into CUDA programs; only one can trace: unset it"},
    Variable{"NVTX_INJECTION64_PATH", Health::warning,
             "another tool takes the NVTX ranges: unset it"},
    Variable{"LD_PRELOAD", Health::ok, ""},
};

void environment(const MachineFacts& facts, Findings& result) {
    for (const auto& variable : kVariables) {
        const auto found = facts.environment.find(variable.name);
        if (found != facts.environment.end() && !found->second.empty()) {
            result.push_back({variable.health, variable.name, found->second, variable.remedy});
        }
    }
}

}  // namespace

std::string_view to_string(Health health) {
    switch (health) {
        case Health::ok: return "ok";
        case Health::warning: return "warning";
        case Health::fault: return "fault";
    }
    return "unknown";
}

// Observed (H200s in virtual machines): on a CPU whose core other guests use the loop takes a
// quarter to three quarters longer, and calls of the driver half as long again.
std::optional<Finding> undisturbed_cpus(std::span<const std::chrono::nanoseconds> loops) {
    if (loops.size() < 2) {
        return std::nullopt;
    }
    constexpr int kQuietPercent = 115;  // of the fastest
    const auto most = std::ranges::min(loops) * kQuietPercent / 100;
    const auto quiet = std::ranges::count_if(loops, [&](auto took) { return took <= most; });
    const auto all = std::ssize(loops);
    auto text = fmt::format("{} of {} undisturbed", quiet, all);
    if (2 * quiet < all) {
        return Finding{Health::warning, "CPUs", std::move(text),
                       "others use the cores of the rest, where CUDA calls take up to half as "
                       "long again: record and calibrate when it is quieter"};
    }
    return Finding{Health::ok, "CPUs", std::move(text), ""};
}

std::vector<Finding> findings(const MachineFacts& facts) {
    Findings result;
    driver(facts, result);
    gpus(facts, result);
    tracer(facts, result);
    counters(facts, result);
    if (auto cpus = undisturbed_cpus(facts.cpu_loops)) {
        result.push_back(std::move(*cpus));
    }
    environment(facts, result);
    return result;
}

}  // namespace overcast
