// In which order one host thread issues the steps of a transformed workload.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <vector>

namespace overcast {

/// A sequence of steps that keeps its order: a unit, a part of one, or a replica of the whole.
struct Strand {
    std::vector<std::uint32_t> operations;  ///< indices into the recorded workload, ascending
    std::uint32_t stream = 0;               ///< of the first one that the strand uses
    std::uint32_t part = 0;                 ///< which of the parts of its unit
    std::uint32_t parts = 1;                ///< into which its work is cut
    std::uint32_t replica = 0;
};

/// One step of the new program.
struct Step {
    std::uint32_t strand = 0;
    std::uint32_t operation = 0;  ///< index into the recorded workload
};

/// depth: strand by strand. breadth: the first operation of every strand, then the second, …, where
/// `leads[i]` says whether recorded operation i counts as one; the others go along with the one
/// before them. recorded: by recorded position; strands that share it in turn.
std::vector<Step> issue_steps(const std::vector<Strand>& strands, IssueOrder order,
                              const std::vector<bool>& leads);

}  // namespace overcast
