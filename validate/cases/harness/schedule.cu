#include "validate/cases/harness/schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace overcast::cases {
namespace {

using Phases = std::vector<std::vector<std::uint32_t>>;
using Strand = std::vector<PlannedStep>;

void check_phases(const Phases& phases) {
    for (std::size_t unit = 0; unit < phases.size(); ++unit) {
        if (!std::is_sorted(phases[unit].begin(), phases[unit].end())) {
            throw std::logic_error("unit " + std::to_string(unit) +
                                   ": a step belongs to an earlier phase than the one before it");
        }
    }
}

void append_steps(Strand& strand, PlannedStep first, const std::vector<std::uint32_t>& phases) {
    for (std::uint32_t step = 0; step < phases.size(); ++step) {
        first.step = step;
        first.phase = phases[step];
        strand.push_back(first);
    }
}

/// Steps at the same place of the recording are issued part by part.
void sort_as_recorded(std::vector<PlannedStep>& steps) {
    const auto place = [](const PlannedStep& step) {
        return std::tuple{step.phase, step.unit, step.step, step.part};
    };
    std::stable_sort(steps.begin(), steps.end(), [&](const auto& left, const auto& right) {
        return place(left) < place(right);
    });
}

std::vector<Strand> replicas(const Layout& layout, const Phases& phases) {
    std::vector<Strand> strands(layout.streams);
    for (std::uint32_t replica = 0; replica < layout.streams; ++replica) {
        PlannedStep first;
        first.replica = first.strand = first.lane_set = replica;
        for (first.unit = 0; first.unit < layout.units; ++first.unit) {
            append_steps(strands[replica], first, phases[first.unit]);
        }
        sort_as_recorded(strands[replica]);
    }
    return strands;
}

std::vector<Strand> units_or_parts(const Layout& layout, const Phases& phases) {
    const bool split = layout.transform == Transform::split;
    const std::uint32_t parts = split ? layout.parts : 1;
    std::vector<Strand> strands(std::size_t{layout.units} * parts);
    PlannedStep first;
    for (first.unit = 0; first.unit < layout.units; ++first.unit) {
        for (first.part = 0; first.part < parts; ++first.part) {
            first.strand = first.unit * parts + first.part;
            first.lane_set = (split ? first.part : first.unit) % layout.streams;
            append_steps(strands[first.strand], first, phases[first.unit]);
        }
    }
    return strands;
}

std::vector<PlannedStep> depth_first(const std::vector<Strand>& strands) {
    std::vector<PlannedStep> steps;
    for (const auto& strand : strands) {
        steps.insert(steps.end(), strand.begin(), strand.end());
    }
    return steps;
}

std::vector<PlannedStep> breadth_first(const std::vector<Strand>& strands) {
    std::size_t longest = 0;
    for (const auto& strand : strands) {
        longest = std::max(longest, strand.size());
    }
    std::vector<PlannedStep> steps;
    for (std::size_t step = 0; step < longest; ++step) {
        for (const auto& strand : strands) {
            if (step < strand.size()) {
                steps.push_back(strand[step]);
            }
        }
    }
    return steps;
}

}  // namespace

std::string_view to_string(Transform transform) {
    switch (transform) {
        case Transform::distribute: return "distribute";
        case Transform::replicate: return "replicate";
        case Transform::split: return "split";
    }
    return "";
}

std::string_view to_string(Order order) {
    switch (order) {
        case Order::depth: return "depth";
        case Order::breadth: return "breadth";
        case Order::recorded: return "recorded";
    }
    return "";
}

std::vector<PlannedStep> plan_pass(const Layout& layout, Order order, const Phases& phases) {
    check_phases(phases);
    const bool replicate = layout.transform == Transform::replicate;
    const auto strands = replicate ? replicas(layout, phases) : units_or_parts(layout, phases);
    if (order == Order::breadth) {
        return breadth_first(strands);
    }
    auto steps = depth_first(strands);
    if (order == Order::recorded && !replicate) {
        sort_as_recorded(steps);
    }
    return steps;
}

}  // namespace overcast::cases
