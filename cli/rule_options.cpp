#include "cli/rule_options.hpp"

#include "cli/command_line.hpp"

namespace overcast {

Rules rules_of(const CommandLine& line) {
    Rules rules;
    for (const auto& rule : line.values("without")) {
        rules.switch_off(parse_rule(rule));
    }
    return rules;
}

}  // namespace overcast
