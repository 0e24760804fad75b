#include "workload/granules.hpp"

#include "tests/support/extraction.hpp"
#include "tests/support/trace_builder.hpp"
#include "workload/changes.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

constexpr std::uint64_t kBase = 0x7f0000000000;
constexpr std::uint64_t kMib = 1U << 20U;

/// The records of memory belong to the calls for memory, in their order.
Workload extracted(const TraceBuilder& builder) {
    auto trace = builder.build();
    auto record = trace.memory_operations.begin();
    for (const auto& call : trace.api_calls) {
        const auto& name = trace.names[call.name];
        if (name == "cudaMalloc" || name == "cudaFree") {
            record->correlation = call.correlation;
            record->time = call.end;
            ++record;
        }
    }
    return extract(trace, round_cost(), {}).workload;
}

/// Two units, breadth first: 1 MiB each at `first` and `second`, of which the recorder adds 1 us to
/// each call.
TraceBuilder breadth_first(std::uint64_t first = kBase, std::uint64_t second = kBase + kMib) {
    TraceBuilder trace;
    trace.issue(kernel("begin").taking(1us)).host_time(1ms);
    trace.call("cudaMalloc", 51us).allocate(first, mib(1));
    trace.call("cudaMalloc", 5us).allocate(second, mib(1));
    trace.issue(kernel("a").on(7).taking(1us)).issue(kernel("b").on(8).taking(1us)).host_time(1ms);
    trace.call("cudaFree", 4us).release(first, mib(1));
    trace.call("cudaFree", 41us).release(second, mib(1));
    trace.issue(kernel("end").taking(1us));
    return trace;
}

std::vector<bool> mapping(const Workload& workload) {
    std::vector<bool> result;
    for (const auto& operation : workload.operations) {
        if (operation.memory) {
            result.push_back(operation.memory->maps);
        }
    }
    return result;
}

/// begin, allocate a, kernel a, release a, allocate b, kernel b, release b, end.
Workload depth_first(Workload workload) {
    const auto recorded = workload.operations;
    const std::array<std::size_t, 8> order{0, 1, 3, 5, 2, 4, 6, 7};
    std::ranges::transform(order, workload.operations.begin(),
                           [&](std::size_t i) { return recorded[i]; });
    map_anew(workload);
    return workload;
}

TEST(Granules, are_mapped_with_their_first_block_and_unmapped_with_their_last) {
    const auto workload = extracted(breadth_first());
    EXPECT_EQ(mapping(workload), (std::vector{true, false, false, true}));
    ASSERT_TRUE(workload.granules);
    EXPECT_EQ(workload.granules->times.map, 50us);
    EXPECT_EQ(workload.granules->times.allocate, 4us);
    EXPECT_EQ(workload.granules->times.release, 3us);
    EXPECT_EQ(workload.granules->times.unmap, 40us);
}

TEST(Granules, the_same_order_costs_what_it_did) {
    auto workload = extracted(breadth_first());
    const auto recorded = workload.operations;
    map_anew(workload);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_EQ(workload.operations[i].call_cost, recorded[i].call_cost);
        EXPECT_EQ(workload.operations[i].after_wait, recorded[i].after_wait);
    }
}

TEST(Granules, unit_by_unit_every_call_maps_or_unmaps) {
    const auto workload = depth_first(extracted(breadth_first()));
    EXPECT_EQ(mapping(workload), (std::vector{true, true, true, true}));
    EXPECT_EQ(workload.operations[1].call_cost, 50us);
    EXPECT_EQ(workload.operations[3].after_wait, 40us);
    EXPECT_EQ(workload.operations[4].call_cost, 50us);
    EXPECT_EQ(workload.operations[6].after_wait, 40us);
}

TEST(Granules, a_block_that_stays_keeps_its_granule_mapped) {
    TraceBuilder trace;
    trace.call("cudaMalloc", 51us).allocate(kBase + kMib, kib(4));
    trace.issue(kernel("begin").taking(1us)).host_time(1ms);
    trace.call("cudaMalloc", 5us).allocate(kBase, mib(1));
    trace.issue(kernel("a").taking(1us)).host_time(1ms);
    trace.call("cudaFree", 4us).release(kBase, mib(1)).issue(kernel("end"));
    const auto workload = extracted(trace);
    EXPECT_TRUE(workload.granules);
    EXPECT_EQ(mapping(workload), (std::vector{false, false}));
}

TEST(Granules, a_call_whose_cost_was_taken_out_stays_free) {
    auto workload = extracted(breadth_first());
    release_without_waiting(workload);
    workload = depth_first(std::move(workload));
    EXPECT_EQ(workload.operations[3].after_wait, 0us);
    EXPECT_EQ(workload.operations[4].call_cost, 50us);
}

// The second block would have had room beside the first.
TEST(Granules, are_not_played_where_the_driver_dealt_the_blocks_otherwise) {
    auto workload = extracted(breadth_first(kBase, kBase + 8 * kMib));
    EXPECT_EQ(mapping(workload), (std::vector{true, true, true, true}));
    EXPECT_FALSE(workload.granules);
}

TEST(Granules, blocks_of_half_a_granule_and_more_do_not_share_and_large_ones_never) {
    TraceBuilder trace;
    trace.issue(kernel("begin").taking(1us)).host_time(1ms);
    trace.call("cudaMalloc", 51us).allocate(kBase, Bytes{kMib + 512});
    trace.call("cudaMalloc", 51us).allocate(kBase + 2 * kMib, Bytes{kMib + 512});
    trace.call("cudaMalloc", 51us).allocate(kBase + 4 * kMib, mib(2)).issue(kernel("end"));
    const auto workload = extracted(trace);
    EXPECT_TRUE(workload.granules);
    EXPECT_EQ(mapping(workload), (std::vector{true, true}));  // the large one is not looked at
}

// By the order of the calls alone, the second allocation would belong to the first kernel.
TEST(Granules, what_a_unit_releases_it_has_allocated) {
    TraceBuilder trace;
    for (const auto stream : {7U, 8U, 9U}) {
        trace.issue(h2d(mib(8)).on(stream));
    }
    for (const auto stream : {7U, 8U, 9U}) {
        trace.call("cudaMalloc", 5us).allocate(kBase + kMib * stream, mib(1));
        trace.issue(kernel("a").on(stream));
    }
    for (const auto stream : {7U, 8U, 9U}) {
        trace.issue(d2h(mib(8)).on(stream)).synchronise_stream(stream);
        trace.call("cudaFree", 5us).release(kBase + kMib * stream, mib(1));
    }
    trace.synchronise_device();
    auto workload = extracted(trace);
    find_units(workload, {});
    ASSERT_EQ(workload.units, 3U);
    std::vector<UnitIndex> allocated;
    std::vector<UnitIndex> released;
    for (const auto& operation : workload.operations) {
        if (operation.memory) {
            ASSERT_TRUE(operation.unit);
            (operation.memory->release ? released : allocated).push_back(*operation.unit);
        }
    }
    EXPECT_EQ(allocated, (std::vector{UnitIndex{0}, UnitIndex{1}, UnitIndex{2}}));
    EXPECT_EQ(released, allocated);
}

// The first copy ends at 151 us, and its cudaMalloc returns 12 us later; the second one finds no
// copy to wait for, and takes 50 us.
TEST(Granules, an_allocation_that_maps_waits_for_copies_wherever_it_is_played) {
    TraceBuilder trace;
    trace.issue(h2d(mib(8)).on(7).starting_at(1us).taking(150us).call_taking(1us));
    trace.call("cudaMalloc", 162us).allocate(kBase, mib(1));
    trace.host_time(1ms).call("cudaFree", 41us).release(kBase, mib(1));
    trace.call("cudaMalloc", 51us).allocate(kBase, mib(1)).issue(kernel("end"));
    const auto operations = extracted(trace).operations;
    for (const std::size_t i : {1U, 3U}) {
        EXPECT_TRUE(std::get<HostCall>(operations[i].action).after_copies_to_device);
        EXPECT_EQ(operations[i].call_cost, 38us);
        EXPECT_EQ(operations[i].after_wait, 12us);
    }
}

}  // namespace
}  // namespace overcast
