// The entry points that the CUDA driver and the NVTX headers call in the traced program.
#include "tracer/injection/collector.hpp"
#if OVERCAST_HAVE_RANGE_PROFILER
#include "tracer/injection/counter_recording.hpp"
#endif
#include "tracer/injection/flusher.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <atomic>
#include <cstdio>

namespace overcast::injection {
namespace {

enum class Start : int { not_begun, under_way, done };

std::atomic<Start> g_start{Start::not_begun};

void start_counting(const Settings& settings) {
#if OVERCAST_HAVE_RANGE_PROFILER
    auto* const recording = new CounterRecording(settings.spool_folder, settings.counted_launches);
    if (recording->start()) {
        start_flusher(*recording);
    }
#else
    static_cast<void>(settings);
    std::fprintf(stderr,
                 "overcast: this tracer was built with a CUDA older than 12.6, which cannot read "
                 "counters\n");
#endif
}

void start() noexcept {
    try {
        auto settings = Settings::from_environment();
        if (settings.spool_folder.empty()) {
            return;  // loaded by something else than `overcast trace`
        }
        if (settings.counted_launches > 0) {
            start_counting(settings);
            return;
        }
        auto* const collector =
            new Collector(std::move(settings));  // CUPTI may call it at any time
        if (collector->start()) {
            start_flusher(*collector);
        }
    } catch (...) {
        // Nothing may leave: the program runs untraced.
    }
}

/// Once per process, whichever entry point comes first. Does not wait for a start that is under
/// way: CUPTI may start the driver, which calls InitializeInjection again, on this or another
/// thread.
void start_once() noexcept {
    auto expected = Start::not_begun;
    if (g_start.compare_exchange_strong(expected, Start::under_way)) {
        start();
        g_start = Start::done;
    }
}

using NvtxInitialise = int (*)(void* get_export_table);

/// CUPTI has NVTX entry points of its own; the ranges then come as marker records.
int forward_nvtx(const char* entry_point, void* get_export_table) noexcept {
    start_once();
    constexpr int kPatienceMs = 5'000;
    for (int waited = 0; waited < kPatienceMs && g_start != Start::done; ++waited) {
        ::poll(nullptr, 0, 1);
    }
    const auto* const collector = active_collector();
    if (collector == nullptr) {
        return 0;
    }
    const auto initialise =
        reinterpret_cast<NvtxInitialise>(dlsym(collector->cupti().handle, entry_point));
    return initialise == nullptr ? 0 : initialise(get_export_table);
}

}  // namespace
}  // namespace overcast::injection

/// Called by the driver inside cuInit: CUDA_INJECTION64_PATH names this library.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    overcast::injection::start_once();
    return 1;  // the program runs on, traced or not
}

/// Called by the NVTX headers at a program's first NVTX call: NVTX_INJECTION64_PATH.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    void* get_export_table) {
    return overcast::injection::forward_nvtx("InitializeInjectionNvtx2", get_export_table);
}

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx(
    void* get_export_table) {
    return overcast::injection::forward_nvtx("InitializeInjectionNvtx", get_export_table);
}
