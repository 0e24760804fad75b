#include "workload/changes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// The last thing that each stream was given, as far as merging cares.
struct Neighbour {
    std::size_t operation = 0;
    Copy copy;
    std::optional<UnitIndex> unit;
};

bool small(const Copy& copy, Bytes at_most) {
    return copy.bytes <= at_most &&
           (copy.kind == CopyKind::host_to_device || copy.kind == CopyKind::device_to_host);
}

bool goes_to_stream(const Action& action) {
    return enqueues_work(action) || std::holds_alternative<EventRecord>(action) ||
           std::holds_alternative<EventWait>(action) ||
           std::holds_alternative<HostFunction>(action);
}

bool same_way(const Copy& left, const Copy& right) {
    return left.kind == right.kind && left.source == right.source &&
           left.destination == right.destination && left.asynchronous == right.asynchronous;
}

Duration& host_time(Workload& workload, std::uint32_t operation) {
    return workload.operations[operation].host_before;
}

}  // namespace

bool touches_pageable(const Copy& copy) {
    return copy.source == MemoryKind::pageable || copy.destination == MemoryKind::pageable;
}

bool needs_no_host(const Copy& copy) {
    const auto ready = [](MemoryKind kind) {
        return kind == MemoryKind::pinned || kind == MemoryKind::device ||
               kind == MemoryKind::array;
    };
    return copy.kind != CopyKind::host_to_host && ready(copy.source) && ready(copy.destination);
}

std::size_t last_enqueuing(const Workload& workload) {
    const auto& operations = workload.operations;
    const auto last = std::find_if(operations.rbegin(), operations.rend(),
                                   [](const auto& o) { return enqueues_work(o.action); });
    return last == operations.rend() ? operations.size()
                                     : static_cast<std::size_t>(operations.rend() - last) - 1;
}

void remove_call(Operation& operation) {
    operation.action = HostCall{};
    operation.call_cost = Duration{};
    operation.after_wait = Duration{};
    if (operation.memory) {
        operation.memory->costs = false;
    }
}

std::uint64_t remove_inner_calls(Workload& workload, const OperationTest& test) {
    const auto last = last_enqueuing(workload);
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < last && i < workload.operations.size(); ++i) {
        if (test(workload.operations[i])) {
            remove_call(workload.operations[i]);
            ++changed;
        }
    }
    return changed;
}

std::uint64_t pin_memory(Workload& workload) {
    std::uint64_t changed = 0;
    for (auto& operation : workload.operations) {
        auto* copy = std::get_if<Copy>(&operation.action);
        if (copy == nullptr || !touches_pageable(*copy) || copy->kind == CopyKind::host_to_host) {
            continue;
        }
        auto& host_side = copy->kind == CopyKind::host_to_device ? copy->source : copy->destination;
        host_side = MemoryKind::pinned;
        copy->measured.reset();
        operation.call_cost = workload.call_costs.copy;
        operation.after_wait = Duration{};
        ++changed;
    }
    for (const auto& staging : std::exchange(workload.staging, {})) {
        auto& before = host_time(workload, staging.operation);
        before = std::max(before - staging.time, Duration{});
    }
    for (auto& buffer : workload.buffers) {
        buffer.kind = buffer.kind == MemoryKind::pageable ? MemoryKind::pinned : buffer.kind;
    }
    return changed;
}

std::uint64_t make_copies_asynchronous(Workload& workload) {
    std::uint64_t changed = 0;
    for (auto& operation : workload.operations) {
        if (auto* copy = std::get_if<Copy>(&operation.action);
            copy != nullptr && !copy->asynchronous && needs_no_host(*copy)) {
            copy->asynchronous = true;
            ++changed;
        } else if (auto* memset = std::get_if<Memset>(&operation.action);
                   memset != nullptr && !memset->asynchronous) {
            memset->asynchronous = true;
            ++changed;
        }
    }
    return changed;
}

std::uint64_t release_without_waiting(Workload& workload) {
    return remove_inner_calls(workload, [](const Operation& operation) {
        return std::holds_alternative<ReleaseMemory>(operation.action);
    });
}

std::uint64_t decouple_default_stream(Workload& workload) {
    std::uint64_t changed = 0;
    for (auto& stream : workload.streams) {
        if (stream.kind != StreamKind::non_blocking) {
            stream.kind = StreamKind::non_blocking;
            ++changed;
        }
    }
    return changed;
}

std::uint64_t scale_kernels(Workload& workload, std::string_view name, double factor) {
    std::uint64_t changed = 0;
    for (auto& operation : workload.operations) {
        auto* launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch == nullptr || !launch->measured) {
            continue;
        }
        const auto kernel = workload.names[workload.kernels[index(launch->kernel)].name];
        if (kernel.find(name) != std::string_view::npos) {
            auto& duration = launch->measured->duration;
            duration = round_to_duration(static_cast<double>(duration.count()) * factor);
            ++changed;
        }
    }
    return changed;
}

std::uint64_t merge_neighbouring_copies(Workload& workload, Bytes at_most_each) {
    std::map<StreamIndex, Neighbour> neighbours;
    std::uint64_t merged = 0;
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        auto& operation = workload.operations[i];
        if (!goes_to_stream(operation.action)) {
            if (synchronises(operation.action)) {
                neighbours.clear();
            }
            continue;
        }
        const auto* copy = std::get_if<Copy>(&operation.action);
        const auto before = neighbours.find(operation.stream);
        if (copy == nullptr || !small(*copy, at_most_each)) {
            neighbours.erase(operation.stream);
        } else if (before != neighbours.end() && before->second.unit == operation.unit &&
                   same_way(before->second.copy, *copy)) {
            auto& first = std::get<Copy>(workload.operations[before->second.operation].action);
            first.bytes += copy->bytes;
            remove_call(operation);
            ++merged;
        } else {
            neighbours[operation.stream] = {i, *copy, operation.unit};
        }
    }
    return merged;
}

std::uint64_t merge_units(Workload& workload, std::uint32_t group, Bytes at_most_each) {
    struct Group {
        std::optional<std::size_t> to_device;
        std::optional<std::size_t> to_host;
    };
    std::vector<Group> groups(workload.units / group + 1);
    std::uint64_t merged = 0;
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        auto& operation = workload.operations[i];
        if (!operation.unit) {
            continue;
        }
        auto& own = groups[index(*operation.unit) / group];
        operation.unit = UnitIndex{number(*operation.unit) / group};
        const auto* copy = std::get_if<Copy>(&operation.action);
        if (copy == nullptr || !small(*copy, at_most_each)) {
            continue;
        }
        if (copy->kind == CopyKind::host_to_device) {
            if (!own.to_device) {
                own.to_device = i;
                continue;
            }
            std::get<Copy>(workload.operations[*own.to_device].action).bytes += copy->bytes;
            remove_call(operation);
        } else {
            if (!own.to_host) {
                own.to_host = i;
                continue;
            }
            auto together = *copy;
            together.bytes += std::get<Copy>(workload.operations[*own.to_host].action).bytes;
            remove_call(workload.operations[*own.to_host]);
            operation.action = together;
            own.to_host = i;
        }
        ++merged;
    }
    workload.units = (workload.units + group - 1) / group;
    return merged;
}

void wait_after_each_launch(Workload& workload) {
    std::vector<Operation> operations;
    std::vector<Duration> merged;
    std::vector<std::uint32_t> place;  // of each recorded operation
    const auto name = workload.names.intern("CUDA_LAUNCH_BLOCKING");
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        place.push_back(static_cast<std::uint32_t>(operations.size()));
        operations.push_back(workload.operations[i]);
        if (!workload.merged_host_before.empty()) {
            merged.push_back(workload.merged_host_before[i]);
        }
        if (!enqueues_work(workload.operations[i].action)) {
            continue;
        }
        auto wait = workload.operations[i];
        wait.host_before = Duration{};
        wait.call_cost = Duration{};
        wait.name = name;
        wait.action = SynchroniseStream{};
        operations.push_back(wait);
        if (!workload.merged_host_before.empty()) {
            merged.emplace_back();
        }
    }
    place.push_back(static_cast<std::uint32_t>(operations.size()));
    for (auto& staging : workload.staging) {
        staging.operation = place[staging.operation];
    }
    for (auto& range : workload.ranges) {
        range.begin = place[range.begin];
        range.end = place[range.end];
    }
    workload.operations = std::move(operations);
    workload.merged_host_before = std::move(merged);
}

std::uint64_t launch_as_graphs(Workload& workload, const GraphLaunchCost& cost) {
    std::map<ThreadIndex, std::vector<std::size_t>> open;  // nodes of the graph so far
    std::uint64_t gone = 0;
    const auto close = [&](std::vector<std::size_t>& nodes) {
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            auto& operation = workload.operations[nodes[i]];
            if (operation.host_before <= operation.call_cost) {
                operation.host_before = Duration{};
            }
            operation.call_cost = Duration{};
            ++gone;
        }
        if (nodes.size() > 1) {
            workload.operations[nodes.front()].call_cost = cost(nodes.size());
        }
        nodes.clear();
    };
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
        const auto& operation = workload.operations[i];
        auto& nodes = open[operation.thread];
        const auto* copy = std::get_if<Copy>(&operation.action);
        const auto* memset = std::get_if<Memset>(&operation.action);
        const bool holds_host =
            (copy != nullptr && (!copy->asynchronous || touches_pageable(*copy))) ||
            (memset != nullptr && !memset->asynchronous);
        if (goes_to_stream(operation.action) && !holds_host) {
            nodes.push_back(i);
        } else if (!std::holds_alternative<HostCall>(operation.action) || holds_host) {
            close(nodes);
        }
    }
    for (auto& [thread, nodes] : open) {
        close(nodes);
    }
    return gone;
}

}  // namespace overcast
