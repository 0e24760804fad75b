#include "tracer/injection/cupti_library.hpp"

#include <dlfcn.h>
#include <cstdlib>
#include <vector>

namespace overcast::injection {
namespace {

/// The layout of the records is fixed within a major version.
constexpr std::uint32_t kVersionsPerMajor = 10000;
constexpr std::uint32_t kMajor = CUPTI_API_VERSION / kVersionsPerMajor;
const char* const kSoname = CUPTI_API_VERSION >= 130000 ? "libcupti.so.13" : "libcupti.so.12";

std::string own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 ||
        info.dli_fname == nullptr) {
        return {};
    }
    const std::string file{info.dli_fname};
    const auto slash = file.rfind('/');
    return slash == std::string::npos ? "." : file.substr(0, slash);
}

std::vector<std::string> candidates() {
    std::vector<std::string> folders{own_folder()};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* home = std::getenv(variable); home != nullptr && *home != '\0') {
            folders.push_back(std::string(home) + "/lib64");
            folders.push_back(std::string(home) + "/extras/CUPTI/lib64");
        }
    }
    for (const char* folder : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"}) {
        folders.push_back(std::string("/usr/local/cuda/") + folder);
    }
    std::vector<std::string> files;
    for (const auto& folder : folders) {
        if (!folder.empty()) {
            files.push_back(folder + "/" + kSoname);
        }
    }
    files.emplace_back(kSoname);  // LD_LIBRARY_PATH and the loader's cache
    return files;
}

template <typename Function>
bool resolve(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

bool resolve_all(CuptiLibrary& cupti) {
    void* const from = cupti.handle;
    return resolve(from, "cuptiGetVersion", cupti.get_version) &&
           resolve(from, "cuptiGetResultString", cupti.get_result_string) &&
           resolve(from, "cuptiGetCallbackName", cupti.get_callback_name) &&
           resolve(from, "cuptiSubscribe_v2", cupti.subscribe) &&
           resolve(from, "cuptiUnsubscribe", cupti.unsubscribe) &&
           resolve(from, "cuptiEnableCallback", cupti.enable_callback) &&
           resolve(from, "cuptiSetThreadIdType", cupti.set_thread_id_type) &&
           resolve(from, "cuptiActivitySetAttribute", cupti.set_attribute) &&
           resolve(from, "cuptiActivityRegisterTimestampCallback", cupti.register_timestamp) &&
           resolve(from, "cuptiActivityEnableLatencyTimestamps", cupti.enable_latency_timestamps) &&
           resolve(from, "cuptiActivityEnableCudaEventDeviceTimestamps",
                   cupti.enable_event_timestamps) &&
           resolve(from, "cuptiActivityEnableAllSyncRecords", cupti.enable_all_sync_records) &&
           resolve(from, "cuptiActivityRegisterCallbacks", cupti.register_callbacks) &&
           resolve(from, "cuptiActivityEnable", cupti.enable) &&
           resolve(from, "cuptiActivityEnableRuntimeApi", cupti.enable_runtime_api) &&
           resolve(from, "cuptiActivityEnableDriverApi", cupti.enable_driver_api) &&
           resolve(from, "cuptiActivityFlushAll", cupti.flush_all) &&
           resolve(from, "cuptiActivityGetNextRecord", cupti.get_next_record) &&
           resolve(from, "cuptiActivityGetNumDroppedRecords", cupti.get_dropped_records);
}

std::optional<CuptiLibrary> use(void* handle, const std::string& path, std::string& reason) {
    CuptiLibrary cupti;
    cupti.handle = handle;
    cupti.path = path;
    if (!resolve_all(cupti)) {
        reason = path + " is too old: it lacks functions of CUPTI " + std::to_string(kMajor);
        return std::nullopt;
    }
    cupti.get_version(&cupti.version);
    if (cupti.version / kVersionsPerMajor != kMajor) {
        reason = path + " has API version " + std::to_string(cupti.version) +
                 ", but this tracer was built for " + std::to_string(kMajor) + "xxxx";
        return std::nullopt;
    }
    return cupti;
}

}  // namespace

std::optional<CuptiLibrary> open_cupti(std::string& reason) {
    reason.clear();
    if (void* const loaded = dlopen(kSoname, RTLD_NOW | RTLD_NOLOAD); loaded != nullptr) {
        return use(loaded, std::string(kSoname) + " (the program's own)", reason);
    }
    for (const auto& file : candidates()) {
        void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            continue;
        }
        if (auto cupti = use(handle, file, reason)) {
            return cupti;
        }
        dlclose(handle);
    }
    if (reason.empty()) {
        reason = std::string(kSoname) +
                 " was not found beside the tracer, in CUDA_HOME, in /usr/local/cuda or on the "
                 "library path: install the CUDA Toolkit, or set CUDA_HOME";
    }
    return std::nullopt;
}

}  // namespace overcast::injection
