// CUPTI's range profiler, opened at run time.
#pragma once

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <optional>

namespace overcast::injection {

/// The functions of CUPTI that read hardware counters.
struct ProfilerFunctions {
    decltype(&::cuptiProfilerInitialize) initialise = nullptr;
    decltype(&::cuptiDeviceGetChipName) chip_name = nullptr;
    decltype(&::cuptiGetDeviceId) device_id = nullptr;
    decltype(&::cuptiProfilerGetCounterAvailability) counter_availability = nullptr;

    decltype(&::cuptiProfilerHostInitialize) host_initialise = nullptr;
    decltype(&::cuptiProfilerHostDeinitialize) host_deinitialise = nullptr;
    decltype(&::cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImageSize) config_image_size = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImage) config_image = nullptr;
    decltype(&::cuptiProfilerHostGetNumOfPasses) number_of_passes = nullptr;
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;

    decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
    decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
    decltype(&::cuptiRangeProfilerSetConfig) set_config = nullptr;
    decltype(&::cuptiRangeProfilerStart) start = nullptr;
    decltype(&::cuptiRangeProfilerStop) stop = nullptr;
    decltype(&::cuptiRangeProfilerDecodeData) decode = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataSize) counter_data_size = nullptr;
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) initialise_counter_data = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) counter_data_info = nullptr;
};

/// Those of an open CUPTI. Nothing where it has no range profiler (before CUDA 12.6).
std::optional<ProfilerFunctions> profiler_functions(void* cupti);

}  // namespace overcast::injection
