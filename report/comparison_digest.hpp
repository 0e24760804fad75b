// What of a Comparison people are shown: the answer in words, and the operations that differ most.
#pragma once

#include "core/comparison.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace overcast {

/// "-3.0 %": of `left`; "-" where there is nothing to relate to.
std::string change_in_percent(Duration left, Duration right);

/// "Makespan 9.397 ms before, 3.748 ms after: 5.649 ms less (-60.1 %)."
std::string headline(const Comparison& comparison, const TerminalStyle& style);

/// "24 operations and 1 wait; only before: 1, only after: 0".
std::string matched_in_words(const Comparison& comparison);

/// "scale<float>", "H2D copy, 8 MiB", "cudaStreamSynchronize".
std::string operation_in_words(const std::string& kind, const std::string& name,
                               std::uint64_t amount);

using EntryMeasure = std::function<Duration(const TimelineEntry&)>;

/// Where an operation stands on the time axis: its device start, or its call's.
Duration start_of(const TimelineEntry& entry);

/// On the device; of what the host does alone, its call's.
Duration length_of(const TimelineEntry& entry);

/// The operations in which `measure` differs most, `most` at most; of equals those that come first.
std::vector<const ComparedOperation*> most_different(const Comparison& comparison, std::size_t most,
                                                     const EntryMeasure& measure);

/// Operations that one side alone has and that read the same.
struct UnmatchedGroup {
    std::string text;  ///< operation_in_words
    std::uint64_t count = 0;
    Duration time{};
};

/// Most time first.
std::vector<UnmatchedGroup> unmatched_groups(const std::vector<UnmatchedOperation>& operations);

}  // namespace overcast
