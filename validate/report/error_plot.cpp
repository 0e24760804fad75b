#include "validate/report/error_plot.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace overcast {
namespace {

constexpr double kWidth = 860;
constexpr double kLeft = 110;
constexpr double kRight = 20;
constexpr double kTop = 40;
constexpr double kRow = 46;
constexpr double kLinear = 5;  // percent; beyond it the axis is logarithmic
constexpr double kLargest = 500;
constexpr std::array kTicks{-200.0, -50.0, -20.0, -10.0, -5.0, -2.0, 0.0,
                            2.0,    5.0,   10.0,  20.0,  50.0, 200.0};

/// -1 to 1: linear to ±kLinear (half of the axis), logarithmic to ±kLargest.
double place(double percent) {
    const double size = std::min(std::abs(percent), kLargest);
    const double share = size <= kLinear
                             ? 0.5 * size / kLinear
                             : 0.5 + 0.5 * std::log(size / kLinear) / std::log(kLargest / kLinear);
    return std::copysign(share, percent);
}

double x_of(double percent) {
    const double middle = (kLeft + kWidth - kRight) / 2;
    return middle + place(percent) * (kWidth - kRight - kLeft) / 2;
}

/// A height within the row that is the same each time and spreads neighbours.
double spread(std::size_t number) {
    constexpr double kGolden = 0.6180339887;
    const double share = static_cast<double>(number) * kGolden;
    return share - std::floor(share) - 0.5;
}

std::string axis(double bottom) {
    std::string text;
    for (const double tick : kTicks) {
        text += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" class=\"{3}\"/>\n"
            "<text x=\"{0:.1f}\" y=\"{4:.0f}\" text-anchor=\"middle\">{5}</text>\n",
            x_of(tick), kTop, bottom, tick == 0 ? "zero" : "grid", bottom + 18,
            tick == 0 ? "0" : fmt::format("{:+g}", tick));
    }
    return text;
}

std::string row(Family family, const Figures& figures, const AccuracyReport& report, double y) {
    std::string text =
        fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 10,
                    y + 4, to_string(family));
    std::size_t number = 0;
    for (const auto& one : report.cases) {
        if (one.family != family) {
            continue;
        }
        for (const auto& run : one.runs) {
            if (counts(run.measured)) {
                text += fmt::format(
                    "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"><title>{}, {} {}, {} streams: "
                    "{:+.2f} %</title></circle>\n",
                    x_of(run.error_percent), y + spread(number++) * kRow * 0.7, one.case_name,
                    configuration_words(run.measured), to_string(run.measured.order),
                    run.measured.streams, run.error_percent);
            }
        }
    }
    const double median = figures.ours.errors.median_percent;
    return text + fmt::format(
                      "<path class=\"median\" d=\"M{0:.1f} {2:.1f}V{3:.1f}M{1:.1f} "
                      "{2:.1f}V{3:.1f}\"><title>median {4:.2f} %</title></path>\n",
                      x_of(-median), x_of(median), y - kRow * 0.4, y + kRow * 0.4, median);
}

}  // namespace

std::string error_plot(const AccuracyReport& report) {
    const double bottom = kTop + kRow * static_cast<double>(report.families.size());
    const double height = bottom + 46;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<style>.grid{{stroke:#d8dee4}}.zero{{stroke:#57606a}}circle{{fill:#0969da;"
        "fill-opacity:.55}}.median{{stroke:#cf222e;stroke-width:2}}text{{fill:#24292f}}</style>\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n"
        "<text x=\"{2:.0f}\" y=\"22\" font-size=\"14\">Predicted wall time against measured, one "
        "dot per run; red: median size of the error</text>\n",
        kWidth, height, kLeft);
    text += axis(bottom);
    double y = kTop + kRow / 2;
    for (const auto& [family, figures] : report.families) {
        text += row(family, figures, report, y);
        y += kRow;
    }
    return text +
           fmt::format(
               "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">error in % (linear to "
               "5 %, logarithmic beyond)</text>\n</svg>\n",
               (kLeft + kWidth - kRight) / 2, height - 8);
}

}  // namespace overcast
