// What each finding is worth: plays of the program with and without it.
#pragma once

#include "advise/diagnosis_finding.hpp"
#include "core/diagnosis.hpp"

#include <functional>
#include <vector>

namespace overcast {

struct Found {
    const DiagnosisRow* row = nullptr;
    DiagnosisFinding finding;
    bool active = false;  ///< its change is among those that are advised together
    bool made = false;    ///< its change counts as made already
    Saving alone;
    Saving with_the_rest;
};

/// The program after the changes of some findings. Where all but one are made, what that one turns
/// them into (`leave_out`) is made too.
class Savings {
public:
    Savings(const RecordedProgram& program, std::vector<Found>& found)
        : program_{program}, found_{found} {}

    /// As it was recorded, but for the changes that count as made.
    [[nodiscard]] Scenario recorded() const {
        return build([](std::size_t) { return false; });
    }
    /// With every change that is advised.
    [[nodiscard]] Scenario advised() const {
        return build([&](std::size_t i) { return found_[i].active; });
    }

    /// Plays what is needed and fills in both savings of each finding, with their intervals if
    /// `intervals`. Changes that make the advised program slower are taken out of it.
    void price(bool intervals);

private:
    /// With the changes of those findings for which `changed` holds.
    [[nodiscard]] Scenario build(const std::function<bool(std::size_t)>& changed,
                                 bool one_change = false) const;
    [[nodiscard]] Scenario only(std::size_t i) const;
    [[nodiscard]] Scenario all_but(std::size_t i) const;
    [[nodiscard]] Scenario all_and(std::size_t i) const;
    void play_all();
    bool drop_harmful();
    void add_intervals();

    const RecordedProgram& program_;
    std::vector<Found>& found_;
};

}  // namespace overcast
