#include "workload/transform.hpp"

#include "core/error.hpp"
#include "workload/distribute.hpp"
#include "workload/replicate.hpp"

namespace overcast {

Workload transform(const Workload& workload, const Configuration& configuration) {
    if (configuration.streams == 0) {
        throw UsageError("--streams 0: at least one stream is needed");
    }
    if (configuration.transform == Transform::split && configuration.parts == 0) {
        throw UsageError("--parts 0: a unit has at least one part");
    }
    if (configuration.units_in_turn == 0) {
        throw UsageError("a stream is given at least one unit in turn");
    }
    if (workload.units == 0) {
        throw Error("the workload has no units; find them before it is transformed");
    }
    switch (configuration.transform) {
        case Transform::as_recorded: return as_recorded(workload, configuration);
        case Transform::replicate: return replicate(workload, configuration);
        case Transform::distribute:
        case Transform::split: return distribute(workload, configuration);
    }
    return workload;
}

}  // namespace overcast
