#include "formats/trace_samples_test.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

void expect_same_kernel(const Trace& actual, const TracedKernel& left, const Trace& expected,
                        const TracedKernel& right) {
    EXPECT_EQ(actual.names[left.name], expected.names[right.name]);
    EXPECT_EQ(left.shape, right.shape);
}

void expect_same_what(const Trace&, const TracedCopy& left, const Trace&, const TracedCopy& right) {
    EXPECT_EQ(left.kind, right.kind);
    EXPECT_EQ(left.source, right.source);
    EXPECT_EQ(left.destination, right.destination);
    EXPECT_EQ(left.asynchronous, right.asynchronous);
    EXPECT_EQ(left.bytes, right.bytes);
    EXPECT_EQ(left.source_address, right.source_address);
    EXPECT_EQ(left.destination_address, right.destination_address);
}

void expect_same_activity(const Trace& actual, const DeviceActivity& left, const Trace& expected,
                          const DeviceActivity& right) {
    EXPECT_EQ(left.start, right.start);
    EXPECT_EQ(left.end, right.end);
    EXPECT_EQ(left.correlation, right.correlation);
    EXPECT_EQ(left.device, right.device);
    EXPECT_EQ(left.context, right.context);
    EXPECT_EQ(left.stream, right.stream);
    EXPECT_EQ(left.channel, right.channel);
    EXPECT_EQ(left.queued, right.queued);
    EXPECT_EQ(left.submitted, right.submitted);
    EXPECT_EQ(left.graph, right.graph);
    EXPECT_EQ(left.graph_node, right.graph_node);
    ASSERT_EQ(left.what.index(), right.what.index());
    if (const auto* kernel = std::get_if<TracedKernel>(&left.what)) {
        expect_same_kernel(actual, *kernel, expected, std::get<TracedKernel>(right.what));
    } else if (const auto* copy = std::get_if<TracedCopy>(&left.what)) {
        expect_same_what(actual, *copy, expected, std::get<TracedCopy>(right.what));
    } else {
        const auto& memset = std::get<TracedMemset>(left.what);
        const auto& other = std::get<TracedMemset>(right.what);
        EXPECT_EQ(memset.bytes, other.bytes);
        EXPECT_EQ(memset.value, other.value);
        EXPECT_EQ(memset.asynchronous, other.asynchronous);
        EXPECT_EQ(memset.address, other.address);
    }
}

void expect_same_head(const Trace& actual, const Trace& expected) {
    EXPECT_EQ(actual.producer, expected.producer);
    EXPECT_EQ(actual.program, expected.program);
    EXPECT_EQ(actual.date, expected.date);
    EXPECT_EQ(actual.environment, expected.environment);
    EXPECT_EQ(actual.driver_version, expected.driver_version);
    EXPECT_EQ(actual.cuda_version, expected.cuda_version);
    EXPECT_EQ(actual.record_mode, expected.record_mode);
    EXPECT_EQ(actual.range, expected.range);
    ASSERT_EQ(actual.recorded_ranges.size(), expected.recorded_ranges.size());
    for (std::size_t i = 0; i < expected.recorded_ranges.size(); ++i) {
        EXPECT_EQ(actual.recorded_ranges[i].start, expected.recorded_ranges[i].start);
        EXPECT_EQ(actual.recorded_ranges[i].end, expected.recorded_ranges[i].end);
    }
    EXPECT_EQ(actual.quality.dropped_records, expected.quality.dropped_records);
    EXPECT_EQ(actual.quality.zero_timestamps, expected.quality.zero_timestamps);
    EXPECT_EQ(actual.quality.unfinished_records, expected.quality.unfinished_records);
    EXPECT_EQ(actual.quality.time_in_cupti, expected.quality.time_in_cupti);
    EXPECT_EQ(actual.quality.truncated, expected.quality.truncated);
    ASSERT_EQ(actual.counters.size(), expected.counters.size());
    for (std::size_t i = 0; i < expected.counters.size(); ++i) {
        EXPECT_EQ(actual.names[actual.counters[i].name], expected.names[expected.counters[i].name]);
        EXPECT_EQ(actual.counters[i].grid, expected.counters[i].grid);
        EXPECT_EQ(actual.counters[i].block, expected.counters[i].block);
        EXPECT_EQ(actual.counters[i].dynamic_shared_memory,
                  expected.counters[i].dynamic_shared_memory);
        EXPECT_EQ(actual.counters[i].launches, expected.counters[i].launches);
        EXPECT_EQ(actual.counters[i].measured_launches, expected.counters[i].measured_launches);
        EXPECT_EQ(actual.counters[i].values, expected.counters[i].values);
    }
    ASSERT_EQ(actual.code.size(), expected.code.size());
    for (std::size_t i = 0; i < expected.code.size(); ++i) {
        auto renamed = actual.code[i];
        EXPECT_EQ(actual.names[renamed.name], expected.names[expected.code[i].name]);
        renamed.name = expected.code[i].name;
        EXPECT_EQ(renamed, expected.code[i]);
    }
    EXPECT_EQ(actual.warnings, expected.warnings);
}

void expect_same_devices(const Trace& actual, const Trace& expected) {
    ASSERT_EQ(actual.devices.size(), expected.devices.size());
    for (std::size_t i = 0; i < expected.devices.size(); ++i) {
        const auto& left = actual.devices[i];
        const auto& right = expected.devices[i];
        EXPECT_EQ(left.id, right.id);
        EXPECT_EQ(left.name, right.name);
        EXPECT_EQ(left.compute_capability_major, right.compute_capability_major);
        EXPECT_EQ(left.compute_capability_minor, right.compute_capability_minor);
        EXPECT_EQ(left.multiprocessors, right.multiprocessors);
        EXPECT_EQ(left.threads_per_multiprocessor, right.threads_per_multiprocessor);
        EXPECT_EQ(left.blocks_per_multiprocessor, right.blocks_per_multiprocessor);
        EXPECT_EQ(left.registers_per_multiprocessor, right.registers_per_multiprocessor);
        EXPECT_EQ(left.shared_memory_per_multiprocessor, right.shared_memory_per_multiprocessor);
        EXPECT_EQ(left.shared_memory_per_block, right.shared_memory_per_block);
        EXPECT_EQ(left.async_engines, right.async_engines);
        EXPECT_EQ(left.memory, right.memory);
        EXPECT_EQ(left.l2_cache, right.l2_cache);
        EXPECT_EQ(left.core_clock_khz, right.core_clock_khz);
        EXPECT_EQ(left.memory_bandwidth_bytes_per_s, right.memory_bandwidth_bytes_per_s);
        EXPECT_EQ(left.pcie_generation, right.pcie_generation);
        EXPECT_EQ(left.pcie_width, right.pcie_width);
    }
    ASSERT_EQ(actual.contexts.size(), expected.contexts.size());
    for (std::size_t i = 0; i < expected.contexts.size(); ++i) {
        EXPECT_EQ(actual.contexts[i].context, expected.contexts[i].context);
        EXPECT_EQ(actual.contexts[i].device, expected.contexts[i].device);
        EXPECT_EQ(actual.contexts[i].null_stream, expected.contexts[i].null_stream);
    }
    ASSERT_EQ(actual.streams.size(), expected.streams.size());
    for (std::size_t i = 0; i < expected.streams.size(); ++i) {
        EXPECT_EQ(actual.streams[i].context, expected.streams[i].context);
        EXPECT_EQ(actual.streams[i].stream, expected.streams[i].stream);
        EXPECT_EQ(actual.streams[i].flag, expected.streams[i].flag);
        EXPECT_EQ(actual.streams[i].priority, expected.streams[i].priority);
    }
}

void expect_same_calls(const Trace& actual, const Trace& expected) {
    ASSERT_EQ(actual.api_calls.size(), expected.api_calls.size());
    for (std::size_t i = 0; i < expected.api_calls.size(); ++i) {
        const auto& left = actual.api_calls[i];
        const auto& right = expected.api_calls[i];
        SCOPED_TRACE(std::string{expected.names[right.name]});
        EXPECT_EQ(left.start, right.start);
        EXPECT_EQ(left.end, right.end);
        EXPECT_EQ(left.correlation, right.correlation);
        EXPECT_EQ(actual.names[left.name], expected.names[right.name]);
        EXPECT_EQ(left.process, right.process);
        EXPECT_EQ(left.thread, right.thread);
        EXPECT_EQ(left.return_value, right.return_value);
        EXPECT_EQ(left.domain, right.domain);
    }
}

void expect_same_waits(const Trace& actual, const Trace& expected) {
    ASSERT_EQ(actual.synchronisations.size(), expected.synchronisations.size());
    for (std::size_t i = 0; i < expected.synchronisations.size(); ++i) {
        const auto& left = actual.synchronisations[i];
        const auto& right = expected.synchronisations[i];
        EXPECT_EQ(left.start, right.start);
        EXPECT_EQ(left.end, right.end);
        EXPECT_EQ(left.correlation, right.correlation);
        EXPECT_EQ(left.context, right.context);
        EXPECT_EQ(left.kind, right.kind);
        EXPECT_EQ(left.stream, right.stream);
        EXPECT_EQ(left.event, right.event);
        EXPECT_EQ(left.event_sync, right.event_sync);
        EXPECT_EQ(left.record_correlation, right.record_correlation);
        EXPECT_EQ(left.record_stream, right.record_stream);
    }
    ASSERT_EQ(actual.event_recordings.size(), expected.event_recordings.size());
    for (std::size_t i = 0; i < expected.event_recordings.size(); ++i) {
        const auto& left = actual.event_recordings[i];
        const auto& right = expected.event_recordings[i];
        EXPECT_EQ(left.correlation, right.correlation);
        EXPECT_EQ(left.context, right.context);
        EXPECT_EQ(left.stream, right.stream);
        EXPECT_EQ(left.event, right.event);
        EXPECT_EQ(left.event_sync, right.event_sync);
        EXPECT_EQ(left.device_time, right.device_time);
    }
}

void expect_same_rest(const Trace& actual, const Trace& expected) {
    ASSERT_EQ(actual.memory_operations.size(), expected.memory_operations.size());
    for (std::size_t i = 0; i < expected.memory_operations.size(); ++i) {
        const auto& left = actual.memory_operations[i];
        const auto& right = expected.memory_operations[i];
        EXPECT_EQ(left.time, right.time);
        EXPECT_EQ(left.correlation, right.correlation);
        EXPECT_EQ(left.process, right.process);
        EXPECT_EQ(left.kind, right.kind);
        EXPECT_EQ(left.release, right.release);
        EXPECT_EQ(left.asynchronous, right.asynchronous);
        EXPECT_EQ(left.address, right.address);
        EXPECT_EQ(left.bytes, right.bytes);
    }
    ASSERT_EQ(actual.overheads.size(), expected.overheads.size());
    for (std::size_t i = 0; i < expected.overheads.size(); ++i) {
        EXPECT_EQ(actual.overheads[i].start, expected.overheads[i].start);
        EXPECT_EQ(actual.overheads[i].end, expected.overheads[i].end);
        EXPECT_EQ(actual.overheads[i].kind, expected.overheads[i].kind);
        EXPECT_EQ(actual.overheads[i].thread, expected.overheads[i].thread);
    }
    ASSERT_EQ(actual.ranges.size(), expected.ranges.size());
    for (std::size_t i = 0; i < expected.ranges.size(); ++i) {
        const auto& left = actual.ranges[i];
        const auto& right = expected.ranges[i];
        EXPECT_EQ(left.start, right.start);
        EXPECT_EQ(left.end, right.end);
        EXPECT_EQ(actual.names[left.name], expected.names[right.name]);
        EXPECT_EQ(left.process, right.process);
        EXPECT_EQ(left.thread, right.thread);
    }
}

}  // namespace

void expect_same_trace(const Trace& actual, const Trace& expected) {
    expect_same_head(actual, expected);
    expect_same_devices(actual, expected);
    expect_same_calls(actual, expected);
    ASSERT_EQ(actual.activities.size(), expected.activities.size());
    for (std::size_t i = 0; i < expected.activities.size(); ++i) {
        SCOPED_TRACE(i);
        expect_same_activity(actual, actual.activities[i], expected, expected.activities[i]);
    }
    expect_same_waits(actual, expected);
    expect_same_rest(actual, expected);
}

}  // namespace overcast
