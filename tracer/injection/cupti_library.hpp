// CUPTI, opened at run time: the traced program decides which copy is in its process.
#pragma once

#include <cupti.h>

#include <optional>
#include <string>

namespace overcast::injection {

/// The functions of CUPTI that the tracer calls.
struct CuptiLibrary {
    std::string path;
    std::uint32_t version = 0;
    void* handle = nullptr;

    decltype(&::cuptiGetVersion) get_version = nullptr;
    decltype(&::cuptiGetResultString) get_result_string = nullptr;
    decltype(&::cuptiGetCallbackName) get_callback_name = nullptr;
    decltype(&::cuptiSubscribe_v2) subscribe = nullptr;
    decltype(&::cuptiUnsubscribe) unsubscribe = nullptr;
    decltype(&::cuptiEnableCallback) enable_callback = nullptr;
    decltype(&::cuptiGetStreamIdEx) get_stream_id = nullptr;
    decltype(&::cuptiSetThreadIdType) set_thread_id_type = nullptr;
    decltype(&::cuptiActivitySetAttribute) set_attribute = nullptr;
    decltype(&::cuptiActivityRegisterTimestampCallback) register_timestamp = nullptr;
    decltype(&::cuptiActivityEnableLatencyTimestamps) enable_latency_timestamps = nullptr;
    decltype(&::cuptiActivityEnableCudaEventDeviceTimestamps) enable_event_timestamps = nullptr;
    decltype(&::cuptiActivityEnableAllSyncRecords) enable_all_sync_records = nullptr;
    decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityEnableRuntimeApi) enable_runtime_api = nullptr;
    decltype(&::cuptiActivityEnableDriverApi) enable_driver_api = nullptr;
    decltype(&::cuptiActivityFlushAll) flush_all = nullptr;
    decltype(&::cuptiActivityGetNextRecord) get_next_record = nullptr;
    decltype(&::cuptiActivityGetNumDroppedRecords) get_dropped_records = nullptr;
};

/// Finds and opens CUPTI. Nothing where there is none that fits; `reason` then says what was tried.
///
/// A copy that is in the process already comes first: PyTorch brings its own, and two copies cannot
/// both record. Then the copy beside this library, CUDA_HOME, /usr/local/cuda, the loader's path.
/// A program that opens CUPTI later by its soname is given the copy opened here.
/// `for_counters`: copies that have NVIDIA's counter library (libnvperf_host.so) beside them come
/// first; a folder that was made for recording alone holds a CUPTI without.
std::optional<CuptiLibrary> open_cupti(std::string& reason, bool for_counters = false);

}  // namespace overcast::injection
