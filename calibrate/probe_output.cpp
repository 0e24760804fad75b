#include "calibrate/probe_output.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"

#include <fmt/format.h>

#include <sstream>

namespace overcast {
namespace {

/// True where the line was understood. `probe` printed it.
bool parse_line(const std::string& line, const std::string& probe, ProbeOutput& output) {
    std::istringstream words{line};
    std::string kind;
    std::string quantity;
    words >> kind;
    if (kind == "phase") {
        std::uint32_t id = 0;
        PhaseLabel label;
        words >> id >> label.quantity >> label.x >> label.y;
        label.probe = probe;
        output.phases[id] = label;
    } else if (kind == "sample") {
        double x = 0;
        double nanoseconds = 0;
        words >> quantity >> x >> nanoseconds;
        output.samples[quantity][x].push_back(nanoseconds);
    } else if (kind == "value") {
        words >> quantity;
        words >> output.values[quantity];
    } else if (kind == "text") {
        words >> quantity >> std::ws;
        std::getline(words, output.texts[quantity]);
    } else {
        return false;
    }
    return !words.fail();
}

}  // namespace

std::vector<double> ProbeOutput::at(std::string_view quantity, double x) const {
    const auto found = samples.find(quantity);
    if (found == samples.end()) {
        return {};
    }
    const auto values_at = found->second.find(x);
    return values_at == found->second.end() ? std::vector<double>{} : values_at->second;
}

double ProbeOutput::median(std::string_view quantity, double x) const {
    const auto found = at(quantity, x);
    if (found.empty()) {
        throw ModelFileError(fmt::format("the probe measured no {} at {}", quantity, x));
    }
    return median_of(found);
}

std::vector<double> ProbeOutput::xs(std::string_view quantity) const {
    std::vector<double> all;
    if (const auto found = samples.find(quantity); found != samples.end()) {
        for (const auto& [x, values_at] : found->second) {
            all.push_back(x);
        }
    }
    return all;
}

ProbeOutput parse_probe_output(std::string_view text, std::string_view probe) {
    constexpr std::string_view kNext = "probe ";
    ProbeOutput output;
    std::string current;
    std::istringstream lines{std::string{text}};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(kNext)) {
            current = line.substr(kNext.size());
        } else if (!line.empty() && (probe.empty() || current == probe) &&
                   !parse_line(line, current, output)) {
            throw ModelFileError(fmt::format("not a line of a probe: '{}'", line));
        }
    }
    return output;
}

}  // namespace overcast
