// Which strands of work there are and in which order their steps are issued: decided without CUDA,
// by the rules that the predictor's transforms follow (workload/issue_plan.hpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace overcast::cases {

enum class Transform : std::uint8_t {
    distribute,  ///< unit u on lane set u mod N
    replicate,   ///< all units on each of the N lane sets, each with buffers of its own
    split        ///< part p of each unit on lane set p mod N
};

enum class Order : std::uint8_t {
    depth,    ///< strand by strand
    breadth,  ///< the first step of every strand, then the second, …
    recorded  ///< phase by phase, within a phase unit by unit; replicas one after the other
};

std::string_view to_string(Transform transform);
std::string_view to_string(Order order);

/// How the work is laid out.
struct Layout {
    Transform transform = Transform::distribute;
    std::uint32_t units = 0;    ///< of one replica
    std::uint32_t streams = 1;  ///< lane sets
    std::uint32_t parts = 1;    ///< of a unit, with split
};

/// One step of one part of one unit.
struct PlannedStep {
    std::uint32_t replica = 0;
    std::uint32_t unit = 0;
    std::uint32_t part = 0;
    std::uint32_t step = 0;  ///< within its unit
    std::uint32_t phase = 0;
    std::uint32_t strand = 0;
    std::uint32_t lane_set = 0;

    bool operator==(const PlannedStep&) const = default;
};

/// Everything that one pass issues, in its order. `phases[u][s]` is the phase of step s of unit u.
/// A replica is one strand that keeps its recorded order, since it repeats what a one-stream
/// recording holds. Throws std::logic_error if phases decrease within a unit.
std::vector<PlannedStep> plan_pass(const Layout& layout, Order order,
                                   const std::vector<std::vector<std::uint32_t>>& phases);

}  // namespace overcast::cases
