// What is good and what is not about a machine, each with the remedy.
#pragma once

#include "tracer/doctor/machine_facts.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

enum class Health : std::uint8_t { ok, warning, fault };

std::string_view to_string(Health health);

struct Finding {
    Health health = Health::ok;
    std::string subject;  ///< "driver"
    std::string found;    ///< "580.159.03, CUDA 13.0"
    std::string remedy;   ///< empty where nothing is to be done
};

/// How many CPUs are left alone by others, by the times of a loop on each; a warning where fewer
/// than half are. Absent where there is nothing to compare.
std::optional<Finding> undisturbed_cpus(std::span<const std::chrono::nanoseconds> loops);

/// In the order in which a user would mend them.
std::vector<Finding> findings(const MachineFacts& facts);

}  // namespace overcast
