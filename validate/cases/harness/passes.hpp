// Timed passes, those that the host's other work slowed down left out.
#pragma once

#include <cstddef>
#include <vector>

namespace overcast::cases {

struct Walls {
    std::vector<double> us;     ///< as many as were asked for
    std::size_t disturbed = 0;  ///< how many of them could not be had undisturbed
};

/// Makes passes until `count` of them were undisturbed. At most a quarter of a second goes into
/// passes that are thrown away; after that disturbed ones count, too.
/// `Host`: settle(), disturbed(). `run`: makes a pass, returns its time in us.
template <typename Host, typename Run>
Walls timed_passes(std::size_t count, Host& host, Run run) {
    constexpr double kMostThrownAwayUs = 250'000;
    std::vector<double> quiet;
    std::vector<double> disturbed;
    double thrown_away = 0;
    while (quiet.size() < count &&
           (thrown_away < kMostThrownAwayUs || quiet.size() + disturbed.size() < count)) {
        if (host.disturbed()) {
            host.settle();
        }
        const double wall = run();
        if (host.disturbed()) {
            disturbed.push_back(wall);
            thrown_away += wall;
        } else {
            quiet.push_back(wall);
        }
    }
    Walls walls{quiet, count - quiet.size()};
    // The last ones: the first are the likeliest to have been slow for other reasons.
    walls.us.insert(walls.us.end(), disturbed.end() - static_cast<std::ptrdiff_t>(walls.disturbed),
                    disturbed.end());
    return walls;
}

}  // namespace overcast::cases
