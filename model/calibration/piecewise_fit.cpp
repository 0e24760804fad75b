#include "model/calibration/piecewise_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace overcast {
namespace {

constexpr std::size_t kFewest = 3;  // points of a piece
constexpr std::size_t kMostPieces = 3;
constexpr double kFloor = 0.005;

struct Candidate {
    std::vector<FittedPiece> pieces;
    double squares = 0;  ///< sum of squared relative errors
};

double squares_of(const LineFit& line) {
    return line.start.residual * line.start.residual * static_cast<double>(line.start.points);
}

/// The best cut of the data from `begin` on into `pieces` lines; nothing where they are too few.
std::optional<Candidate> best_cut(const std::vector<DataPoint>& data, std::size_t begin,
                                  std::size_t pieces) {
    const auto left = data.size() - begin;
    if (left < pieces * kFewest) {
        return std::nullopt;
    }
    std::optional<Candidate> best;
    const auto first_end = pieces == 1 ? data.size() : begin + kFewest;
    const auto last_end = data.size() - (pieces - 1) * kFewest;
    for (auto end = first_end; end <= last_end; ++end) {
        const auto at = [&](std::size_t i) {
            return data.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const auto line = fit_line({at(begin), at(end)});
        if (line.slope.value <= 0) {
            continue;
        }
        Candidate made{{{data[begin].x, line}}, squares_of(line)};
        if (pieces > 1) {
            const auto rest = best_cut(data, end, pieces - 1);
            if (!rest) {
                continue;
            }
            made.squares += rest->squares;
            made.pieces.insert(made.pieces.end(), rest->pieces.begin(), rest->pieces.end());
        }
        if (!best || made.squares < best->squares) {
            best = std::move(made);
        }
    }
    return best;
}

double criterion(const Candidate& candidate, std::size_t points) {
    const auto n = static_cast<double>(points);
    const auto k = static_cast<double>(5 * candidate.pieces.size() - 3);
    return n * std::log(candidate.squares / n + kFloor * kFloor) + k * std::log(n);
}

}  // namespace

std::vector<FittedPiece> fit_pieces(std::vector<DataPoint> data) {
    std::ranges::sort(data, {}, &DataPoint::x);
    const auto line = fit_line(data);
    Candidate best{{{data.front().x, line}}, squares_of(line)};
    for (std::size_t pieces = 2; pieces <= kMostPieces; ++pieces) {
        auto cut = best_cut(data, 0, pieces);
        if (cut && criterion(*cut, data.size()) < criterion(best, data.size())) {
            best = std::move(*cut);
        }
    }
    return best.pieces;
}

}  // namespace overcast
