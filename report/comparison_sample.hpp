// A comparison with round numbers, for the golden tests of the reports.
#pragma once

#include "core/comparison.hpp"

#include <string>

namespace overcast {

inline TimelineEntry sample_entry(Duration call, Duration returned, Duration start, Duration end) {
    TimelineEntry entry;
    entry.call_start = TimelineTime{call};
    entry.call_end = TimelineTime{returned};
    entry.device_start = TimelineTime{start};
    entry.device_end = TimelineTime{end};
    entry.on_device = end > start;
    return entry;
}

/// A copy and a kernel that is 50 us late on the right, a wait, and an operation on one side alone.
inline Comparison sample_comparison() {
    using namespace std::chrono_literals;
    Comparison comparison;
    comparison.left = {"before", "a.json.gz", "NVIDIA H200", 1ms, 900us, 700us, 0.25, 0.5, 3, 1, 1};
    comparison.right = {"after", "b.json.gz", "NVIDIA H200", 800us, 700us, 650us, 0.3, 0.6, 2, 2,
                        1};
    ComparedOperation copy;
    copy.kind = "H2D copy";
    copy.amount = 1U << 20U;
    copy.left_stream = StreamId{7};
    copy.right_stream = StreamId{13};
    copy.left = sample_entry(0us, 2us, 5us, 30us);
    copy.right = sample_entry(0us, 2us, 5us, 30us);
    ComparedOperation kernel;
    kernel.kind = "kernel";
    kernel.name = "void scale<float>(float*, int)";
    kernel.amount = 528;
    kernel.ordinal = 1;
    kernel.left_stream = StreamId{7};
    kernel.right_stream = StreamId{7};
    kernel.left = sample_entry(10us, 12us, 40us, 140us);
    kernel.right = sample_entry(10us, 12us, 90us, 150us);
    ComparedOperation wait;
    wait.kind = "call";
    wait.name = "cudaStreamSynchronize";
    wait.left_stream = StreamId{7};
    wait.right_stream = StreamId{7};
    wait.left = sample_entry(20us, 720us, 0us, 0us);
    wait.right = sample_entry(20us, 670us, 0us, 0us);
    wait.waits = true;
    comparison.matched = {copy, kernel, wait};
    comparison.only_left = {
        {"memset", "", 4096, StreamId{7}, sample_entry(1us, 2us, 150us, 152us)}};
    comparison.kinds = {
        {"kernel", 1, 1, 100us, 60us}, {"H2D copy", 1, 1, 25us, 25us}, {"memset", 1, 0, 2us, 0us}};
    comparison.waits = {{"cudaStreamSynchronize", 1, 1, 700us, 650us, 0.071428571}};
    comparison.start_delay = Agreement{2, 0.8333333, 1.6666666};
    comparison.waiting_calls = Agreement{1, 0.071428571, 0.071428571};
    comparison.warnings = {{"launch-blocking", "before: CUDA_LAUNCH_BLOCKING was set."}};
    return comparison;
}

}  // namespace overcast
