// The command line of overcast-cases.
#pragma once

#include "validate/cases/harness/case.hpp"
#include "validate/cases/harness/schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overcast::cases {

enum class Command : std::uint8_t { help, case_help, list, run };
enum class Preset : std::uint8_t { h200, seed, small };

std::string_view to_string(Preset preset);
std::string_view to_string(HostMemory memory);

/// One parameter, all values from the first to the last.
struct ParameterSweep {
    std::string name;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

struct Options {
    Command command = Command::run;
    const CaseDefinition* definition = nullptr;  ///< null for help and list
    Preset preset = Preset::h200;
    Values values;  ///< the preset's, unless changed one by one
    std::uint32_t streams = 1;
    bool stream_per_unit = false;  ///< as many streams as units, whatever `streams` says
    Order order = Order::depth;
    Transform transform = Transform::distribute;
    std::uint32_t parts = 1;  ///< more with split only
    HostMemory memory = HostMemory::pinned;
    std::uint32_t repetitions = 15;
    bool json = false;
    bool profile_one_pass = false;
    bool mark_units = false;
    std::optional<ParameterSweep> sweep;
    std::string range;  ///< "NAME=VALUE" of a member of a sweep, else empty
};

/// `arguments` without the program's name. Throws OptionError.
Options parse_options(std::span<const std::string> arguments,
                      std::span<const CaseDefinition> cases);

/// One by one what a sweep asks for; the options themselves where there is none.
std::vector<Options> members_of(const Options& options);

/// The values of a preset.
Values preset_values(const CaseDefinition& definition, Preset preset);

/// The text of --help.
std::string help_text(std::span<const CaseDefinition> cases);

/// The text of NAME --help.
std::string help_text(const CaseDefinition& definition);

}  // namespace overcast::cases
