// What measures on this machine says so where others disturb it.
#pragma once

namespace overcast {

/// One line on standard error where others use the cores of more than half of the CPUs.
void warn_of_disturbed_cpus();

}  // namespace overcast
