#include "tracer/injection/counter_recording.hpp"

#include "tracer/injection/process_facts.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

namespace overcast::injection {
namespace {

/// What the launch under way on this thread asked for.
struct LaunchUnderWay {
    RangeProfiler* profiler = nullptr;  ///< null: not counted
    spool::LaunchClass of;
    std::optional<std::uint64_t> memory_bytes;  ///< that its arguments point into
    int depth = 0;                              ///< a launching call may make another one
};

LaunchUnderWay& launch_under_way() {
    thread_local LaunchUnderWay launch;
    return launch;
}

}  // namespace

CounterRecording::CounterRecording(std::string spool_folder, std::uint32_t launches)
    : spool_folder_{std::move(spool_folder)}, launches_per_class_{launches} {}

bool CounterRecording::start() {
    const auto file = spool_folder_ + "/" + std::to_string(getpid()) + "-" +
                      std::to_string(clock_ns(CLOCK_MONOTONIC)) + ".spool";
    if (!spool_.open(file)) {
        std::fprintf(stderr, "overcast: cannot create %s: %s; nothing is counted\n", file.c_str(),
                     std::strerror(errno));
        return false;
    }
    spool::Process process;
    process.monotonic_ns = clock_ns(CLOCK_MONOTONIC);
    process.realtime_ns = clock_ns(CLOCK_REALTIME);
    process.process = static_cast<std::uint32_t>(getpid());
    process.parent = static_cast<std::uint32_t>(getppid());
    spool_.append(process);
    spool_.append(spool::Information{"command", command_line()});
    std::string reason;
    if (!switch_on(reason)) {
        counting_off(reason);
    }
    spool_.flush();
    return counting_;
}

bool CounterRecording::switch_on(std::string& reason) {
    auto cupti = open_cupti(reason, true);
    if (!cupti) {
        return false;
    }
    cupti_ = *cupti;
    const auto functions = profiler_functions(cupti_.handle);
    if (!functions) {
        reason = cupti_.path + " has no range profiler: CUDA 12.6 or newer is needed";
        return false;
    }
    functions_ = *functions;
    if (void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD); driver != nullptr) {
        synchronise_ = reinterpret_cast<decltype(synchronise_)>(dlsym(driver, "cuCtxSynchronize"));
        arguments_ = argument_functions(driver);
    }
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "Overcast";
    if (cupti_.subscribe(&subscriber_, &CounterRecording::on_callback, this, &parameters) !=
        CUPTI_SUCCESS) {
        reason = "attaching to CUPTI failed: is another profiler attached?";
        return false;
    }
    counting_ = true;
    watch_calls();
    return true;
}

void CounterRecording::watch_calls() {
    calls_.resize(CUPTI_DRIVER_TRACE_CBID_SIZE);
    for (std::uint32_t id = 1; id < CUPTI_DRIVER_TRACE_CBID_SIZE; ++id) {
        const char* name = nullptr;
        if (cupti_.get_callback_name(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) != CUPTI_SUCCESS ||
            name == nullptr) {
            continue;
        }
        calls_[id] = launch_call(name);
        if (calls_[id] != LaunchCall::other) {
            cupti_.enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
        }
    }
}

void CounterRecording::counting_off(const std::string& reason) {
    counting_ = false;
    spool_.append(spool::Information{"tracing-off", reason});
}

void CounterRecording::on_callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data) {
    auto& recording = *static_cast<CounterRecording*>(self);
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id >= recording.calls_.size()) {
        return;
    }
    try {
        recording.on_call(recording.calls_[id], *static_cast<const CUpti_CallbackData*>(data));
    } catch (...) {
        recording.counting_ = false;
    }
}

void CounterRecording::on_call(LaunchCall call, const CUpti_CallbackData& data) {
    const bool enters = data.callbackSite == CUPTI_API_ENTER;
    if (call == LaunchCall::begins_capture) {
        captures_ += enters ? 1 : 0;
    } else if (call == LaunchCall::ends_capture) {
        captures_ -= enters ? 0 : 1;
    } else if (call != LaunchCall::other) {
        auto& launch = launch_under_way();
        if (enters && launch.depth++ == 0) {
            before_launch(call, data);
        } else if (!enters && --launch.depth == 0) {
            after_launch();
        }
    }
}

void CounterRecording::before_launch(LaunchCall call, const CUpti_CallbackData& data) {
    const auto extents = launch_extents(call, data.functionParams).value_or(LaunchExtents{});
    auto& launch = launch_under_way();
    launch.profiler = nullptr;
    launch.of.name = spool_.intern(data.symbolName);
    launch.of.grid = extents.grid;
    launch.of.block = extents.block;
    launch.of.dynamic_shared_memory = extents.dynamic_shared_memory;
    bool chosen = false;
    {
        const std::lock_guard lock{classes_mutex_};
        auto& launches =
            classes_[{launch.of.name, extents.grid, extents.block, extents.dynamic_shared_memory}];
        chosen = ++launches <= launches_per_class_;
    }
    if (chosen && counting_ && captures_ == 0) {
        const auto arguments = launch_arguments(call, data.functionParams);
        launch.memory_bytes = argument_memory(arguments.value_or(LaunchArguments{}), arguments_);
        launching_.lock();
        if (begin_counting(data.context)) {
            launch.profiler = profilers_[data.context].get();
            return;
        }
        launching_.unlock();
    }
    launching_.lock_shared();
}

/// Starts the counters when the device is idle: they count whatever it does.
bool CounterRecording::begin_counting(CUcontext context) {
    if (!counting_) {
        return false;
    }
    std::string reason;
    auto* const profiler = profiler_of(context, reason);
    if (profiler == nullptr) {
        counting_off(reason);
        return false;
    }
    if (synchronise_ != nullptr && synchronise_() != CUDA_SUCCESS) {
        return false;  // the program has failed by itself, and will find out
    }
    if (!profiler->start(reason)) {
        counting_off(reason);
        return false;
    }
    return true;
}

RangeProfiler* CounterRecording::profiler_of(CUcontext context, std::string& reason) {
    if (const auto known = profilers_.find(context); known != profilers_.end()) {
        return known->second.get();
    }
    auto profiler = RangeProfiler::of_context(cupti_, functions_, context, reason);
    if (profiler == nullptr) {
        return nullptr;
    }
    spool_.append(spool::Information{"counter-passes", std::to_string(profiler->passes())});
    return profilers_.emplace(context, std::move(profiler)).first->second.get();
}

void CounterRecording::after_launch() {
    auto& launch = launch_under_way();
    if (launch.profiler == nullptr) {
        launching_.unlock_shared();
        return;
    }
    std::string reason;
    auto values = launch.profiler->stop(reason);
    launch.profiler = nullptr;
    launching_.unlock();
    if (!values) {
        if (!reason.empty()) {
            counting_off(reason);
        }
        return;
    }
    // The one value that no hardware counts.
    (*values)[static_cast<std::size_t>(KernelCounter::memory_bytes)] = launch.memory_bytes;
    spool::CountedLaunch counted;
    counted.of = launch.of;
    for (std::size_t i = 0; i < kCounters; ++i) {
        counted.values[i] = std::bit_cast<std::uint64_t>(
            (*values)[i].value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    spool_.append(counted);
}

void CounterRecording::write_totals() {
    const std::lock_guard lock{classes_mutex_};
    for (const auto& [key, launches] : classes_) {
        const auto& [name, grid, block, shared] = key;
        spool_.append(spool::LaunchTotal{{grid, block, name, shared}, launches});
    }
}

void CounterRecording::flush() { spool_.flush(); }

void CounterRecording::close(int signal) {
    if (closed_.exchange(true)) {
        return;
    }
    write_totals();
    spool::End end;
    end.time = clock_ns(CLOCK_MONOTONIC);
    end.signal = static_cast<std::uint32_t>(signal);
    spool_.append(end);
    spool_.flush();
}

void CounterRecording::abandon() noexcept {
    counting_ = false;
    closed_ = true;
    spool_.abandon();
}

}  // namespace overcast::injection
