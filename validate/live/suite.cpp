#include "validate/live/suite.hpp"

#include <algorithm>

namespace overcast {
namespace {

const std::vector<std::uint32_t> kFew{1, 2, 3, 4, 8};
const std::vector<std::uint32_t> kPowers{1, 2, 4, 8, 16};
const std::vector<std::uint32_t> kMany{1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
const std::vector<IssueOrder> kDepth{IssueOrder::depth};
const std::vector<IssueOrder> kBoth{IssueOrder::depth, IssueOrder::breadth};
const std::vector<IssueOrder> kRecorded{IssueOrder::recorded, IssueOrder::depth,
                                        IssueOrder::breadth};
constexpr std::uint32_t kHostBoundSeries = 4;

MeasuredSweep distribute(std::vector<std::uint32_t> streams, std::vector<IssueOrder> orders = kBoth) {
    return {Transform::distribute, std::move(orders), std::move(streams)};
}
MeasuredSweep replicate(std::vector<std::uint32_t> streams, std::vector<IssueOrder> orders = kBoth) {
    return {Transform::replicate, std::move(orders), std::move(streams)};
}
MeasuredSweep split(std::vector<std::uint32_t> streams, std::vector<IssueOrder> orders = kBoth) {
    return {Transform::split, std::move(orders), std::move(streams)};
}

SuiteCase row(std::string name, std::string program) {
    SuiteCase result;
    result.name = std::move(name);
    result.program = std::move(program);
    return result;
}

std::vector<SuiteCase> all_rows() {
    return {
        row("pipeline", "pipeline").measured({distribute(kMany)}),
        row("pipeline_connections_1", "pipeline").measured({distribute(kPowers)}).with_connections(1),
        row("tiny", "tiny").measured({distribute(kMany)}).bound_by_host(),
        row("pipeline_pageable", "pipeline").measured({distribute({1, 2, 4, 8})}).pageable(),
    };
}

}  // namespace

std::span<const SuiteCase> suite() {
    static const std::vector<SuiteCase> rows = all_rows();
    return rows;
}

SuiteCase SuiteCase::sized(std::vector<std::string> words) && {
    arguments = std::move(words);
    return std::move(*this);
}
SuiteCase SuiteCase::measured(std::vector<MeasuredSweep> how) && {
    sweeps = std::move(how);
    return std::move(*this);
}
SuiteCase SuiteCase::pageable() && {
    memory = MemoryKind::pageable;
    return std::move(*this);
}
SuiteCase SuiteCase::with_connections(std::uint32_t number) && {
    max_connections = number;
    return std::move(*this);
}
SuiteCase SuiteCase::recorded_as_written() && {
    recorded_order = IssueOrder::recorded;
    return std::move(*this);
}
SuiteCase SuiteCase::with_marked_units() && {
    unit = "nvtx:unit";
    return std::move(*this);
}
SuiteCase SuiteCase::bound_by_host() && {
    series = kHostBoundSeries;
    return std::move(*this);
}

std::vector<SuiteRun> runs_of(const SuiteCase& one, const std::vector<std::uint32_t>& streams) {
    std::vector<SuiteRun> runs;
    for (const auto& sweep : one.sweeps) {
        const bool first = &sweep == &one.sweeps.front();
        for (const auto order : sweep.orders) {
            for (const auto count : streams.empty() ? sweep.streams : streams) {
                const bool traced =
                    first && std::ranges::find(one.timeline_streams, count) !=
                                 one.timeline_streams.end();
                runs.push_back({sweep.transform, order, count, traced});
            }
        }
    }
    return runs;
}

}  // namespace overcast
