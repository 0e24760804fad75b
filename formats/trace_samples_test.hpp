// Hand-made traces for the tests of this folder.
#pragma once

#include "core/trace.hpp"

namespace overcast {

/// At least one of every record, with every optional member present in one and absent in another.
Trace trace_with_every_record();

/// Compares everything but Trace::source, names by their text.
void expect_same_trace(const Trace& actual, const Trace& expected);

}  // namespace overcast
