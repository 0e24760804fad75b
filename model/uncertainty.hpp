// How sure the parameters are: a device model moved to an end of its 90 % intervals
// (docs/model.md#intervals).
#pragma once

#include "core/operation.hpp"
#include "core/overhead_parameters.hpp"
#include "model/device_model.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace overcast {

/// What may be other than predicted. The parameters of one cause move together, those of different
/// causes independently.
enum class Cause : std::uint8_t {
    copies_to_device,
    copies_to_host,
    gaps,
    host,
    kernels,
    kernel_sharing,
    slow_downs,
    use_of_memory,
};

inline constexpr std::array kCauses{
    Cause::copies_to_device, Cause::copies_to_host, Cause::gaps,       Cause::host,
    Cause::kernels,          Cause::kernel_sharing, Cause::slow_downs, Cause::use_of_memory};

/// "the gaps between operations vary", as it stands behind "mostly because".
std::string_view in_words(Cause cause);

/// Which end of an interval: the one at which programs take longer, or the other.
enum class Pace : std::uint8_t { slower, faster };

/// `model` with every parameter of `cause` at that end of its 90 % interval: that of its row in the
/// device model file, else the relative one that is assumed for its kind (docs/model.md#intervals).
/// `kernel.saturating_warps` takes the range of UncertaintyParameters: what the probe's kernels
/// need says little about others.
DeviceModel at_end(const DeviceModel& model, Cause cause, Pace pace);

/// Gaps that a trace showed, at that end: the standard error of their median, and what tracing
/// added to them.
OverheadParameters at_end(const OverheadParameters& measured, const DeviceModel& model, Pace pace);

/// By which factors another run differs from the recorded one at that end of the intervals; the
/// scatter within one run apart.
class RunFactors {
public:
    RunFactors(const DeviceModel& model, Pace pace);

    /// On the duration of a copy, memset or kernel.
    [[nodiscard]] double duration(const Operation& operation) const;
    /// On the host time inside the call of an operation.
    [[nodiscard]] double call(const Operation& operation) const;
    /// On the host time between two calls.
    [[nodiscard]] double between_calls() const { return between_calls_; }

private:
    struct Copies {
        double pinned = 1;
        double pageable = 1;
    };
    struct Calls {
        double kernel_launch = 1;
        double copy = 1;
        double memset = 1;
        double event_record = 1;
        double event_wait = 1;
        double synchronise = 1;
        double host_function = 1;
        double other = 1;
    };
    Copies to_device_;
    Copies to_host_;
    double kernel_ = 1;
    Calls calls_;
    double between_calls_ = 1;
};

}  // namespace overcast
