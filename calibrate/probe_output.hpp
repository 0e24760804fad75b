// What a probe printed: lines of words (model/probes/probe.cuh).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// What follows a marker kernel with this grid.
struct PhaseLabel {
    std::string quantity;
    double x = 0;
    double y = 0;
    std::string probe = {};  ///< of several in one process
};

struct ProbeOutput {
    /// Samples in nanoseconds, by quantity and x.
    std::map<std::string, std::map<double, std::vector<double>>, std::less<>> samples;
    std::map<std::string, double, std::less<>> values;
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::uint32_t, PhaseLabel> phases;

    /// All samples of a quantity at x; empty where there are none.
    [[nodiscard]] std::vector<double> at(std::string_view quantity, double x) const;
    /// Median of those. Throws ModelFileError where there are none.
    [[nodiscard]] double median(std::string_view quantity, double x) const;
    /// The x at which a quantity was measured, rising.
    [[nodiscard]] std::vector<double> xs(std::string_view quantity) const;
};

/// Of several probes that ran in one process what `probe` printed; empty: what any of them did.
/// Throws ModelFileError for a line that is none of a probe's.
ProbeOutput parse_probe_output(std::string_view text, std::string_view probe = {});

}  // namespace overcast
