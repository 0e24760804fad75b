#include "validate/accuracy/kernel_slowdown.hpp"

#include "core/ids.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>

namespace overcast {
namespace {

struct LaunchSums {
    std::size_t launches = 0;
    std::chrono::duration<double, std::nano> alone{};
    std::chrono::duration<double, std::nano> measured{};
    std::chrono::duration<double, std::nano> predicted{};
};

std::string extent_words(const Extent& extent) {
    return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

/// The blocks that the recording launched are those that the program launches.
bool is_whole(const Kernel& kernel, const Measured& measured) {
    return measured.duration > Duration::zero() && measured.amount == kernel.shape.grid.count();
}

std::string name_of(const Workload& workload, KernelIndex kernel) {
    return std::string{workload.names[workload.kernels[index(kernel)].name]};
}

}  // namespace

std::vector<KernelSlowdown> kernel_slowdowns(const PlayedProgram& actual, const Places& actual_work,
                                             const PlayedProgram& predicted,
                                             const Places& predicted_work) {
    std::vector<KernelIndex> order;
    std::map<KernelIndex, LaunchSums> sums;
    for (std::size_t i = 0; i < actual_work.size(); ++i) {
        const auto& action = predicted.workload.operations[predicted_work[i]].action;
        const auto* launch = std::get_if<KernelLaunch>(&action);
        if (launch == nullptr || !launch->measured ||
            !is_whole(predicted.workload.kernels[index(launch->kernel)], *launch->measured)) {
            continue;
        }
        const auto& was = actual.timeline.entries[actual_work[i]];
        const auto& is = predicted.timeline.entries[predicted_work[i]];
        auto& sum = sums[launch->kernel];
        if (sum.launches++ == 0) {
            order.push_back(launch->kernel);
        }
        sum.alone += launch->measured->duration;
        sum.measured += was.device_end - was.device_start;
        sum.predicted += is.device_end - is.device_start;
    }
    std::map<std::string, std::size_t> namesakes;
    for (const auto kernel : order) {
        ++namesakes[name_of(predicted.workload, kernel)];
    }
    std::vector<KernelSlowdown> result;
    for (const auto kernel : order) {
        const auto& sum = sums[kernel];
        const auto& shape = predicted.workload.kernels[index(kernel)].shape;
        auto name = name_of(predicted.workload, kernel);
        if (namesakes[name] > 1) {
            name += fmt::format(" {} of {}", extent_words(shape.grid), extent_words(shape.block));
        }
        result.push_back(
            {std::move(name), sum.launches, sum.measured / sum.alone, sum.predicted / sum.alone});
    }
    return result;
}

}  // namespace overcast
