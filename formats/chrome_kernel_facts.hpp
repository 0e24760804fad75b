// What a trace says of its kernels beyond their launches: hardware counters and machine code, in
// the header of the native format (docs/trace-format.md).
#pragma once

#include "core/trace.hpp"
#include "formats/json_object.hpp"

#include <nlohmann/json.hpp>

namespace overcast {

nlohmann::ordered_json counters_json(const Trace& trace);
nlohmann::ordered_json code_json(const Trace& trace);

/// Appends to the lists of the trace. Throws TraceFormatError.
void read_counters(const JsonObject& header, Trace& trace);
void read_code(const JsonObject& header, Trace& trace);

}  // namespace overcast
