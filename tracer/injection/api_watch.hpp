// Which API calls are recorded, and which are watched by a callback of ours besides.
//
// Whoever asks CUPTI for all calls of an API makes each call of the program slower, recorded or
// not: cudaGetDevice, of which PyTorch makes seven for each kernel, took 160 to 280 ns instead of
// 40, and with CUPTI's own records of events and waits 250 to 500 (docs/findings.md). So calls are
// asked for one by one, and what waits wait for is told from their arguments.
#pragma once

#include "core/record_mode.hpp"
#include "tracer/injection/api_names.hpp"
#include "tracer/injection/cupti_library.hpp"
#include "tracer/injection/event_book.hpp"
#include "tracer/injection/spool_writer.hpp"

#include <cstdint>
#include <vector>

namespace overcast::injection {

/// on_call() may be called from any thread.
class ApiWatch {
public:
    ApiWatch(const CuptiLibrary& cupti, SpoolWriter& spool) : cupti_{cupti}, spool_{spool} {}

    /// Switches on the records of all calls that are not noise: with RecordMode::minimal of the
    /// runtime, and of the driver's profiler calls where `profiler_range` says that they bound what
    /// is kept. With RecordMode::full all are on, and noise is switched off. Calls one by one can
    /// be had only before CUDA is initialised.
    void record_calls(RecordMode mode, bool profiler_range);

    /// Switches on the callbacks of `subscriber` for calls of interest.
    void watch_calls(CUpti_SubscriberHandle subscriber, RecordMode mode);

    /// A watched call begins or ends.
    void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& data);

private:
    void note_order(const OrderingCall& call, const CUpti_CallbackData& data, bool enters);
    void append_addresses(const AddressWords& words, const CUpti_CallbackData& data);
    void append_record(const OrderingCall& call, const CUpti_CallbackData& data);
    [[nodiscard]] spool::Synchronisation wait_of(const OrderingCall& call,
                                                 const CUpti_CallbackData& data);
    [[nodiscard]] bool find_stream(const OrderingCall& call, const CUpti_CallbackData& data,
                                   std::uint32_t& stream) const;

    const CuptiLibrary& cupti_;
    SpoolWriter& spool_;
    std::vector<CallInterest> of_runtime_;  ///< by callback id: no name is read in a callback
    std::vector<CallInterest> of_driver_;
    EventBook events_;
};

}  // namespace overcast::injection
