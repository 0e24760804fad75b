// The recorded units dealt over N streams, whole or in parts.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

namespace overcast {

/// distribute: unit u on stream u mod N. split: part i of each unit on stream i mod N.
///
/// Work before the first unit runs on stream 0 as it was written; what follows on the other streams
/// waits for it through an event (0.2 us of host time for each stream, where a wait of the host
/// would leave the device idle), unless the host had waited for it already. Work after the last
/// unit runs on stream 0 too and waits for the others in the same way.
Workload distribute(const Workload& workload, const Configuration& configuration);

}  // namespace overcast
