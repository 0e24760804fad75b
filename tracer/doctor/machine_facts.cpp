#include "tracer/doctor/machine_facts.hpp"

#include "core/quiet_cpu.hpp"
#include "tracer/doctor/find_cupti.hpp"
#include "tracer/launcher/cuda_driver.hpp"
#include "tracer/launcher/tracer_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace overcast {
namespace {

/// A library that is opened where it is there; it stays, since drivers do not like to be unloaded.
class Library {
public:
    explicit Library(const char* name) : handle_{dlopen(name, RTLD_NOW | RTLD_LOCAL)} {}

    /// The result of a C function whose 0 means success; nothing where it failed or is not there.
    template <typename Value, typename... Arguments>
    std::optional<Value> ask(const char* name, Arguments... arguments) const {
        using Function = int(Value*, Arguments...);
        auto* const function = find<Function>(name);
        Value value{};
        return function != nullptr && function(&value, arguments...) == 0 ? std::optional{value}
                                                                          : std::nullopt;
    }

    template <typename Function>
    Function* find(const char* name) const {
        return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
    }

private:
    void* handle_;
};

// CUdevice_attribute of the driver API.
constexpr int kMultiprocessors = 16;
constexpr int kAsyncEngines = 40;
constexpr int kComputeMajor = 75;
constexpr int kComputeMinor = 76;

GpuFacts from_driver(const Library& cuda, int device) {
    GpuFacts facts;
    std::array<char, 256> name{};
    const auto get_name = cuda.find<int(char*, int, int)>("cuDeviceGetName");
    if (get_name != nullptr && get_name(name.data(), static_cast<int>(name.size()), device) == 0) {
        facts.name = name.data();
    }
    const auto attribute = [&](int which) {
        return cuda.ask<int>("cuDeviceGetAttribute", which, device).value_or(0);
    };
    facts.multiprocessors = attribute(kMultiprocessors);
    facts.async_engines = attribute(kAsyncEngines);
    facts.compute_major = attribute(kComputeMajor);
    facts.compute_minor = attribute(kComputeMinor);
    return facts;
}

/// NVML by the PCI bus id, because its numbering ignores CUDA_VISIBLE_DEVICES.
class Nvml {
public:
    Nvml() : library_{"libnvidia-ml.so.1"} {
        if (auto* const initialise = library_.find<int()>("nvmlInit_v2")) {
            ready_ = initialise() == 0;
        }
    }

    void add_to(GpuFacts& facts, const std::string& bus_id) const {
        const auto by_bus =
            library_.find<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
        void* device = nullptr;
        if (!ready_ || by_bus == nullptr || by_bus(bus_id.c_str(), &device) != 0) {
            return;
        }
        facts.pcie_generation = number("nvmlDeviceGetCurrPcieLinkGeneration", device);
        facts.most_pcie_generation = number("nvmlDeviceGetMaxPcieLinkGeneration", device);
        facts.pcie_width = number("nvmlDeviceGetCurrPcieLinkWidth", device);
        facts.most_pcie_width = number("nvmlDeviceGetMaxPcieLinkWidth", device);
        constexpr int kSmClock = 1;  // nvmlClockType_t
        facts.clock_mhz = clock("nvmlDeviceGetClockInfo", device, kSmClock);
        facts.most_clock_mhz = clock("nvmlDeviceGetMaxClockInfo", device, kSmClock);
        facts.other_processes = processes(device);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> number(const char* name, void* device) const {
        const auto get = library_.find<int(void*, unsigned*)>(name);
        unsigned value = 0;
        return get != nullptr && get(device, &value) == 0 ? std::optional{value} : std::nullopt;
    }

    [[nodiscard]] std::optional<std::uint32_t> clock(const char* name, void* device,
                                                     int kind) const {
        const auto get = library_.find<int(void*, int, unsigned*)>(name);
        unsigned value = 0;
        return get != nullptr && get(device, kind, &value) == 0 ? std::optional{value}
                                                                : std::nullopt;
    }

    /// Asked with room for none, NVML says how many there are.
    [[nodiscard]] std::optional<std::uint32_t> processes(void* device) const {
        const auto get =
            library_.find<int(void*, unsigned*, void*)>("nvmlDeviceGetComputeRunningProcesses_v3");
        constexpr int kInsufficientSize = 7;  // nvmlReturn_t
        unsigned count = 0;
        const int result = get == nullptr ? 1 : get(device, &count, nullptr);
        return result == 0 || result == kInsufficientSize ? std::optional{count} : std::nullopt;
    }

    Library library_;
    bool ready_ = false;
};

std::vector<GpuFacts> all_gpus() {
    const Library cuda{"libcuda.so.1"};
    const Nvml nvml;
    std::vector<GpuFacts> gpus;
    const int count = cuda.ask<int>("cuDeviceGetCount").value_or(0);
    const auto get_bus_id = cuda.find<int(char*, int, int)>("cuDeviceGetPCIBusId");
    for (int device = 0; device < count; ++device) {
        auto facts = from_driver(cuda, device);
        std::array<char, 64> bus_id{};
        if (get_bus_id != nullptr &&
            get_bus_id(bus_id.data(), static_cast<int>(bus_id.size()), device) == 0) {
            nvml.add_to(facts, bus_id.data());
        }
        gpus.push_back(std::move(facts));
    }
    return gpus;
}

/// "RmProfilingAdminOnly: 1" among the parameters of the kernel module.
std::optional<bool> counters_for_root_only() {
    std::ifstream file{"/proc/driver/nvidia/params"};
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view kKey = "RmProfilingAdminOnly: ";
        if (line.starts_with(kKey)) {
            return line[kKey.size()] != '0';
        }
    }
    return std::nullopt;
}

std::map<std::string, std::string> relevant_environment() {
    std::map<std::string, std::string> found;
    for (const auto* name :
         {"CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_VISIBLE_DEVICES",
          "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "LD_PRELOAD"}) {
        if (const char* value = std::getenv(name)) {
            found[name] = value;
        }
    }
    return found;
}

}  // namespace

MachineFacts machine_facts() {
    MachineFacts facts;
    facts.kernel_driver = kernel_driver_version();
    facts.driver_cuda = driver_cuda_version();
    facts.no_device = why_no_device();
    if (!facts.no_device) {
        facts.gpus = all_gpus();
    }
    facts.tracer_library = find_tracer_library();
    facts.cupti_soname = cupti_of_tracer();
    if (facts.cupti_soname) {
        const auto& tracer = facts.tracer_library;
        facts.cupti = find_cupti(tracer ? tracer->parent_path() : "", *facts.cupti_soname);
    }
    facts.counters_for_root_only = counters_for_root_only();
    facts.root = geteuid() == 0;
    facts.cpu_loops = QuietCpu{}.survey();
    facts.environment = relevant_environment();
    return facts;
}

}  // namespace overcast
