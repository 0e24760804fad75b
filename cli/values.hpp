// Values of options: from text to what the rest of the program works with. All throw UsageError
// that names the option, shows what was given, and says what may be given.
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/prediction.hpp"
#include "core/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

enum class OutputFormat : std::uint8_t { table, json, csv };

/// "1,2,4,8", "1..16" and mixtures, in the given order without repetitions.
std::vector<std::uint32_t> parse_stream_list(std::string_view text);

/// "250ns", "2us", "2.5µs", "1ms", "1s"; never negative.
Duration parse_duration(std::string_view option, std::string_view text);

/// "kern_ovhd=2us" replaces that gap in `overheads`.
void parse_overhead(std::string_view text, OverheadParameters& overheads);

/// A whole number from `least` to `most`.
std::uint32_t parse_number(std::string_view option, std::string_view text, std::uint32_t least,
                           std::uint32_t most);

/// A decimal number of at least 0.
double parse_percentage(std::string_view option, std::string_view text);

/// "25GB/s", "900MB/s": decimal units, more than 0.
Bandwidth parse_bandwidth(std::string_view option, std::string_view text);

/// "scale=0.5": a name and a factor of at least 0.
struct NamedFactor {
    std::string name;
    double factor = 1;
};
NamedFactor parse_scale(std::string_view option, std::string_view text);

Transform parse_transform(std::string_view text);
SyncPolicy parse_sync_policy(std::string_view text);
SplitKernels parse_split_kernels(std::string_view text);
std::vector<IssueOrder> parse_order_list(std::string_view text);
/// "a,b": what stands between commas, as it is.
std::vector<std::string> parse_words(std::string_view text);
OutputFormat parse_output_format(std::string_view text);

/// "all", "profiler-api" or "nvtx:NAME"; "all" becomes "".
std::string parse_range(std::string_view text);

}  // namespace overcast
