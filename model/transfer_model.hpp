// What copies and memsets cost (docs/model.md#transfers). It never schedules: no time goes in.
#pragma once

#include "core/operation.hpp"
#include "model/device_model.hpp"

#include <cstdint>

namespace overcast {

/// How a copy travels.
enum class CopyPath : std::uint8_t {
    h2d_engine,
    d2h_engine,
    inline_command,  ///< inside the command stream of the compute channel (24)
    sm,              ///< as a kernel of the device (24)
    host,            ///< host memory to host memory
};

/// `stream_idle`: nothing of the stream is unfinished when the call begins.
CopyPath copy_path(const Copy& copy, bool stream_idle, const InlineCopyParameters& parameters);

/// Duration of a copy with its engine to itself. A measured duration is scaled when the amount was
/// changed by a transform:
///   t(b) = t_measured * m(b) / m(b_measured),   m(b) = latency + b / bandwidth (pinned;
///                                                    those of the range of sizes that b is in)
///                                               m(b) = the pageable curve     (pageable)
/// A recording that shows that the copy travelled inline, or that it did not, is scaled in the same
/// way from the one to the other.
Duration copy_duration(const Copy& copy, CopyPath path, const DeviceModel& model);

/// What the host's part of an inline copy adds to its call, where the recorded call had none.
Duration inline_call_time(const Copy& copy, CopyPath path, const InlineCopyParameters& parameters);

Duration memset_duration(const Memset& memset, const DeviceModel& model);

/// True where the calling thread is held until the copy is done: synchronous calls, and pageable
/// memory beyond the inline limit, also by an …Async call (2).
bool blocks_host(const Copy& copy, CopyPath path);

/// True where the call may return before the copy is done: when the last of the pageable memory is
/// in the driver's buffer.
bool returns_early(const Copy& copy, CopyPath path);

}  // namespace overcast
