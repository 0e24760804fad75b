// Kernels of which hardware counters say what they use.
#pragma once

#include "tests/support/counters.hpp"
#include "tests/support/workload_builder.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace overcast::test {

/// Two kernels of one block on each of the two SMs, whose counters say what they use of two units.
inline Workload two_counted_kernels(KernelCounter first, KernelCounter second, double share) {
    using namespace std::chrono_literals;
    WorkloadBuilder program{2};
    program.on(0).kernel(2, 100ns).on(1).kernel(2, 100ns);
    auto workload = program.workload();
    const std::array used{first, second};
    for (std::size_t i = 0; i < used.size(); ++i) {
        workload.kernels[i].counters =
            counters({{KernelCounter::warps_per_sm, 32}, {used[i], share}});
    }
    return workload;
}

}  // namespace overcast::test
