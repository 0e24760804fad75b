#include "tracer/injection/cupti_library.hpp"

#include "core/cupti_places.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <algorithm>

namespace overcast::injection {
namespace {

/// The layout of the records is fixed within a major version.
constexpr std::uint32_t kVersionsPerMajor = 10000;
constexpr std::uint32_t kMajor = CUPTI_API_VERSION / kVersionsPerMajor;
// Until CUDA 12 CUPTI counted its versions without the major version of CUDA.
static_assert(kMajor == 0 || kMajor == OVERCAST_CUPTI_MAJOR,
              "CUPTI's headers are of another CUDA than the toolkit");

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

bool has_counter_library_beside(const std::string& cupti) {
    const auto slash = cupti.rfind('/');
    return slash != std::string::npos &&
           ::access((cupti.substr(0, slash) + "/libnvperf_host.so").c_str(), R_OK) == 0;
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
           resolve(from, "cuptiGetStreamIdEx", cupti.get_stream_id) &&
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

std::optional<CuptiLibrary> open_cupti(std::string& reason, bool for_counters) {
    reason.clear();
    const auto soname = cupti_soname(OVERCAST_CUPTI_MAJOR);
    if (void* const loaded = dlopen(soname.c_str(), RTLD_NOW | RTLD_NOLOAD); loaded != nullptr) {
        return use(loaded, soname + " (the program's own)", reason);
    }
    auto places = cupti_places(own_folder(), soname);
    if (for_counters) {
        std::ranges::stable_partition(places, has_counter_library_beside);
    }
    for (const auto& file : places) {
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
        reason = soname +
                 " was not found beside the tracer, in CUDA_HOME, in /usr/local/cuda or on the "
                 "library path: install the CUDA Toolkit, or set CUDA_HOME";
    }
    return std::nullopt;
}

}  // namespace overcast::injection
