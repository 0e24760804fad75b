// Recordings for the tests of the baselines.
#pragma once

#include "tests/support/trace_builder.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

#include <cstdint>

namespace overcast::testing {

/// A GPU of `sms` SMs that hold 1,024 threads, 65,536 registers and 48 KiB each.
inline DeviceProperties small_gpu(std::uint32_t sms) {
    DeviceProperties device;
    device.name = "Test GPU";
    device.multiprocessors = sms;
    device.threads_per_multiprocessor = 1024;
    device.registers_per_multiprocessor = 65536;
    device.shared_memory_per_multiprocessor = kib(48);
    return device;
}

/// What the baselines are given: the recording as it is, nothing taken out of it.
inline Extraction recorded(const Trace& trace, const UnitChoice& units = {}) {
    auto extraction = extract(trace, TracingCost{}, {});
    find_units(extraction.workload, units);
    return extraction;
}

inline Extraction recorded(TraceBuilder& trace, const DeviceProperties& device,
                           const UnitChoice& units = {}) {
    trace.trace().devices = {device};
    return recorded(trace.build(), units);
}

inline UnitChoice count_of_units(std::uint32_t count) {
    return {.kind = UnitChoice::Kind::count, .name = "", .count = count};
}

inline Configuration on_streams(std::uint32_t streams,
                                Transform transform = Transform::distribute) {
    Configuration configuration;
    configuration.transform = transform;
    configuration.streams = streams;
    return configuration;
}

}  // namespace overcast::testing
