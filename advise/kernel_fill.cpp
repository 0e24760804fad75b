#include "advise/kernel_fill.hpp"

#include "model/kernel_model.hpp"

namespace overcast {

KernelFill kernel_fill(const RecordedProgram& program) {
    const auto& workload = program.workload;
    const auto sms = multiprocessors(program.model.device);
    KernelFill fill;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        const auto* launch = std::get_if<KernelLaunch>(&workload.operations[i].action);
        if (launch == nullptr || !launch->measured) {
            continue;
        }
        const auto demand =
            kernel_demand(workload.kernels[index(launch->kernel)].shape, program.model);
        fill.all += launch->measured->duration;
        if (demand.blocks >= std::uint64_t{demand.blocks_per_sm} * sms) {
            fill.time += launch->measured->duration;
            fill.launches.push_back(i);
        }
    }
    return fill;
}

}  // namespace overcast
