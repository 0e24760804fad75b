#include "forecast/slow_copies.hpp"

#include "core/warning.hpp"
#include "model/transfer_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

namespace overcast {
namespace {

constexpr double kSlow = 1.25;      // beside kernels that use the memory: up to 1.15
constexpr Bytes kSmallest{65'536};  // latency scatters, and smaller ones may travel inline

struct Copied {
    std::size_t copies = 0;
    Duration recorded{};
    Duration modelled{};
};

bool counts(const Copy& copy, CopyKind kind) {
    const auto host = kind == CopyKind::host_to_device ? copy.source : copy.destination;
    return copy.kind == kind && host == MemoryKind::pinned && copy.bytes >= kSmallest &&
           copy.measured && copy.measured_in_duplex == Duration::zero();
}

Copied copied(const Workload& recorded, CopyKind kind, const DeviceModel& model) {
    Copied sum;
    for (const auto& operation : recorded.operations) {
        const auto* copy = std::get_if<Copy>(&operation.action);
        if (copy == nullptr || !counts(*copy, kind)) {
            continue;
        }
        auto unknown = *copy;
        unknown.measured.reset();
        ++sum.copies;
        sum.recorded += copy->measured->duration;
        sum.modelled +=
            copy_duration(unknown, copy_path(unknown, false, model.inline_copies), model);
    }
    return sum;
}

}  // namespace

void warn_of_slow_copies(Workload& recorded, const DeviceModel& model) {
    if (std::ranges::find(model.device_names, recorded.device.name) == model.device_names.end()) {
        return;
    }
    for (const auto kind : {CopyKind::host_to_device, CopyKind::device_to_host}) {
        const auto [copies, took, modelled] = copied(recorded, kind, model);
        const double longer = static_cast<double>(took.count()) /
                              static_cast<double>(std::max(modelled, Duration{1}).count());
        if (copies > 0 && longer > kSlow) {
            const std::string_view where =
                kind == CopyKind::host_to_device ? "to the device" : "to the host";
            add_warning(
                recorded.warnings,
                {"slow-copies",
                 fmt::format("in the recording {} pinned copies {} took {:.2f} times as long as on "
                             "{}: other work used the link, or that machine's link is slower; "
                             "record again, or take a model that 'overcast calibrate' made there",
                             copies, where, longer, model.name)});
        }
    }
}

}  // namespace overcast
