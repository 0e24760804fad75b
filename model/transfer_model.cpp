#include "model/transfer_model.hpp"

#include <algorithm>

namespace overcast {
namespace {

bool is_pageable(const Copy& copy) {
    return copy.source == MemoryKind::pageable || copy.destination == MemoryKind::pageable;
}

/// TransferParameters and DeviceFillParameters alike: the piece that holds the size, else the line.
template <typename Parameters>
double pinned_ns(Bytes bytes, const Parameters& parameters) {
    auto latency = parameters.latency;
    auto bandwidth = parameters.bandwidth;
    for (const auto& piece : parameters.pieces) {
        if (piece.from <= bytes || &piece == &parameters.pieces.front()) {
            latency = piece.latency;
            bandwidth = piece.bandwidth;
        }
    }
    const double line = static_cast<double>(latency.count()) +
                        static_cast<double>(bytes.count()) / bandwidth.bytes_per_s() * 1e9;
    return std::max(0.0, line);
}

/// The pageable curve; beyond its last point at the rate of that point.
double pageable_ns(Bytes bytes, const Curve& curve) {
    const auto amount = static_cast<double>(bytes.count());
    const auto& last = curve.points().back();
    return amount > last.x ? last.y * amount / last.x : curve.linear(amount);
}

double modelled_ns(const Copy& copy, Bytes bytes, CopyPath path, const DeviceModel& model) {
    switch (path) {
        case CopyPath::inline_command:
            return model.inline_copies.duration_ns.empty()
                       ? static_cast<double>(model.inline_copies.duration.count())
                       : model.inline_copies.duration_ns.linear(static_cast<double>(bytes.count()));
        case CopyPath::sm: return pinned_ns(bytes, model.d2d);
        case CopyPath::h2d_engine:
        case CopyPath::d2h_engine: {
            const auto& direction = path == CopyPath::h2d_engine ? model.h2d : model.d2h;
            if (is_pageable(copy) && !direction.pageable_ns.empty()) {
                return pageable_ns(bytes, direction.pageable_ns);
            }
            return pinned_ns(bytes, direction);
        }
        case CopyPath::host: break;
    }
    return 0;
}

/// A measured duration, carried over to another amount by the ratio of a model at both.
template <typename ModelNs>
Duration scaled(const std::optional<Measured>& measured, Bytes bytes, ModelNs model_ns) {
    if (!measured) {
        return round_to_duration(model_ns(bytes));
    }
    if (measured->amount == bytes.count()) {
        return measured->duration;
    }
    const double at_measured = model_ns(Bytes{measured->amount});
    if (at_measured <= 0) {
        return measured->duration;
    }
    return round_to_duration(static_cast<double>(measured->duration.count()) * model_ns(bytes) /
                             at_measured);
}

/// Of a copy that `path` serves now: another one only where the recording showed it.
CopyPath path_when_measured(const Copy& copy, CopyPath path) {
    if (copy.kind != CopyKind::host_to_device || !copy.measured_inline) {
        return path;
    }
    return *copy.measured_inline ? CopyPath::inline_command : CopyPath::h2d_engine;
}

/// What a recorded copy of an engine would have taken with the link to itself: of the time s beside
/// the other direction it needed s / f.
std::optional<Measured> measured_alone(const Copy& copy, CopyPath path, const DeviceModel& model) {
    auto measured = copy.measured;
    const bool by_engine = path == CopyPath::h2d_engine || path == CopyPath::d2h_engine;
    if (!measured || !by_engine || copy.measured_in_duplex <= Duration{}) {
        return measured;
    }
    const auto& factor = (path == CopyPath::h2d_engine ? model.h2d : model.d2h).duplex_factor;
    const auto slowed = static_cast<double>(copy.measured_in_duplex.count());
    const double f = factor.empty()
                         ? 1
                         : std::max(1.0, factor.logarithmic(static_cast<double>(measured->amount)));
    measured->duration -= round_to_duration(slowed * (1 - 1 / f));
    return measured;
}

}  // namespace

CopyPath copy_path(const Copy& copy, bool stream_idle, const InlineCopyParameters& parameters) {
    switch (copy.kind) {
        case CopyKind::host_to_device: {
            const auto limit = copy.source == MemoryKind::pageable ? parameters.pageable_limit
                               : stream_idle                       ? parameters.pinned_idle_limit
                                                                   : parameters.pinned_limit;
            return copy.bytes <= limit ? CopyPath::inline_command : CopyPath::h2d_engine;
        }
        case CopyKind::device_to_host: return CopyPath::d2h_engine;
        case CopyKind::device_to_device:
        case CopyKind::peer_to_peer: return CopyPath::sm;
        case CopyKind::host_to_host: return CopyPath::host;
    }
    return CopyPath::host;
}

Duration copy_duration(const Copy& copy, CopyPath path, const DeviceModel& model) {
    const auto on = [&](CopyPath way) {
        return [&copy, &model, way](Bytes bytes) { return modelled_ns(copy, bytes, way, model); };
    };
    const auto measured_on = path_when_measured(copy, path);
    const auto measured = measured_alone(copy, measured_on, model);
    if (!measured || measured_on == path) {
        return scaled(measured, copy.bytes, on(path));
    }
    const double there = on(measured_on)(Bytes{measured->amount});
    const double here = on(path)(copy.bytes);
    return there > 0
               ? round_to_duration(static_cast<double>(measured->duration.count()) * here / there)
               : round_to_duration(here);
}

Duration inline_call_time(const Copy& copy, CopyPath path, const InlineCopyParameters& parameters) {
    if (path != CopyPath::inline_command || path_when_measured(copy, path) == path ||
        parameters.call_ns.empty()) {
        return {};
    }
    return round_to_duration(
        std::max(0.0, parameters.call_ns.linear(static_cast<double>(copy.bytes.count()))));
}

Duration memset_duration(const Memset& memset, const DeviceModel& model) {
    return scaled(memset.measured, memset.bytes,
                  [&](Bytes bytes) { return pinned_ns(bytes, model.memset); });
}

bool blocks_host(const Copy& copy, CopyPath path) {
    if (copy.buffered) {
        return false;
    }
    if (path == CopyPath::inline_command && copy.source == MemoryKind::pageable) {
        return false;  // the data left with the command: even cudaMemcpy returns early
    }
    return !copy.asynchronous || (is_pageable(copy) && path != CopyPath::inline_command);
}

bool returns_early(const Copy& copy, CopyPath path) {
    return path == CopyPath::h2d_engine && copy.source == MemoryKind::pageable && !copy.buffered;
}

}  // namespace overcast
