#include "validate/baselines/stream_calls.hpp"

#include <algorithm>
#include <numeric>

namespace overcast {
namespace {

std::optional<CallKind> kind_of(const Action& action) {
    if (std::holds_alternative<KernelLaunch>(action)) {
        return CallKind::kernel;
    }
    const auto* copy = std::get_if<Copy>(&action);
    if (copy == nullptr) {
        return std::nullopt;
    }
    switch (copy->kind) {
        case CopyKind::host_to_device: return CallKind::h2d;
        case CopyKind::device_to_host: return CallKind::d2h;
        default: return std::nullopt;
    }
}

/// Without the granularities of a real device, which that model does not know.
SmResources plain_needs(const KernelShape& shape) {
    const auto threads = static_cast<std::uint32_t>(shape.block.count());
    const auto shared = shape.static_shared_memory + shape.dynamic_shared_memory;
    return {.threads = threads,
            .blocks = 1,
            .registers = threads * shape.registers_per_thread,
            .shared_memory = static_cast<std::uint32_t>(shared.count())};
}

/// One or more H2D, one kernel, any number of D2H.
bool is_known_shape(const CallUnit& unit) {
    const auto kernel = std::find_if(unit.begin(), unit.end(),
                                     [](const auto& call) { return call.kind != CallKind::h2d; });
    return kernel != unit.begin() && kernel != unit.end() && kernel->kind == CallKind::kernel &&
           std::all_of(kernel + 1, unit.end(),
                       [](const auto& call) { return call.kind == CallKind::d2h; });
}

double nanoseconds(Duration duration) { return static_cast<double>(duration.count()); }

}  // namespace

std::optional<std::vector<CallUnit>> call_units(const Extraction& recorded) {
    const auto& workload = recorded.workload;
    std::vector<CallUnit> units(workload.units);
    std::optional<StreamIndex> stream;
    std::optional<TimelineTime> previous_end;
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        const auto& operation = workload.operations[i];
        if (!enqueues_work(operation.action)) {
            continue;
        }
        const auto kind = kind_of(operation.action);
        if (!kind || !operation.unit || operation.stream != stream.value_or(operation.stream)) {
            return std::nullopt;
        }
        stream = operation.stream;
        const auto& entry = recorded.measured.entries.at(i);
        StreamCall call;
        call.kind = *kind;
        call.duration = nanoseconds(entry.device_end - entry.device_start);
        call.gap =
            previous_end ? std::max(nanoseconds(entry.device_start - *previous_end), 0.0) : 0.0;
        previous_end = entry.device_end;
        if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
            const auto& shape = workload.kernels[index(launch->kernel)].shape;
            call.per_block = plain_needs(shape);
            call.blocks = std::max<std::uint64_t>(shape.grid.count(), 1);
        }
        units[index(*operation.unit)].push_back(call);
    }
    const bool known = !units.empty() && std::all_of(units.begin(), units.end(), is_known_shape);
    return known ? std::optional{std::move(units)} : std::nullopt;
}

std::optional<std::vector<std::vector<std::size_t>>> deal_units(
    std::size_t units, const Configuration& configuration) {
    std::vector<std::size_t> all(units);
    std::iota(all.begin(), all.end(), std::size_t{0});
    switch (configuration.transform) {
        case Transform::as_recorded: return std::vector(1, all);
        case Transform::replicate: return std::vector(configuration.streams, all);
        case Transform::distribute: break;
        case Transform::split: return std::nullopt;
    }
    std::vector<std::vector<std::size_t>> streams(
        std::min<std::size_t>(configuration.streams, units));
    for (const auto unit : all) {
        streams[unit % streams.size()].push_back(unit);
    }
    return streams;
}

}  // namespace overcast
