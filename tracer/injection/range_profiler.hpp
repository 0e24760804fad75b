// Hardware counters of single launches in one CUDA context.
#pragma once

#include "core/kernel_counters.hpp"
#include "tracer/injection/cupti_library.hpp"
#include "tracer/injection/metric_table.hpp"
#include "tracer/injection/profiler_functions.hpp"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace overcast::injection {

/// Between start() and stop() every kernel of the context is replayed once per pass, alone on the
/// device, with the memory that it wrote put back before each further pass. Switched off when it
/// goes.
class RangeProfiler {
public:
    /// Takes about a second. Null where counters cannot be had; `reason` says why.
    static std::unique_ptr<RangeProfiler> of_context(const CuptiLibrary& cupti,
                                                     const ProfilerFunctions& functions,
                                                     CUcontext context, std::string& reason);
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;
    ~RangeProfiler();

    /// False, with the reason, where it cannot be started: launches then run as always.
    bool start(std::string& reason);
    /// The counters of the launch since start(). Nothing where none was seen, or on failure.
    std::optional<CounterValues> stop(std::string& reason);

    /// How often each launch is run.
    [[nodiscard]] std::size_t passes() const { return passes_; }

private:
    RangeProfiler(const CuptiLibrary& cupti, const ProfilerFunctions& functions);

    bool set_up(CUcontext context, std::string& reason);
    bool read_chip(CUcontext context, std::string& reason);
    bool open_host(std::string& reason);
    void close_host();
    bool choose_metrics(std::string& reason);
    CUptiResult add_metrics(std::vector<const char*> names);
    bool make_config(std::string& reason);
    bool make_counter_data(std::string& reason);
    bool clear_counter_data(std::string& reason);
    bool evaluate(CounterValues& values, std::string& reason);
    /// True on success; else says what went wrong in words for the user.
    bool done(CUptiResult result, const char* what, std::string& reason) const;

    const CuptiLibrary& cupti_;
    const ProfilerFunctions& call_;
    std::string chip_;
    std::vector<std::uint8_t> availability_;
    CUpti_Profiler_Host_Object* host_ = nullptr;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
    std::vector<Metric> metrics_;
    std::vector<const char*> names_;  ///< of metrics_
    std::vector<std::uint8_t> config_;
    std::vector<std::uint8_t> counter_data_;
    std::size_t passes_ = 0;
};

}  // namespace overcast::injection
