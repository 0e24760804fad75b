#include "model/device_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overcast {
namespace {

using Ids = std::vector<std::uint32_t>;

/// The measured settings on both sides of a value: the same twice beyond the last of either side.
struct Neighbours {
    const ConnectionChannels* below = nullptr;
    const ConnectionChannels* above = nullptr;
};

Neighbours neighbours(const std::vector<ConnectionChannels>& measured, std::uint32_t connections) {
    const auto above =
        std::ranges::lower_bound(measured, connections, {}, &ConnectionChannels::connections);
    if (above == measured.end()) {
        return {&measured.back(), &measured.back()};
    }
    if (above == measured.begin() || above->connections == connections) {
        return {&*above, &*above};
    }
    return {&*std::prev(above), &*above};
}

/// Observed: the ids of c channels of each kind are 0 … c-1 for compute, then H2D, then D2H (7).
Ids counted_up(std::uint32_t first, std::size_t count) {
    Ids ids(std::max<std::size_t>(1, count));
    std::iota(ids.begin(), ids.end(), first);
    return ids;
}

std::size_t count_between(const Neighbours& known, std::uint32_t connections,
                          Ids ConnectionChannels::*kind) {
    const auto below = static_cast<double>((known.below->*kind).size());
    const auto above = static_cast<double>((known.above->*kind).size());
    const double span = known.above->connections - known.below->connections;
    const double share = span > 0 ? (connections - known.below->connections) / span : 0;
    return static_cast<std::size_t>(std::lround(below + (above - below) * share));
}

}  // namespace

ConnectionChannels channels_under(const ChannelParameters& channels,
                                  std::optional<std::uint32_t> connections) {
    if (!connections) {
        return {0, channels.compute, channels.h2d, channels.d2h};
    }
    const auto wanted = std::max(1U, *connections);
    if (channels.by_connections.empty()) {
        return {wanted, counted_up(0, wanted), counted_up(wanted, wanted),
                counted_up(2 * wanted, wanted)};
    }
    const auto known = neighbours(channels.by_connections, wanted);
    if (known.below->connections == wanted) {
        return *known.below;
    }
    ConnectionChannels made{wanted, {}, {}, {}};
    std::uint32_t first = 0;
    for (const auto kind :
         {&ConnectionChannels::compute, &ConnectionChannels::h2d, &ConnectionChannels::d2h}) {
        made.*kind = counted_up(first, count_between(known, wanted, kind));
        first += static_cast<std::uint32_t>((made.*kind).size());
    }
    return made;
}

}  // namespace overcast
