// What a diagnosis found in one recorded program, and how the program would be without it.
#pragma once

#include "advise/scenario.hpp"
#include "core/diagnosis.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

using Change = std::function<void(Scenario&)>;

struct DiagnosisFinding {
    std::string evidence;                   ///< one sentence without a full stop
    std::vector<std::uint32_t> operations;  ///< where it was seen; empty: everywhere
    std::uint64_t occurrences = 0;          ///< 0: as many as `operations`
    std::string change;                     ///< one or two lines of CUDA

    /// The extraction predicts the program without it already: puts it back. Empty: it is there.
    Change put_back = {};
    /// The program without it. Empty: nothing can be done about it, or nobody knows what it costs.
    Change remove = {};
    /// What becomes of the program with all other changes when this one is left out; empty: it is
    /// simply not removed.
    Change leave_out = {};
    /// Only the author knows whether it may be removed: left out of what is advised as a whole.
    bool may_be_needed = false;
    /// Of a finding that cannot be removed: nothing_to_gain or not_priced, and why.
    Verdict verdict = Verdict::saves;
    std::string reason = {};
};

/// The schedules that the search chose, once it has.
struct ChosenSchedule {
    struct Choice {
        Configuration configuration;
        std::uint32_t max_connections = 0;  ///< 0: as in the program
    };
    std::optional<Choice> for_recorded;  ///< if nothing else is changed
    std::optional<Choice> with_the_rest;

    [[nodiscard]] const std::optional<Choice>& for_scenario(const Scenario& scenario) const {
        return scenario.one_change ? for_recorded : with_the_rest;
    }
};

/// What a diagnosis may look at. `chosen` is filled in after all have looked and before any change
/// is played.
struct Case {
    const RecordedProgram& program;
    const ChosenSchedule& chosen;
};

/// One cause of missing overlap: one file in advise/diagnoses/, one row in diagnosis_table.cpp.
struct DiagnosisRow {
    std::string_view id;
    std::string_view title;
    std::string_view summary;  ///< what it sees, for --list
    std::string_view link;     ///< the vendor's documentation
    std::optional<DiagnosisFinding> (*find)(const Case&);
};

}  // namespace overcast
