#include "tracer/launcher/cuda_driver.hpp"

#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <sstream>

namespace overcast {
namespace {

class Driver {
public:
    Driver() : handle_{dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)} {}
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;
    ~Driver() = default;  // the driver stays: it does not like to be unloaded

    template <typename Function>
    Function* function(const char* name) const {
        return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
    }

private:
    void* handle_;
};

}  // namespace

std::optional<std::string> kernel_driver_version() {
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  Tue …": the first word with a
    // dot.
    std::ifstream file{"/proc/driver/nvidia/version"};
    std::string line;
    std::getline(file, line);
    std::istringstream words{line};
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("0123456789.") == std::string::npos &&
            word.find('.') != std::string::npos) {
            return word;
        }
    }
    return std::nullopt;
}

std::optional<std::string> driver_cuda_version() {
    const Driver driver;
    int version = 0;
    const auto get = driver.function<int(int*)>("cuDriverGetVersion");
    if (get == nullptr || get(&version) != 0 || version == 0) {
        return std::nullopt;
    }
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::optional<std::string> why_no_device() {
    const Driver driver;
    const auto initialise = driver.function<int(unsigned)>("cuInit");
    const auto count_devices = driver.function<int(int*)>("cuDeviceGetCount");
    if (initialise == nullptr || count_devices == nullptr) {
        return "there is no CUDA driver (libcuda.so.1) on this machine";
    }
    int devices = 0;
    if (const int error = initialise(0); error != 0) {
        return "the CUDA driver found no usable GPU (cuInit gives error " + std::to_string(error) +
               ")";
    }
    if (count_devices(&devices) != 0 || devices == 0) {
        return "the CUDA driver found no GPU";
    }
    return std::nullopt;
}

}  // namespace overcast
