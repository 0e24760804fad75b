// What other models say, as columns of the table of predictions.
#pragma once

#include "core/prediction.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace overcast {

/// One column for each baseline; three fit beside streams, order, wall time and speed-up.
class BaselineColumns {
public:
    BaselineColumns(const PredictionSweep& sweep, const TerminalStyle& style);

    [[nodiscard]] std::size_t count() const { return names_.size(); }
    [[nodiscard]] bool leave_room_for_bound() const { return count() <= 2; }
    [[nodiscard]] bool leave_room_for_shares() const { return count() <= 1; }

    /// One or more lines; names are broken behind their hyphens.
    [[nodiscard]] std::vector<std::string> titles() const;
    [[nodiscard]] std::string cells(std::size_t prediction) const;
    /// What "-" means, where one is shown; else nothing.
    [[nodiscard]] std::string note() const;

private:
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> columns_;
    bool any_absent_ = false;
};

}  // namespace overcast
