// A program as it would be after some changes, ready to be played.
#pragma once

#include "advise/recorded_program.hpp"
#include "core/prediction.hpp"
#include "forecast/predict.hpp"
#include "simulator/rules.hpp"

namespace overcast {

struct Scenario {
    Workload workload;            ///< the recorded one with changes
    Configuration configuration;  ///< as recorded, waits kept, unless a change says otherwise
    DeviceModel model;
    Rules rules;
    /// The model and its rules are those of the forecast: its intervals hold.
    bool same_machine = true;
    bool one_change = false;  ///< nothing but one change is made
};

/// The program as it was recorded.
Scenario unchanged(const RecordedProgram& program);

PlayedConfiguration play(const Scenario& scenario);

/// The work dealt over `streams` streams; what else the configuration says stays.
void deal_over(Scenario& scenario, std::uint32_t streams, IssueOrder order);

}  // namespace overcast
