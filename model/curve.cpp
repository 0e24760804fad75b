#include "model/curve.hpp"

#include "core/error.hpp"

#include <cmath>
#include <utility>

namespace overcast {
namespace {

/// Finds the segment of `x` and interpolates with `position(x, left, right)` in [0, 1].
template <typename Position>
double interpolate(const std::vector<Curve::Point>& points, double x, Position position) {
    if (points.empty()) {
        return 0;
    }
    if (x <= points.front().x) {
        return points.front().y;
    }
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (x < points[i].x) {
            const auto& left = points[i - 1];
            const auto& right = points[i];
            return left.y + (right.y - left.y) * position(x, left.x, right.x);
        }
    }
    return points.back().y;
}

}  // namespace

Curve::Curve(std::vector<Point> points) : points_{std::move(points)} {
    for (std::size_t i = 1; i < points_.size(); ++i) {
        if (!(points_[i - 1].x < points_[i].x)) {
            throw ModelFileError("the x values of a curve must rise from point to point");
        }
    }
}

double Curve::linear(double x) const {
    return interpolate(points_, x, [](double at, double left, double right) {
        return (at - left) / (right - left);
    });
}

double Curve::logarithmic(double x) const {
    return interpolate(points_, x, [](double at, double left, double right) {
        return std::log(at / left) / std::log(right / left);
    });
}

}  // namespace overcast
