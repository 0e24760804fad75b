#include "cli/quiet_machine.hpp"

#include "core/quiet_cpu.hpp"
#include "tracer/doctor/findings.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace overcast {

void warn_of_disturbed_cpus() {
    const auto cpus = undisturbed_cpus(QuietCpu{}.survey());
    if (cpus && cpus->health != Health::ok) {
        fmt::print(stderr, "overcast: warning: CPUs: {}; {}\n", cpus->found, cpus->remedy);
    }
}

}  // namespace overcast
