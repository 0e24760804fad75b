// How long each kernel takes alone, in units of the time of one of its blocks: played by the same
// rules as the kernels of a program, so that a recorded launch played alone takes what it took.
#pragma once

#include "model/device_model.hpp"
#include "model/kernel_model.hpp"
#include "simulator/rules.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace overcast {

class SoloRuns {
public:
    SoloRuns(const DeviceModel& model, const std::vector<KernelDemand>& demands, const Rules& rules)
        : model_{&model}, demands_{&demands}, rules_{rules} {}

    /// Of a kernel with `blocks` blocks; played once, then remembered.
    const SoloRun& of(std::uint32_t demand, std::uint64_t blocks);

private:
    [[nodiscard]] SoloRun play(KernelDemand demand, std::uint64_t blocks) const;

    const DeviceModel* model_;
    const std::vector<KernelDemand>* demands_;
    Rules rules_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, SoloRun> played_;
};

}  // namespace overcast
