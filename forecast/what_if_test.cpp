#include "forecast/what_if.hpp"

#include "core/error.hpp"
#include "forecast/predict.hpp"
#include "tests/support/extraction.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using testing::TraceBuilder;
using testing::warns;

/// H2D 1 MB, kernel, D2H 1 MB; in the round model 1 byte takes 1 ns.
Trace one_unit() {
    TraceBuilder trace;
    trace.issue(testing::h2d(Bytes{1'000'000}).taking(1ms))
        .issue(testing::kernel("ns::scale<float>(float*)").grid(2).taking(400us))
        .issue(testing::d2h(Bytes{1'000'000}).taking(1ms))
        .synchronise_stream(7);
    return trace.build();
}

PredictionSweep as_recorded(const Trace& trace, const DeviceModel& model, WhatIf what_if) {
    ForecastOptions options;
    options.transform = Transform::as_recorded;
    options.intervals = false;
    options.what_if = std::move(what_if);
    return forecast(trace, model, options).sweep;
}

Duration wall(const Trace& trace, WhatIf what_if) {
    return as_recorded(trace, test::round_model(), std::move(what_if)).predictions.front().wall;
}

TEST(WhatIf, kernels_by_part_of_their_name_take_a_factor_as_long) {
    WhatIf half;
    half.kernel_scales = {{"scale", 0.5}};
    EXPECT_EQ(wall(one_unit(), {}) - wall(one_unit(), half), 200us);
}

TEST(WhatIf, refuses_a_kernel_that_is_not_there) {
    WhatIf other;
    other.kernel_scales = {{"reduce", 0.5}};
    EXPECT_THROW(wall(one_unit(), other), UsageError);
}

TEST(WhatIf, a_bandwidth_changes_the_recorded_copies_of_its_direction_in_proportion) {
    WhatIf twice;
    twice.h2d_bandwidth = Bandwidth{2e9};  // instead of 1 byte/ns
    EXPECT_EQ(wall(one_unit(), {}) - wall(one_unit(), twice), 500us);
    WhatIf quarter;
    quarter.d2h_bandwidth = Bandwidth{0.25e9};
    EXPECT_EQ(wall(one_unit(), quarter) - wall(one_unit(), {}), 3ms);
}

TEST(WhatIf, pinned_memory_travels_at_the_speed_of_the_link) {
    TraceBuilder trace;
    trace.issue(testing::h2d(Bytes{1'000'000}).pageable().taking(5ms)).synchronise_stream(7);
    WhatIf pinned;
    pinned.pinned = true;
    const auto recorded = trace.build();
    EXPECT_EQ(as_recorded(recorded, test::round_model(), {}).predictions.front().device, 5ms);
    EXPECT_EQ(as_recorded(recorded, test::round_model(), pinned).predictions.front().device, 1ms);
}

TEST(WhatIf, another_device_has_its_own_copies_and_the_recorded_kernels) {
    WhatIf other;
    other.other_device = test::round_model();
    other.other_device->name = "faster";
    other.other_device->h2d.bandwidth = Bandwidth{4e9};
    other.other_device->d2h.bandwidth = Bandwidth{4e9};
    const auto sweep = as_recorded(one_unit(), test::round_model(), other);
    // 250 us + 400 us + 250 us: no gaps in the round model, and those of the trace are left out.
    EXPECT_EQ(sweep.predictions.front().device, 900us);
    EXPECT_EQ(sweep.device_model, "faster");
    EXPECT_TRUE(warns(sweep.warnings, "other-device"));
}

TEST(WhatIf, a_graph_pays_for_one_launch) {
    TraceBuilder trace;
    for (int i = 0; i < 10; ++i) {
        trace.issue(testing::kernel("scale").grid(2).taking(1us).call_taking(20us));
    }
    trace.synchronise_stream(7);
    auto model = test::round_model();
    model.graph.launch_ns_by_nodes = Curve{{{1, 1000}, {100, 100'000}}};
    model.graph.kernel_period = 1us;
    WhatIf graph;
    graph.graph = true;
    const auto recorded = trace.build();
    // Ten calls of 20 us before, one of 10 us (1 us for each node) with the graph; the kernels, of
    // 1 us each, end ten after the first launch.
    EXPECT_GT(as_recorded(recorded, model, {}).predictions.front().wall, 200us);
    EXPECT_LT(as_recorded(recorded, model, graph).predictions.front().wall, 25us);
    EXPECT_FALSE(warns(as_recorded(recorded, model, graph).warnings, "graph-costs"));
    EXPECT_TRUE(warns(as_recorded(recorded, test::round_model(), graph).warnings, "graph-costs"));
}

TEST(WhatIf, the_h200_model_knows_what_a_graph_costs) {
    const auto model = load_device_model("nvidia-h200");
    EXPECT_FALSE(model.graph.launch_ns_by_nodes.empty());
    EXPECT_TRUE(model.graph.kernel_period);
}

}  // namespace
}  // namespace overcast
