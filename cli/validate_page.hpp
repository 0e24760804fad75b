// `validate --html`: predicted beside measured, as a page.
#pragma once

#include "cli/validate_inputs.hpp"
#include "validate/accuracy/accuracy_report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace overcast {

/// The recorded timelines and the predicted ones, as long as there is room on one page.
class ComparedTimelines {
public:
    struct Pair {
        std::string title;
        Extraction actual;
        PlayedConfiguration predicted;
    };

    /// Must not outlive this object.
    CaseTimelineKeeper keeper();

    [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
    [[nodiscard]] std::size_t left_out() const { return left_out_; }

private:
    void keep(Pair pair);

    std::vector<Pair> pairs_;
    std::size_t operations_ = 0;
    std::size_t left_out_ = 0;
};

/// `arguments` are those of the subcommand.
std::string validate_page(const AccuracyReport& report, const ComparedTimelines& timelines,
                          const std::vector<std::string>& arguments);

}  // namespace overcast
