// What a device model file says beside the numbers: where each came from.
#pragma once

#include "model/calibration/estimate.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace overcast {

struct ParameterNote {
    std::string source;  ///< what measured it, traced or untraced, with what
    std::optional<Estimate> fit;
};

/// A rule that the simulator plays, and how often a probe saw it kept.
struct RuleOutcome {
    std::string rule;  ///< its name in `overcast predict --without`, or a word
    std::string says;
    std::size_t kept = 0;
    std::size_t of = 0;
    /// What another rule would have explained of the same observations.
    std::string instead;
};

/// What was measured and no rule of the simulator reads: one figure, or one over x.
struct Observation {
    std::string name;  ///< with the unit of its figures, and of x after "by"
    std::vector<std::pair<double, Estimate>> points;  ///< x and the figure there; x rises
    std::string source;
};

struct ProbeFailure {
    std::string probe;
    std::string reason;
};

struct DeviceModelNotes {
    std::string driver;
    std::string cuda;
    std::string date;
    std::string command;
    std::map<std::string, ParameterNote> parameters;  ///< by name; absent: a default
    std::vector<RuleOutcome> rules;
    std::vector<Observation> observations;
    std::vector<ProbeFailure> failures;
};

}  // namespace overcast
