// One Timeline as JSON in columns: the page draws 50,000 operations from it.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <string>

namespace overcast {

/// {"wall_ns", "device_ns", "streams", "threads", "names", "operations": {column: […]}} with a row
/// per operation; docs/html-report.md has the columns.
std::string operations_json(const Workload& workload, const Timeline& timeline);

/// {"wall_ns", …, "blocks": {column: […]}} with a row per block: operations of one track that begin
/// within `width` of each other. `width` is chosen so that there are at most `most` blocks.
std::string blocks_json(const Workload& workload, const Timeline& timeline, std::size_t most);

}  // namespace overcast
