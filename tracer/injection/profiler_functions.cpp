#include "tracer/injection/profiler_functions.hpp"

#include <dlfcn.h>

namespace overcast::injection {

std::optional<ProfilerFunctions> profiler_functions(void* cupti) {
    ProfilerFunctions functions;
    bool all = true;
    const auto resolve = [&](const char* name, auto& function) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(cupti, name));
        all = all && function != nullptr;
    };
    resolve("cuptiProfilerInitialize", functions.initialise);
    resolve("cuptiDeviceGetChipName", functions.chip_name);
    resolve("cuptiGetDeviceId", functions.device_id);
    resolve("cuptiProfilerGetCounterAvailability", functions.counter_availability);
    resolve("cuptiProfilerHostInitialize", functions.host_initialise);
    resolve("cuptiProfilerHostDeinitialize", functions.host_deinitialise);
    resolve("cuptiProfilerHostConfigAddMetrics", functions.add_metrics);
    resolve("cuptiProfilerHostGetConfigImageSize", functions.config_image_size);
    resolve("cuptiProfilerHostGetConfigImage", functions.config_image);
    resolve("cuptiProfilerHostGetNumOfPasses", functions.number_of_passes);
    resolve("cuptiProfilerHostEvaluateToGpuValues", functions.evaluate);
    resolve("cuptiRangeProfilerEnable", functions.enable);
    resolve("cuptiRangeProfilerDisable", functions.disable);
    resolve("cuptiRangeProfilerSetConfig", functions.set_config);
    resolve("cuptiRangeProfilerStart", functions.start);
    resolve("cuptiRangeProfilerStop", functions.stop);
    resolve("cuptiRangeProfilerDecodeData", functions.decode);
    resolve("cuptiRangeProfilerGetCounterDataSize", functions.counter_data_size);
    resolve("cuptiRangeProfilerCounterDataImageInitialize", functions.initialise_counter_data);
    resolve("cuptiRangeProfilerGetCounterDataInfo", functions.counter_data_info);
    return all ? std::optional{functions} : std::nullopt;
}

}  // namespace overcast::injection
