#include "workload/distribute.hpp"

#include "workload/memory_needs.hpp"
#include "workload/new_streams.hpp"
#include "workload/program_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace overcast {
namespace {

/// The operations before, in and after the units.
struct Sections {
    Strand before;
    std::vector<Strand> units;
    Strand after;
};

Sections cut_into_sections(const Workload& workload, const Configuration& configuration) {
    const bool split = configuration.transform == Transform::split;
    const auto parts = split ? configuration.parts : 1;
    Sections sections;
    sections.units.resize(std::size_t{workload.units} * parts);
    for (std::uint32_t i = 0; i < sections.units.size(); ++i) {
        sections.units[i].part = i % parts;
        sections.units[i].parts = parts;
        sections.units[i].stream =
            (split ? i % parts : i / configuration.units_in_turn) % configuration.streams;
    }
    bool begun = false;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        const auto unit = workload.operations[i].unit;
        begun = begun || unit;
        if (!unit) {
            (begun ? sections.after : sections.before).operations.push_back(i);
            continue;
        }
        for (std::size_t part = 0; part < parts; ++part) {
            sections.units[index(*unit) * parts + part].operations.push_back(i);
        }
    }
    return sections;
}

bool host_waits_at_the_end(const Workload& workload, const Strand& strand) {
    const auto& last = workload.operations[strand.operations.back()].action;
    const auto* copy = std::get_if<Copy>(&last);
    return std::holds_alternative<SynchroniseStream>(last) ||
           std::holds_alternative<SynchroniseDevice>(last) ||
           (copy != nullptr && !copy->asynchronous);
}

std::vector<StreamIndex> streams_of(const std::vector<Strand>& strands, std::uint32_t count) {
    std::vector<bool> used(count, false);
    for (const auto& strand : strands) {
        used[strand.stream] = true;
    }
    std::vector<StreamIndex> result;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (used[i]) {
            result.push_back(StreamIndex{i});
        }
    }
    return result;
}

bool has_stream_work(const Workload& workload, const Strand& strand) {
    return std::any_of(
        strand.operations.begin(), strand.operations.end(), [&](std::uint32_t operation) {
            const auto& action = workload.operations[operation].action;
            return enqueues_work(action) || std::holds_alternative<EventRecord>(action) ||
                   std::holds_alternative<HostFunction>(action);
        });
}

/// A wait for the one recorded stream, after all units, becomes a wait for each of the new ones.
void keep_waits_for_all(ProgramWriter& writer, const Workload& workload, const Strand& after) {
    const auto used = writer.used_streams();
    const auto& operations = writer.result().operations;
    const auto before = operations.size();
    writer.write({after}, IssueOrder::depth, SyncPolicy::keep);
    const bool waits_for_stream =
        std::any_of(operations.begin() + static_cast<std::ptrdiff_t>(before), operations.end(),
                    [](const auto& operation) {
                        return std::holds_alternative<SynchroniseStream>(operation.action);
                    });
    if (waits_for_stream && !has_stream_work(workload, after)) {
        std::vector<StreamIndex> others;
        std::copy_if(used.begin(), used.end(), std::back_inserter(others),
                     [](auto stream) { return stream != StreamIndex{0}; });
        writer.synchronise(others);
    }
}

void write_after_units(ProgramWriter& writer, const Workload& workload, const Strand& after,
                       SyncPolicy sync) {
    constexpr StreamIndex kFirst{0};
    if (has_stream_work(workload, after)) {
        writer.join(writer.used_streams(), std::span{&kFirst, 1});
    }
    if (sync == SyncPolicy::keep) {
        keep_waits_for_all(writer, workload, after);
    } else {
        writer.write({after}, IssueOrder::depth, sync);
    }
}

bool any_unit_uses_several_streams(const Workload& workload) {
    std::vector<std::optional<StreamIndex>> stream_of(workload.units);
    return std::any_of(workload.operations.begin(), workload.operations.end(),
                       [&](const auto& operation) {
                           if (!operation.unit || !enqueues_work(operation.action)) {
                               return false;
                           }
                           auto& known = stream_of[index(*operation.unit)];
                           const bool other = known && *known != operation.stream;
                           known = operation.stream;
                           return other;
                       });
}

void add_doubts(const Workload& workload, const Configuration& configuration, Workload& result) {
    if (any_unit_uses_several_streams(workload)) {
        add_warning(result.warnings,
                    {"merged-streams",
                     "a recorded unit uses several streams; here each unit runs on one, in the "
                     "order of its calls"});
    }
    if (configuration.transform == Transform::split) {
        set_device_memory(result, 1, Bytes{});  // the parts share the memory of their unit
        return;
    }
    const auto used = std::min(configuration.streams, std::max(workload.units, 1U));
    const auto shared = shared_buffers(workload, configuration);
    if (shared.buffers > 0) {
        add_warning(
            result.warnings,
            {"shared-buffer",
             fmt::format("units write the same memory ({} buffers, {} KiB on the device, {} "
                         "KiB on the host): on several streams each needs private copies, "
                         "which the prediction assumes",
                         shared.buffers, shared.device_bytes.count() / 1024,
                         shared.host_bytes.count() / 1024)});
    }
    set_device_memory(result, 1, Bytes{shared.device_bytes.count() * (used - 1)});
}

}  // namespace

Workload distribute(const Workload& workload, const Configuration& configuration) {
    const auto sections = cut_into_sections(workload, configuration);
    const bool split = configuration.transform == Transform::split;
    ProgramWriter writer{
        workload, configuration, new_streams(workload, configuration.streams),
        std::vector<std::uint32_t>(std::max<std::size_t>(workload.streams.size(), 1), 0),
        split ? configuration.parts : 1};
    if (!sections.before.operations.empty()) {
        // These waits stand before the units, so they are no obstacle to overlap.
        writer.write({sections.before}, IssueOrder::depth, SyncPolicy::keep);
        if (!host_waits_at_the_end(workload, sections.before)) {
            constexpr StreamIndex kFirst{0};
            writer.join(std::span{&kFirst, 1}, streams_of(sections.units, configuration.streams));
        }
    }
    writer.write(sections.units, configuration.order, configuration.sync);
    if (!sections.after.operations.empty()) {
        write_after_units(writer, workload, sections.after, configuration.sync);
    }
    add_doubts(workload, configuration, writer.result());
    return writer.finish();
}

}  // namespace overcast
