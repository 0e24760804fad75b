#include "validate/cases/colocation.hpp"
#include "validate/cases/harness/mix.hpp"

#include <algorithm>
#include <numeric>

namespace overcast::cases {

CountMap make_count_map(std::uint32_t width, std::uint32_t height) {
    CountMap map{width, height, {}, std::vector<std::uint32_t>(kFeatures)};
    map.counts.resize(kFeatures * map.cells());
    for (std::uint32_t feature = 0; feature < kFeatures; ++feature) {
        for (std::size_t cell = 0; cell < map.cells(); ++cell) {
            const std::uint32_t bits = mix(seed_of(feature, 0) + static_cast<std::uint32_t>(cell));
            // Every eighth cell holds events, one to four of them. The first cell always does, so
            // that no total is zero.
            const bool some = bits % 8 == 0 || cell == 0;
            const std::uint32_t count = some ? 1 + bits / 8 % 4 : 0;
            map.counts[feature * map.cells() + cell] = count;
            map.totals[feature] += count;
        }
    }
    return map;
}

std::vector<std::uint32_t> features_near(const CountMap& map) {
    std::vector<std::uint32_t> inside(map.cells());
    for (std::uint32_t feature = 0; feature < kFeatures; ++feature) {
        for (std::size_t cell = 0; cell < map.cells(); ++cell) {
            const bool some = map.counts[feature * map.cells() + cell] > 0;
            inside[cell] |= (some ? 1U : 0U) << feature;
        }
    }
    std::vector<std::uint32_t> near(map.cells());
    for (std::uint32_t row = 0; row < map.height; ++row) {
        for (std::uint32_t column = 0; column < map.width; ++column) {
            std::uint32_t set = 0;
            for (std::uint32_t y = row - std::min(row, 1U); y <= std::min(row + 1, map.height - 1);
                 ++y) {
                for (std::uint32_t x = column - std::min(column, 1U);
                     x <= std::min(column + 1, map.width - 1); ++x) {
                    set |= inside[std::size_t{y} * map.width + x];
                }
            }
            near[std::size_t{row} * map.width + column] = set;
        }
    }
    return near;
}

float participation_bound(const CountMap& map, std::span<const std::uint32_t> near,
                          std::span<const std::uint32_t> candidate) {
    std::uint32_t wanted = 0;
    for (const std::uint32_t feature : candidate) {
        wanted |= 1U << feature;
    }
    std::vector<std::uint32_t> participants(candidate.size());
    for (std::size_t cell = 0; cell < map.cells(); ++cell) {
        if ((near[cell] & wanted) == wanted) {
            for (std::size_t i = 0; i < candidate.size(); ++i) {
                participants[i] += map.counts[candidate[i] * map.cells() + cell];
            }
        }
    }
    float bound = 1.0F;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        bound = std::min(bound, static_cast<float>(participants[i]) /
                                    static_cast<float>(map.totals[candidate[i]]));
    }
    return bound;
}

std::vector<std::uint32_t> candidates_of(std::uint32_t degree) {
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> candidate(degree);
    std::iota(candidate.begin(), candidate.end(), 0U);
    while (true) {
        all.insert(all.end(), candidate.begin(), candidate.end());
        // The last place that can still grow grows; those behind it follow on.
        std::uint32_t place = degree;
        while (place > 0 && candidate[place - 1] == kFeatures - degree + place - 1) {
            --place;
        }
        if (place == 0) {
            return all;
        }
        ++candidate[place - 1];
        std::iota(candidate.begin() + place, candidate.end(), candidate[place - 1] + 1);
    }
}

}  // namespace overcast::cases
