#include "validate/accuracy/decision.hpp"

#include <algorithm>

namespace overcast {

Decision decide(std::span<const Choice> choices) {
    const auto place = [&](auto found) {
        return static_cast<std::size_t>(found - choices.begin());
    };
    Decision decision;
    decision.chosen = place(std::ranges::min_element(choices, {}, &Choice::predicted));
    decision.best = place(std::ranges::min_element(choices, {}, &Choice::measured));
    const double best = choices[decision.best].measured;
    decision.regret_percent = (choices[decision.chosen].measured - best) / best * 100;
    return decision;
}

}  // namespace overcast
