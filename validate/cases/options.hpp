// The command line of overcast-cases.
#pragma once

#include "validate/cases/case.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace overcast::cases {

/// Wrong usage: exit code 2.
class OptionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Command : std::uint8_t { help, list, run, sweep, calibrate };
enum class Transform : std::uint8_t { distribute, replicate };
enum class Order : std::uint8_t { depth, breadth };
enum class HostMemory : std::uint8_t { pinned, pageable };

std::string_view to_string(Transform transform);
std::string_view to_string(Order order);
std::string_view to_string(HostMemory memory);

struct Options {
    Command command = Command::run;
    const CaseDefinition* definition = nullptr;  ///< null for help and list
    Sizes sizes;                                 ///< the case's defaults unless changed
    double kernel_us = 0;                        ///< calibrate: the wanted duration
    std::vector<std::uint32_t> streams{1};       ///< run: exactly one
    std::vector<Order> orders{Order::depth};     ///< run: exactly one
    Transform transform = Transform::distribute;
    HostMemory memory = HostMemory::pinned;
    std::uint32_t repetitions = 15;
    std::uint32_t series = 2;  ///< sweep: how often each configuration's series is run
    bool json = false;         ///< run: the run object of measured.json
    bool raw = false;          ///< run: lines for sweep, one per repetition
    bool profile_one_pass = false;
    std::string output;           ///< sweep: file; empty = standard output
    std::string driver;           ///< sweep: recorded as it is
    std::string timeline_folder;  ///< sweep: names timeline_file of each run
};

/// `arguments` without the program's name. Throws OptionError.
Options parse_options(std::span<const std::string> arguments);

/// The text of --help.
std::string help_text();

}  // namespace overcast::cases
