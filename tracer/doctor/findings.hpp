// What is good and what is not about a machine, each with the remedy.
#pragma once

#include "tracer/doctor/machine_facts.hpp"

#include <cstdint>
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

/// In the order in which a user would mend them.
std::vector<Finding> findings(const MachineFacts& facts);

}  // namespace overcast
