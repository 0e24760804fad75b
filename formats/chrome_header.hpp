// The parts of a Chrome trace outside its events: the leading "overcast" object and the device
// properties, both small.
#pragma once

#include "core/timeline.hpp"
#include "core/trace.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace overcast {

/// Version of the format that this Overcast writes and reads.
constexpr int kTraceSchemaVersion = 1;

/// One line of JSON, without the times' base, which the caller knows: times are microseconds from
/// `base` as in the events.
std::string header_json(const Trace& trace, TraceTime base);
std::string device_properties_json(const Trace& trace);

/// The header of a timeline: kind "timeline", which the reader of traces refuses.
struct TimelineHeader {
    std::string_view title;
    std::string_view device;
    std::string_view configuration;
    const Timeline& timeline;
};
std::string timeline_header_json(const TimelineHeader& header);

struct HeaderPlace {
    std::string_view file;
    std::uint64_t byte = 0;
};

/// Fill `trace` from the text of the "overcast" object or of "deviceProperties". Times count from
/// zero. Throw TraceFormatError.
void read_header(std::string_view json, const HeaderPlace& place, Trace& trace);
void read_device_properties(std::string_view json, const HeaderPlace& place, Trace& trace);

}  // namespace overcast
