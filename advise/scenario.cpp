#include "advise/scenario.hpp"

#include "simulator/simulator.hpp"
#include "workload/transform.hpp"

namespace overcast {

Scenario unchanged(const RecordedProgram& program) {
    Scenario scenario{program.workload, {}, program.model, {}};
    scenario.configuration.transform = Transform::as_recorded;
    scenario.configuration.sync = SyncPolicy::keep;
    scenario.configuration.order = IssueOrder::recorded;
    scenario.configuration.streams =
        static_cast<std::uint32_t>(std::max<std::size_t>(program.streams.size(), 1));
    return scenario;
}

PlayedConfiguration play(const Scenario& scenario) {
    PlayedConfiguration played;
    played.workload = transform(scenario.workload, scenario.configuration);
    played.timeline = simulate(played.workload, scenario.model, scenario.rules);
    return played;
}

void deal_over(Scenario& scenario, std::uint32_t streams, IssueOrder order) {
    scenario.configuration.transform = Transform::distribute;
    scenario.configuration.streams = streams;
    scenario.configuration.order = order;
}

}  // namespace overcast
