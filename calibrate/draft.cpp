#include "calibrate/draft.hpp"

#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace overcast {

double to_four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

Draft::Draft(DeviceModel defaults, std::string sitting)
    : model{std::move(defaults)}, sitting_{std::move(sitting)} {}

void Draft::note(const std::string& name, const std::string& source) {
    notes.parameters[name] = {fmt::format("{}; {}", source, sitting_), {}};
}

void Draft::note(const std::string& name, const std::string& source, const Estimate& estimate) {
    notes.parameters[name] = {fmt::format("{}; {}", source, sitting_), estimate};
}

void Draft::set(const std::string& name, Duration& place, const Estimate& estimate,
                const std::string& source) {
    place = round_to_duration(std::max(0.0, estimate.value));
    note(name, source, estimate);
}

void Draft::set(const std::string& name, double& place, const Estimate& estimate,
                const std::string& source) {
    place = estimate.value;
    note(name, source, estimate);
}

void Draft::set_bandwidth(const std::string& name, Bandwidth& place, const Estimate& ns_per_byte,
                          const std::string& source) {
    constexpr double kNsPerSecond = 1e9;
    place = Bandwidth{kNsPerSecond / ns_per_byte.value};
    auto estimate = ns_per_byte;
    estimate.value = place.bytes_per_s();
    estimate.low = kNsPerSecond / ns_per_byte.high;
    estimate.high = kNsPerSecond / ns_per_byte.low;
    note(name, source, estimate);
}

void Draft::set_curve(const std::string& name, Curve& place, const std::vector<DataPoint>& points,
                      const std::string& source) {
    std::vector<Curve::Point> curve;
    for (const auto& point : points) {
        curve.push_back({point.x, point.y});
    }
    place = Curve{std::move(curve)};
    note(name, source);
}

void Draft::extend_curve(const std::string& name, Curve& place,
                         const std::vector<DataPoint>& points, const std::string& source) {
    const auto before = notes.parameters.find(name);
    const auto known = before == notes.parameters.end() ? "" : before->second.source + "; ";
    set_curve(name, place, points, known + source);
}

void Draft::set_count(const std::string& name, std::uint32_t& place, std::uint32_t value,
                      const std::string& source) {
    place = value;
    note(name, source);
}

void Draft::set_limit(const std::string& name, Bytes& place, std::uint64_t bytes,
                      const std::string& source) {
    place = Bytes{bytes};
    note(name, source);
}

void Draft::set_ids(const std::string& name, std::vector<std::uint32_t>& place,
                    std::vector<std::uint32_t> ids, const std::string& source) {
    place = std::move(ids);
    note(name, source);
}

void Draft::set_connections(const std::string& name, std::vector<ConnectionChannels>& place,
                            std::vector<ConnectionChannels> settings, const std::string& source) {
    place = std::move(settings);
    note(name, source);
}

void Draft::set_service(const std::string& name, CopyService& place, CopyService service,
                        const std::string& source) {
    place = service;
    note(name, source);
}

void Draft::set_threshold(const std::string& name, std::optional<Duration>& place,
                          const std::vector<double>& offsets_ns, const std::string& source) {
    if (offsets_ns.empty()) {
        place.reset();
        note(name, source);
        return;
    }
    set(name, place.emplace(), fit_median(offsets_ns), source);
}

void Draft::set_pieces(const std::string& name, std::vector<LinePiece>& place,
                       const std::vector<FittedPiece>& pieces, const std::string& source) {
    constexpr double kNsPerSecond = 1e9;
    place.clear();
    std::string words;
    for (const auto& piece : pieces) {
        const auto& [start, slope, worst] = piece.line;
        if (pieces.size() > 1) {
            place.push_back({Bytes{static_cast<std::uint64_t>(piece.from)},
                             round_to_duration(start.value),
                             Bandwidth{kNsPerSecond / slope.value}});
        }
        words += fmt::format("{}{:.0f} to {:.0f} B: {} points, largest residual {:.1f} %",
                             words.empty() ? "" : "; ", start.valid_from, start.valid_to,
                             start.points, worst * 100);
    }
    note(name, fmt::format("{}; {} by Schwarz's criterion ({})", source,
                           pieces.size() > 1 ? fmt::format("{} lines", pieces.size()) : "one line",
                           words));
}

void Draft::observe(Observation observation) {
    observation.source += "; " + sitting_;
    notes.observations.push_back(std::move(observation));
}

}  // namespace overcast
