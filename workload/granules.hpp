// Small blocks of device memory share granules of 2 MiB, which the driver maps with the first block
// and unmaps with the last. Only those calls are dear (H200: 50 to 60 us each, against 5), and
// which they are depends on the order of the program.
#pragma once

#include "core/trace.hpp"
#include "core/workload.hpp"
#include "workload/issued_calls.hpp"
#include "workload/trace_part.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

inline constexpr std::uint64_t kGranule = 2U << 20U;  ///< bytes: the large page of NVIDIA GPUs

struct RecordedBlock {
    MemoryBlock block;
    TraceTime allocated;
    std::optional<TraceTime> released;
};

/// Sets `memory` of the calls that allocate or release a small block, by the addresses in the
/// trace. Returns the blocks, in the order of their BlockIndex.
std::vector<RecordedBlock> find_blocks(const Trace& trace, const TracePart& part,
                                       std::vector<IssuedCall>& calls);

/// Sets `granules` of a workload whose operations are there, unless the driver dealt the blocks in
/// another way than is played here. Allocations that map memory then wait for copies to the device
/// wherever they are played, if one was seen to.
void learn_mapping(const std::vector<RecordedBlock>& recorded, TraceTime region_start,
                   Workload& workload);

/// Deals the blocks again, after the order of the operations has changed. A call that now maps or
/// unmaps a granule, or no longer does, takes what its like took in the recording.
void map_anew(Workload& workload);

}  // namespace overcast
