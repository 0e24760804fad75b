// The entry points that the CUDA driver and the NVTX headers call in the traced program.
#include "tracer/injection/collector.hpp"
#include "tracer/injection/flusher.hpp"

#include <dlfcn.h>
#include <mutex>

namespace overcast::injection {
namespace {

/// Once per process, whichever entry point comes first.
Collector* start_once() noexcept {
    static std::once_flag once;
    static Collector* started = nullptr;
    try {
        std::call_once(once, [] {
            auto settings = Settings::from_environment();
            if (settings.spool_folder.empty()) {
                return;  // loaded by something else than `overcast trace`
            }
            auto* const collector = new Collector(std::move(settings));
            if (collector->start()) {
                start_flusher(*collector);
                started = collector;
            }
        });
    } catch (...) {
        // Nothing may leave: the program runs untraced.
    }
    return started;
}

using NvtxInitialise = int (*)(void* get_export_table);

/// CUPTI has NVTX entry points of its own; the ranges then come as marker records.
int forward_nvtx(const char* entry_point, void* get_export_table) noexcept {
    const auto* const collector = start_once();
    if (collector == nullptr) {
        return 0;
    }
    const auto initialise =
        reinterpret_cast<NvtxInitialise>(dlsym(collector->cupti().handle, entry_point));
    return initialise == nullptr ? 0 : initialise(get_export_table);
}

}  // namespace
}  // namespace overcast::injection

#define OVERCAST_EXPORT extern "C" __attribute__((visibility("default")))

/// Called by the driver inside cuInit: CUDA_INJECTION64_PATH names this library.
OVERCAST_EXPORT int InitializeInjection() {
    overcast::injection::start_once();
    return 1;  // the program runs on, traced or not
}

/// Called by the NVTX headers at a program's first NVTX call: NVTX_INJECTION64_PATH.
OVERCAST_EXPORT int InitializeInjectionNvtx2(void* get_export_table) {
    return overcast::injection::forward_nvtx("InitializeInjectionNvtx2", get_export_table);
}

OVERCAST_EXPORT int InitializeInjectionNvtx(void* get_export_table) {
    return overcast::injection::forward_nvtx("InitializeInjectionNvtx", get_export_table);
}
