#include "workload/issue_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overcast {
namespace {

std::size_t total(const std::vector<Strand>& strands) {
    std::size_t count = 0;
    for (const auto& strand : strands) {
        count += strand.operations.size();
    }
    return count;
}

void issue_depth_first(const std::vector<Strand>& strands, std::vector<Step>& steps) {
    for (std::uint32_t i = 0; i < strands.size(); ++i) {
        for (const auto operation : strands[i].operations) {
            steps.push_back({i, operation});
        }
    }
}

void issue_breadth_first(const std::vector<Strand>& strands, const std::vector<bool>& leads,
                         std::vector<Step>& steps) {
    std::vector<std::uint32_t> live(strands.size());
    std::iota(live.begin(), live.end(), 0U);
    std::vector<std::size_t> next(strands.size(), 0);
    while (!live.empty()) {
        for (const auto i : live) {
            const auto& operations = strands[i].operations;
            bool led = false;
            while (next[i] < operations.size() && !(led && leads[operations[next[i]]])) {
                led = led || leads[operations[next[i]]];
                steps.push_back({i, operations[next[i]++]});
            }
        }
        std::erase_if(live,
                      [&](std::uint32_t i) { return next[i] == strands[i].operations.size(); });
    }
}

void issue_as_recorded(const std::vector<Strand>& strands, std::vector<Step>& steps) {
    issue_depth_first(strands, steps);
    // Depth first left strands in turn; a counting sort by position keeps that turn.
    std::uint32_t last = 0;
    for (const auto& step : steps) {
        last = std::max(last, step.operation);
    }
    std::vector<std::size_t> begins(std::size_t{last} + 2, 0);
    for (const auto& step : steps) {
        ++begins[std::size_t{step.operation} + 1];
    }
    for (std::size_t i = 1; i < begins.size(); ++i) {
        begins[i] += begins[i - 1];
    }
    std::vector<Step> sorted(steps.size());
    for (const auto& step : steps) {
        sorted[begins[step.operation]++] = step;
    }
    steps = std::move(sorted);
}

}  // namespace

std::vector<Step> issue_steps(const std::vector<Strand>& strands, IssueOrder order,
                              const std::vector<bool>& leads) {
    std::vector<Step> steps;
    steps.reserve(total(strands));
    switch (order) {
        case IssueOrder::depth: issue_depth_first(strands, steps); break;
        case IssueOrder::breadth: issue_breadth_first(strands, leads, steps); break;
        case IssueOrder::recorded: issue_as_recorded(strands, steps); break;
    }
    return steps;
}

}  // namespace overcast
