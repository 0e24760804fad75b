#include "tracer/launcher/spool_to_trace.hpp"

#include "core/spool.hpp"
#include "tracer/launcher/api_pairs.hpp"
#include "tracer/launcher/spool_records.hpp"
#include "tracer/launcher/unfinished.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

namespace overcast {
namespace {

bool is_recorders_own(OverheadKind kind) {
    return kind == OverheadKind::buffer_flush || kind == OverheadKind::instrumentation ||
           kind == OverheadKind::resource || kind == OverheadKind::buffer_request;
}

Spooled read_file(const std::filesystem::path& file) {
    spool::Reader reader{file};
    SpoolRecords records;
    for (auto record = reader.next(); record.has_value(); record = reader.next()) {
        std::visit(records, record.value());
    }
    return records.take();
}

void join_addresses(Spooled& spooled) {
    for (auto& activity : spooled.trace.activities) {
        const auto found = spooled.addresses.find(activity.correlation);
        if (found == spooled.addresses.end()) {
            continue;
        }
        const auto& addresses = found->second;
        if (auto* const copy = std::get_if<TracedCopy>(&activity.what)) {
            copy->source_address = Address{addresses.source};
            copy->destination_address = Address{addresses.destination};
        } else if (auto* const memset = std::get_if<TracedMemset>(&activity.what)) {
            memset->address = Address{addresses.destination};
        }
    }
}

void join_devices(Spooled& spooled) {
    auto& trace = spooled.trace;
    for (const auto& link : spooled.links) {
        for (auto& device : trace.devices) {
            if (number(device.id) == link.device && link.generation != 0) {
                device.pcie_generation = link.generation;
                device.pcie_width = link.width;
            }
        }
    }
    if (trace.contexts.empty()) {
        return;
    }
    std::erase_if(trace.devices, [&](const DeviceProperties& device) {
        return std::ranges::none_of(trace.contexts, [&](const ContextProperties& context) {
            return context.device == device.id;
        });
    });
}

TraceTime last_call(const Trace& trace) {
    TraceTime last{};
    for (const auto& call : trace.api_calls) {
        last = std::max(last, call.end);
    }
    return last;
}

/// A range that was opened before the recording is left out; one that was never closed lasts until
/// the last call.
void join_ranges(Spooled& spooled) {
    auto& trace = spooled.trace;
    std::ranges::stable_sort(spooled.range_edges, {}, &RangeEdge::time);
    std::unordered_map<std::uint32_t, RangeEdge> open;
    const auto close = [&](const RangeEdge& start, TraceTime end) {
        trace.ranges.push_back({start.time, end, start.name, start.process, start.thread});
    };
    for (const auto& edge : spooled.range_edges) {
        if (edge.starts) {
            open.insert_or_assign(edge.id, edge);
        } else if (const auto start = open.find(edge.id); start != open.end()) {
            close(start->second, edge.time);
            open.erase(start);
        }
    }
    const auto last = last_call(trace);
    for (const auto& [id, start] : open) {
        close(start, std::max(last, start.time));
    }
}

void judge_quality(Spooled& spooled) {
    auto& quality = spooled.trace.quality;
    quality.truncated = !spooled.closed || spooled.signal || spooled.tracing_off;
    // Where the program was cut off, a record without an end is work that was under way.
    (quality.truncated ? quality.unfinished_records : quality.zero_timestamps) =
        spooled.zero_timestamps;
    quality.zero_timestamps += spooled.impossible_times;
    Duration in_cupti{};
    for (const auto& overhead : spooled.trace.overheads) {
        if (is_recorders_own(overhead.kind)) {
            in_cupti += overhead.end - overhead.start;
        }
    }
    quality.time_in_cupti = in_cupti;
}

template <typename List>
void sort_by_start(List& list) {
    std::ranges::stable_sort(list, {}, [](const auto& item) { return item.start; });
}

void sort_lists(Trace& trace) {
    sort_by_start(trace.api_calls);
    sort_by_start(trace.activities);
    sort_by_start(trace.synchronisations);
    sort_by_start(trace.overheads);
    sort_by_start(trace.ranges);
    std::ranges::stable_sort(trace.memory_operations, {}, &MemoryOperation::time);
}

}  // namespace

std::vector<std::filesystem::path> spool_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".spool") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

SpooledProcess read_spool(const std::filesystem::path& file) {
    auto spooled = read_file(file);
    auto snapshot = file;
    snapshot += ".unfinished";
    if (!spooled.closed && std::filesystem::exists(snapshot)) {
        add_unfinished(spooled, read_file(snapshot));
    }
    join_ranges(spooled);
    judge_quality(spooled);
    join_addresses(spooled);
    join_devices(spooled);
    join_api_pairs(spooled.trace);
    join_addresses(spooled);  // again, for what was handed from a driver call to its runtime call
    sort_lists(spooled.trace);
    return {std::move(spooled.trace), spooled.process, spooled.started_ns,
            spooled.closed,           spooled.signal,  std::move(spooled.tracing_off),
            spooled.counter_passes};
}

}  // namespace overcast
