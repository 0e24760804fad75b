// A recorded program as the diagnoses see it: what it asked for, what it did, and what the model
// says it does without the recorder.
#pragma once

#include "core/timeline.hpp"
#include "core/trace.hpp"
#include "forecast/prepare.hpp"
#include "workload/extract.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace overcast {

struct RecordedProgram {
    const Trace& trace;
    Workload workload;  ///< with units
    OverheadParameters overheads;
    Timeline measured;                 ///< the recording
    TraceTime region_start;            ///< zero of `measured`
    DeviceModel model;                 ///< with the gaps of the trace
    Timeline played;                   ///< as recorded, simulated
    std::vector<StreamIndex> streams;  ///< that are given copies, memsets or kernels
};

/// Takes over what `prepared` holds, and plays it as recorded.
RecordedProgram recorded_program(const Trace& trace, PreparedTrace prepared);

/// Indices of the operations for which `test` holds.
std::vector<std::uint32_t> operations_where(const Workload& workload,
                                            const std::function<bool(const Operation&)>& test);

/// The same, of those before the last one that puts work on the device.
std::vector<std::uint32_t> inner_operations_where(
    const Workload& workload, const std::function<bool(const Operation&)>& test);

/// Units follow each other: no operation of one stands between two of another.
bool issued_unit_by_unit(const Workload& workload);

}  // namespace overcast
