#include "model/calibration/line_fit.hpp"

#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

void set_range(Estimate& estimate, const std::vector<DataPoint>& data) {
    const auto [first, last] = std::ranges::minmax(data, {}, &DataPoint::x);
    estimate.valid_from = first.x;
    estimate.valid_to = last.x;
    estimate.points = data.size();
}

Estimate around(double value, double error) {
    Estimate estimate;
    estimate.value = value;
    estimate.low = value - error;
    estimate.high = value + error;
    return estimate;
}

bool fits_a_line(const std::vector<DataPoint>& data) {
    return data.size() >= 3 &&
           std::ranges::all_of(data, [](const DataPoint& point) { return point.y > 0; }) &&
           std::ranges::any_of(data,
                               [&](const DataPoint& point) { return point.x != data.front().x; });
}

}  // namespace

LineFit fit_line(const std::vector<DataPoint>& data) {
    if (!fits_a_line(data)) {
        throw ModelFileError("a line needs three measurements of two sizes");
    }
    const auto n = static_cast<Eigen::Index>(data.size());
    // x is scaled to its largest, so that both columns are of one size: bytes reach 1e9.
    const double scale = std::ranges::max(data, {}, &DataPoint::x).x;
    Eigen::MatrixX2d design(n, 2);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto& point = data[static_cast<std::size_t>(i)];
        design(i, 0) = 1 / point.y;
        design(i, 1) = point.x / scale / point.y;
    }
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
    const Eigen::Vector2d found = design.colPivHouseholderQr().solve(ones);
    const Eigen::VectorXd errors = design * found - ones;
    const double variance = errors.squaredNorm() / static_cast<double>(n - 2);
    const Eigen::Matrix2d covariance = variance * (design.transpose() * design).inverse();
    const double t = student_t_95(data.size() - 2);
    LineFit fit;
    fit.start = around(found(0), t * std::sqrt(covariance(0, 0)));
    fit.slope = around(found(1) / scale, t * std::sqrt(covariance(1, 1)) / scale);
    fit.worst_residual = errors.cwiseAbs().maxCoeff();
    for (auto* estimate : {&fit.start, &fit.slope}) {
        set_range(*estimate, data);
        estimate->residual = std::sqrt(errors.squaredNorm() / static_cast<double>(n));
    }
    return fit;
}

Estimate fit_through_origin(const std::vector<DataPoint>& data) {
    const auto n = static_cast<Eigen::Index>(data.size());
    Eigen::VectorXd x(n);
    Eigen::VectorXd y(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        x(i) = data[static_cast<std::size_t>(i)].x;
        y(i) = data[static_cast<std::size_t>(i)].y;
    }
    if (n < 2 || x.squaredNorm() <= 0) {
        throw ModelFileError("a slope needs two measurements away from zero");
    }
    const double slope = x.dot(y) / x.squaredNorm();
    const Eigen::VectorXd errors = y - slope * x;
    const double variance = errors.squaredNorm() / static_cast<double>(n - 1);
    auto estimate =
        around(slope, student_t_95(data.size() - 1) * std::sqrt(variance / x.squaredNorm()));
    set_range(estimate, data);
    estimate.residual = std::sqrt(errors.squaredNorm() / static_cast<double>(n));
    return estimate;
}

Estimate fit_saturation(const std::vector<DataPoint>& data) {
    constexpr double kClearly = 1.5;  // near the limit the bend is round
    if (data.empty()) {
        throw ModelFileError("a saturation needs measurements");
    }
    const double alone = std::ranges::min(data, {}, &DataPoint::x).y;
    std::vector<double> limits;
    for (const auto& point : data) {
        if (point.y > kClearly * alone) {
            limits.push_back(point.x * alone / point.y);
        }
    }
    if (limits.empty()) {
        throw ModelFileError("no measurement lies beyond the saturation");
    }
    auto estimate = fit_mean(limits);
    set_range(estimate, data);
    return estimate;
}

}  // namespace overcast
