// The command line of overcast-cases.
#pragma once

#include "validate/cases/harness/case.hpp"
#include "validate/cases/harness/schedule.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace overcast::cases {

enum class Command : std::uint8_t { help, case_help, list, run };
enum class Preset : std::uint8_t { h200, seed, small };

std::string_view to_string(Preset preset);
std::string_view to_string(HostMemory memory);

struct Options {
    Command command = Command::run;
    const CaseDefinition* definition = nullptr;  ///< null for help and list
    Preset preset = Preset::h200;
    Values values;  ///< the preset's, unless changed one by one
    std::uint32_t streams = 1;
    Order order = Order::depth;
    Transform transform = Transform::distribute;
    std::uint32_t parts = 1;  ///< more with split only
    HostMemory memory = HostMemory::pinned;
    std::uint32_t repetitions = 15;
    bool json = false;
    bool profile_one_pass = false;
    bool mark_units = false;
};

/// `arguments` without the program's name. Throws OptionError.
Options parse_options(std::span<const std::string> arguments,
                      std::span<const CaseDefinition> cases);

/// The values of a preset.
Values preset_values(const CaseDefinition& definition, Preset preset);

/// The text of --help.
std::string help_text(std::span<const CaseDefinition> cases);

/// The text of NAME --help.
std::string help_text(const CaseDefinition& definition);

}  // namespace overcast::cases
