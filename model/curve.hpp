// A measured quantity as a function of a size: points joined by straight lines.
#pragma once

#include <cstddef>
#include <vector>

namespace overcast {

/// y(x) through points with rising x. Outside them the nearest point's y holds: nothing is
/// extrapolated silently.
class Curve {
public:
    struct Point {
        double x = 0;
        double y = 0;

        bool operator==(const Point&) const = default;
    };

    Curve() = default;
    /// Throws ModelFileError if x does not rise strictly.
    explicit Curve(std::vector<Point> points);

    /// Straight lines in x.
    [[nodiscard]] double linear(double x) const;
    /// Straight lines in log x: for factors over sizes from KiB to GiB.
    [[nodiscard]] double logarithmic(double x) const;

    [[nodiscard]] bool empty() const { return points_.empty(); }
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }

private:
    std::vector<Point> points_;
};

}  // namespace overcast
