// Which of several recordings of one run is kept.
#pragma once

#include "core/trace.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace overcast {

/// The host's time in the calls that issue work: what differs from process to process. (A call that
/// waits for the device takes the longer the faster the others were.)
Duration time_in_issuing_calls(const Trace& trace);

/// That, and the time of all operations on the device: what others' work on the host, the link and
/// the GPU makes longer in a recording of one stream.
Duration time_at_work(const Trace& trace);

/// Of recordings of a run on several streams, each read from one of `files`, the one whose copies
/// are served most as the others serve theirs. Who is served first may be a matter of a
/// microsecond, and decide the order of all that follows: one recording may show what hardly ever
/// happens. Only the three whose calls were the fastest can be chosen, of equal ones the fastest:
/// what else the host does only slows them. Throws Error where a file cannot be read.
std::size_t most_typical(const std::vector<std::filesystem::path>& files);

}  // namespace overcast
