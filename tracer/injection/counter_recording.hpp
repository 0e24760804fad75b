// One counting run: hardware counters of the first launches of each kernel, into the spool.
#pragma once

#include "core/spool.hpp"
#include "tracer/injection/argument_memory.hpp"
#include "tracer/injection/cupti_library.hpp"
#include "tracer/injection/flusher.hpp"
#include "tracer/injection/launch_calls.hpp"
#include "tracer/injection/profiler_functions.hpp"
#include "tracer/injection/range_profiler.hpp"
#include "tracer/injection/spool_writer.hpp"

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <vector>

namespace overcast::injection {

/// Lives until the process ends: CUPTI may call back at any time. Whatever fails, the program's
/// launches go ahead.
class CounterRecording final : public Recording {
public:
    /// Measures the first `launches` of each class.
    CounterRecording(std::string spool_folder, std::uint32_t launches);

    /// Opens the spool and CUPTI and watches launches. False: nothing is counted, and the reason is
    /// in the spool, or on stderr where there is no spool.
    bool start();

    void flush() override;
    void close(int signal) override;
    void abandon() noexcept override;

private:
    using ClassKey = std::tuple<std::uint32_t, Extent, Extent, std::uint32_t>;

    bool switch_on(std::string& reason);
    void watch_calls();
    void counting_off(const std::string& reason);
    void write_totals();

    static void on_callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const void* data);
    void on_call(LaunchCall call, const CUpti_CallbackData& data);
    void before_launch(LaunchCall call, const CUpti_CallbackData& data);
    void after_launch();
    bool begin_counting(CUcontext context);
    RangeProfiler* profiler_of(CUcontext context, std::string& reason);

    std::string spool_folder_;
    std::uint32_t launches_per_class_;
    SpoolWriter spool_;
    CuptiLibrary cupti_;
    ProfilerFunctions functions_;
    decltype(&::cuCtxSynchronize) synchronise_ = nullptr;
    ArgumentFunctions arguments_;
    CUpti_SubscriberHandle subscriber_{};
    std::vector<LaunchCall> calls_;  ///< by callback id

    /// Held alone while a launch is counted, shared by launches that are not: a counted launch has
    /// the device to itself.
    std::shared_mutex launching_;
    std::mutex classes_mutex_;
    std::map<ClassKey, std::uint64_t> classes_;                      ///< launches so far
    std::map<CUcontext, std::unique_ptr<RangeProfiler>> profilers_;  ///< under launching_
    std::atomic<int> captures_{0};  ///< streams whose launches go into a graph
    std::atomic<bool> counting_{false};
    std::atomic<bool> closed_{false};
};

}  // namespace overcast::injection
