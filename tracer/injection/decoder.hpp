// CUPTI activity record → spool record.
#pragma once

#include "tracer/injection/spool_writer.hpp"

#include <cupti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace overcast::injection {

/// The name of an API function, or null: (domain, cbid), as cuptiGetCallbackName gives it.
using CallbackNames = std::function<const char*(CUpti_CallbackDomain, std::uint32_t)>;

/// Writes each record that it is given to the spool. Used by one thread at a time.
class Decoder {
public:
    Decoder(SpoolWriter& spool, CallbackNames names);

    void decode(const CUpti_Activity& record);

    /// Device activities without a start or an end: CUPTI ran out of room, or the program ended
    /// while they ran. They are not in the spool.
    [[nodiscard]] std::uint64_t zero_timestamps() const { return zero_timestamps_; }
    [[nodiscard]] std::uint64_t unknown_records() const { return unknown_records_; }

private:
    void decode_api(const CUpti_ActivityAPI& record, CUpti_CallbackDomain domain);
    void decode_kernel(const CUpti_ActivityKernel10& record);
    void decode_copy(const CUpti_ActivityMemcpy6& record);
    void decode_peer_copy(const CUpti_ActivityMemcpyPtoP4& record);
    void decode_memset(const CUpti_ActivityMemset4& record);
    void decode_synchronisation(const CUpti_ActivitySynchronization2& record);
    void decode_event(const CUpti_ActivityCudaEvent2& record);
    void decode_device(const CUpti_ActivityDevice5& record);
    void decode_memory(const CUpti_ActivityMemory4& record);
    void decode_overhead(const CUpti_ActivityOverhead3& record);
    void decode_marker(const CUpti_ActivityMarker2& record);

    std::uint32_t api_name(CUpti_CallbackDomain domain, std::uint32_t cbid);
    bool has_times(std::uint64_t start, std::uint64_t end);

    SpoolWriter& spool_;
    CallbackNames names_;
    std::vector<std::uint32_t> runtime_names_;  ///< by cbid; 0 = not asked for yet
    std::vector<std::uint32_t> driver_names_;
    std::atomic<std::uint64_t> zero_timestamps_{0};
    std::atomic<std::uint64_t> unknown_records_{0};
};

}  // namespace overcast::injection
