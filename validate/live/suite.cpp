#include "validate/live/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

const std::vector<std::uint32_t> kMany{1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
const std::vector<std::uint32_t> kSome{1, 2, 3, 4, 8, 16};
const std::vector<std::uint32_t> kPowers{1, 2, 4, 8, 16};
const std::vector<std::uint32_t> kFew{1, 2, 4, 8};
/// Products are counted over streams: every number shows a step or none (learn-cuda).
const std::vector<std::uint32_t> kToSixteen{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

const std::vector<IssueOrder> kBoth{IssueOrder::depth, IssueOrder::breadth};
const std::vector<IssueOrder> kDepth{IssueOrder::depth};
const std::vector<IssueOrder> kThree{IssueOrder::recorded, IssueOrder::depth, IssueOrder::breadth};
constexpr std::uint32_t kScatteringSeries = 4;
constexpr std::uint32_t kPageableSeries = 8;

MeasuredSweep distribute(std::vector<std::uint32_t> streams,
                         std::vector<IssueOrder> orders = kBoth) {
    return {Transform::distribute, std::move(orders), std::move(streams)};
}
MeasuredSweep replicate(std::vector<std::uint32_t> streams,
                        std::vector<IssueOrder> orders = kBoth) {
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

/// Two copies in, a kernel, a copy out, and what may be done with them.
std::vector<SuiteCase> pipelines() {
    return {
        row("pipeline", "pipeline").measured({distribute(kMany)}),
        row("pipeline_connections_1", "pipeline")
            .measured({distribute(kPowers)})
            .with_connections(1),
        row("pipeline_connections_8", "pipeline")
            .measured({distribute(kPowers)})
            .with_connections(8),
        row("pipeline_connections_32", "pipeline")
            .measured({distribute(kPowers)})
            .with_connections(32),
        row("pipeline_pageable", "pipeline").measured({distribute(kFew)}).pageable(),
        row("pipeline_replicate", "pipeline").sized({"--units", "4"}).measured({replicate(kFew)}),
        row("pipeline_split", "pipeline").sized({"--units", "4"}).measured({split(kPowers)}),
        row("balanced", "balanced").measured({distribute(kMany)}),
        row("balanced_pageable", "balanced").measured({distribute(kFew)}).pageable(),
        row("balanced_replicate", "balanced").measured({replicate(kFew)}),
        row("balanced_split", "balanced").sized({"--units", "4"}).measured({split(kFew)}),
        row("small_grid", "small_grid").measured({distribute(kMany)}),
        row("small_grid_replicate", "small_grid").measured({replicate(kFew)}),
        row("tiny", "tiny").measured({distribute(kMany)}).bound_by_host(),
        row("tiny_inline", "tiny_inline").measured({distribute(kMany)}).bound_by_host(),
    };
}

/// W1: vector additions from 17 KB to 40 MB per copy.
std::vector<SuiteCase> vector_additions() {
    const auto sized = [](const char* elements, const char* units) {
        return std::vector<std::string>{"--elements", elements, "--units", units};
    };
    return {
        row("vecadd_4300", "vecadd")
            .sized(sized("4300", "100"))
            .measured({distribute(kSome)})
            .bound_by_host(),
        row("vecadd_23000", "vecadd")
            .sized(sized("23000", "100"))
            .measured({distribute(kSome)})
            .bound_by_host(),
        row("vecadd_100k", "vecadd").sized(sized("100000", "64")).measured({distribute(kSome)}),
        row("vecadd_1m", "vecadd").measured({distribute(kSome)}),
        row("vecadd_10m", "vecadd")
            .sized(sized("10000000", "6"))
            .measured({distribute({1, 2, 3, 6})}),
        row("vecadd_heavy", "vecadd_heavy").measured({distribute(kSome)}),
        row("vecadd_heavy_small", "vecadd_heavy")
            .sized({"--elements", "16384", "--iterations", "60000"})
            .measured({distribute(kSome)}),
        row("vecadd_heavy_replicate", "vecadd_heavy")
            .sized({"--units", "8"})
            .measured({replicate(kFew)}),
    };
}

/// W2: Gnocchi's resampling.
std::vector<SuiteCase> resampling() {
    return {
        row("gnocchi_v3", "gnocchi_v3").measured({distribute(kFew)}),
        row("gnocchi_v4", "gnocchi_v4").measured({distribute(kFew, kThree)}).recorded_as_written(),
        row("gnocchi_v4_one_block", "gnocchi_v4")
            .sized({"--blocks", "1"})
            .measured({distribute(kFew, kThree)})
            .recorded_as_written(),
        row("gnocchi_v4_scaled", "gnocchi_v4")
            .sized({"--blocks", "16", "--scale", "8"})
            .measured({distribute(kFew, kThree)})
            .recorded_as_written(),
        row("gnocchi_count_13", "gnocchi_count")
            .sized({"--resample", "13"})
            .measured({distribute(kFew)}),
        row("gnocchi_count_300", "gnocchi_count")
            .sized({"--resample", "300"})
            .measured({distribute(kSome)}),
        row("gnocchi_count_event", "gnocchi_count_event")
            .sized({"--units", "4"})
            .measured({replicate(kFew)}),
    };
}

/// W3: products of two blocks, nothing but kernels.
std::vector<SuiteCase> products() {
    return {
        row("matmul_global", "matmul_global").measured({distribute(kToSixteen, kDepth)}),
        row("matmul_register", "matmul_register").measured({distribute(kToSixteen, kDepth)}),
        row("matmul_24", "matmul_global")
            .sized({"--units", "24"})
            .measured({distribute(kMany, kDepth)}),
        row("matmul_32", "matmul_global")
            .sized({"--units", "32"})
            .measured({distribute(kMany, kDepth)}),
        row("matmul_40", "matmul_global")
            .sized({"--units", "40"})
            .measured({distribute(kMany, kDepth)}),
        row("matmul_64", "matmul_register")
            .sized({"--units", "64", "--inner", "8192"})
            .measured({distribute(kMany, kDepth)}),
    };
}

/// W4: the best offers of a marketplace, in chunks.
std::vector<SuiteCase> marketplaces() {
    return {
        row("market_naive", "market_naive").measured({distribute(kFew)}),
        row("market_warps_16", "market_warps")
            .sized({"--units", "16"})
            .measured({distribute(kPowers)}),
        row("market_work_8", "market_work").sized({"--units", "8"}).measured({distribute(kFew)}),
        row("market_pageable", "market_warps").measured({distribute(kFew)}).pageable(),
        row("market_repeats", "market_work")
            .sized({"--repeats", "40"})
            .measured({distribute(kSome)}),
        row("market_repeats_small", "market_work")
            .sized({"--repeats", "400", "--units", "300"})
            .measured({distribute(kSome)}),
        row("market_repeats_warps", "market_warps")
            .sized({"--repeats", "20", "--units", "16"})
            .measured({distribute(kFew)}),
    };
}

/// W5: co-location patterns, one by one and batched.
std::vector<SuiteCase> colocations() {
    return {
        row("chatty_78", "colocation_chatty").measured({distribute(kSome)}).bound_by_host(),
        row("chatty_286", "colocation_chatty")
            .sized({"--units", "286", "--degree", "3"})
            .measured({distribute(kSome)})
            .bound_by_host(),
        row("batched", "colocation_batched").measured({distribute(kFew)}).with_marked_units(),
        row("refine", "colocation_refine").measured({distribute(kSome)}),
        row("refine_pageable", "colocation_refine").measured({distribute(kFew)}).pageable(),
    };
}

/// W6: units that are not alike, chains, kernels side by side.
std::vector<SuiteCase> mixtures() {
    return {
        row("mixed_kinds", "mixed_kinds")
            .measured({distribute({1, 2, 3, 4, 6, 12})})
            .with_marked_units(),
        row("mixed_kinds_small", "mixed_kinds")
            .sized({"--bytes", "1048576", "--iterations", "600", "--units", "24"})
            .measured({distribute(kSome)})
            .with_marked_units(),
        row("mixed_phases", "mixed_phases").measured({distribute(kSome)}).with_marked_units(),
        row("mixed_sizes", "mixed_sizes").measured({distribute(kSome)}).with_marked_units(),
        row("chain", "chain").measured({distribute(kSome)}),
        row("chain_memsets", "chain_memsets").measured({distribute(kSome)}),
        row("side_by_side", "side_by_side")
            .measured({distribute({1, 2, 3, 4, 6, 12}, kDepth)})
            .with_marked_units(),
        row("side_by_side_waves", "side_by_side_waves")
            .measured({distribute({1, 2, 3, 4, 6, 12}, kDepth)})
            .with_marked_units(),
    };
}

/// Groups of kernels, each group a program of its own, all of them in one recording.
SuiteCase groups(const std::string& program, std::uint32_t last) {
    return row(program, program)
        .measured({distribute({}, kDepth)})
        .swept("group", 0, last)
        .with_marked_units();
}

/// W7: small groups of kernels.
std::vector<SuiteCase> co_runs() {
    constexpr std::uint32_t kLast = 159;
    return {groups("co_run_a", kLast), groups("co_run_b", kLast)};
}

/// Two kernels that are on every SM from the begin: how these are shared, whoever is where.
std::vector<SuiteCase> pairs() {
    constexpr std::uint32_t kLast = 639;
    return {groups("co_run_pairs_a", kLast).if_named(), groups("co_run_pairs_b", kLast).if_named()};
}

/// A product beside a kernel on other SMs: how these share what all SMs have.
std::vector<SuiteCase> beside_products() {
    constexpr std::uint32_t kLast = 53;
    return {groups("co_run_products_a", kLast).if_named(),
            groups("co_run_products_b", kLast).if_named()};
}

std::vector<SuiteCase> all_rows() {
    std::vector<SuiteCase> rows;
    for (const auto& group :
         {pipelines(), vector_additions(), resampling(), products(), marketplaces(), colocations(),
          mixtures(), co_runs(), pairs(), beside_products()}) {
        rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
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
    series = kPageableSeries;
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
    series = kScatteringSeries;
    return std::move(*this);
}

SuiteCase SuiteCase::swept(std::string parameter, std::uint32_t first, std::uint32_t last) && {
    members = SweptMembers{std::move(parameter), first, last};
    return std::move(*this);
}

SuiteCase SuiteCase::if_named() && {
    only_if_named = true;
    return std::move(*this);
}

std::string SweptMembers::name(std::uint32_t place) const {
    return fmt::format("{}={}", parameter, first + place);
}
std::string SweptMembers::in_words() const {
    return fmt::format("{}={}..{}", parameter, first, last);
}

std::string SuiteRun::streams_word() const { return streams ? std::to_string(*streams) : "each"; }

std::vector<SuiteRun> runs_of(const SuiteCase& one, const std::vector<std::uint32_t>& streams) {
    std::vector<SuiteRun> runs;
    for (const auto& sweep : one.sweeps) {
        const bool first = &sweep == &one.sweeps.front();
        for (const auto order : sweep.orders) {
            if (one.members) {
                runs.push_back({sweep.transform, order, std::nullopt, first});
                continue;
            }
            for (const auto count : streams.empty() ? sweep.streams : streams) {
                const bool traced = first && std::ranges::find(one.timeline_streams, count) !=
                                                 one.timeline_streams.end();
                runs.push_back({sweep.transform, order, count, traced});
            }
        }
    }
    return runs;
}

}  // namespace overcast
