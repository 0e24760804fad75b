// Lines in several ranges, as many as the data ask for.
#pragma once

#include "model/calibration/line_fit.hpp"

#include <vector>

namespace overcast {

struct FittedPiece {
    double from = 0;  ///< the smallest x that was measured in it
    LineFit line;
};

/// One to three lines over neighbouring ranges of x, each by fit_line and of at least three points,
/// cut where the sum of the squared relative errors is least. Each further piece has to be worth it
/// by Schwarz's criterion,
///   BIC = n ln(S / n + floor^2) + k ln n,   k = 5 pieces - 3 (two of each line, three of a cut,
/// since its place is searched),
/// where errors below `floor` (0.5 %) count as none. A piece rises: more takes no less time. Throws
/// ModelFileError as fit_line does.
std::vector<FittedPiece> fit_pieces(std::vector<DataPoint> data);

}  // namespace overcast
