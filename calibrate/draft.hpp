// A device model in the making: starts from defaults, remembers what was measured.
#pragma once

#include "model/calibration/estimate.hpp"
#include "model/calibration/piecewise_fit.hpp"
#include "model/device_model.hpp"
#include "model/device_model_notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// To what a reader of the file can use, of factors, shares and ns of loads.
double to_four_decimals(double value);

class Draft {
public:
    /// `sitting` ends each source text: "driver 580.159, CUDA 13.0, 2026-11-20".
    Draft(DeviceModel defaults, std::string sitting);

    /// A time is never less than nothing; the interval stays as it was found.
    void set(const std::string& name, Duration& place, const Estimate& estimate,
             const std::string& source);
    void set(const std::string& name, double& place, const Estimate& estimate,
             const std::string& source);
    /// From a slope in nanoseconds per byte.
    void set_bandwidth(const std::string& name, Bandwidth& place, const Estimate& ns_per_byte,
                       const std::string& source);
    void set_curve(const std::string& name, Curve& place, const std::vector<DataPoint>& points,
                   const std::string& source);
    /// The same with more points; the source is added to the one that it has.
    void extend_curve(const std::string& name, Curve& place, const std::vector<DataPoint>& points,
                      const std::string& source);
    void set_count(const std::string& name, std::uint32_t& place, std::uint32_t value,
                   const std::string& source);
    void set_limit(const std::string& name, Bytes& place, std::uint64_t bytes,
                   const std::string& source);
    void set_ids(const std::string& name, std::vector<std::uint32_t>& place,
                 std::vector<std::uint32_t> ids, const std::string& source);

    void set_connections(const std::string& name, std::vector<ConnectionChannels>& place,
                         std::vector<ConnectionChannels> settings, const std::string& source);
    void set_service(const std::string& name, CopyService& place, CopyService service,
                     const std::string& source);
    /// The median of the offsets; none where there are none.
    void set_threshold(const std::string& name, std::optional<Duration>& place,
                       const std::vector<double>& offsets_ns, const std::string& source);
    /// From lines in nanoseconds over bytes; a single one is no piece.
    void set_pieces(const std::string& name, std::vector<LinePiece>& place,
                    const std::vector<FittedPiece>& pieces, const std::string& source);
    /// The sitting is added to its source.
    void observe(Observation observation);

    DeviceModel model;
    DeviceModelNotes notes;

private:
    void note(const std::string& name, const std::string& source);
    void note(const std::string& name, const std::string& source, const Estimate& estimate);

    std::string sitting_;
};

}  // namespace overcast
