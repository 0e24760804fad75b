#include "forecast/bound.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

constexpr TimelineTime at(long ns) { return TimelineTime{Duration{ns}}; }

/// Builds a workload and its timeline side by side, one operation per call.
class Played {
public:
    Played& host(long start, long end, Duration own_before, Duration cost,
                 Duration after_wait = {}) {
        Operation operation;
        operation.host_before = own_before;
        operation.call_cost = cost;
        operation.after_wait = after_wait;
        operation.action = HostCall{};
        TimelineEntry entry;
        entry.call_start = at(start);
        entry.call_end = at(end);
        return add(operation, entry);
    }

    Played& device(Action action, Engine engine, long start, long end) {
        Operation operation;
        operation.action = action;
        TimelineEntry entry;
        entry.device_start = at(start);
        entry.device_end = at(end);
        entry.engine = engine;
        entry.on_device = true;
        return add(operation, entry);
    }

    [[nodiscard]] double overlapping() const { return overlap(workload_, timeline_); }

    [[nodiscard]] Utilisation shares(Duration wall, Duration device) {
        timeline_.wall = wall;
        timeline_.device = device;
        return utilisation(workload_, timeline_);
    }

private:
    Played& add(const Operation& operation, const TimelineEntry& entry) {
        workload_.operations.push_back(operation);
        timeline_.entries.push_back(entry);
        return *this;
    }

    Workload workload_;
    Timeline timeline_;
};

Copy copy(CopyKind kind) {
    Copy result;
    result.kind = kind;
    return result;
}

TEST(Overlap, counts_engines_beside_the_first_over_the_time_in_which_any_works) {
    // H2D 0..60, kernel 30..90, D2H 50..60: 60 + 60 + 10 of engine time in 90.
    const auto played = Played{}
                            .device(copy(CopyKind::host_to_device), Engine::h2d, 0, 60)
                            .device(KernelLaunch{}, Engine::sm, 30, 90)
                            .device(copy(CopyKind::device_to_host), Engine::d2h, 50, 60);
    EXPECT_DOUBLE_EQ(played.overlapping(), 40.0 / 90);
    EXPECT_DOUBLE_EQ(Played{}.overlapping(), 0);
}

TEST(Utilisation, counts_time_with_two_kernels_at_once_only_once) {
    // 0..60 and 40..80 together cover 80 of 100.
    const auto shares = Played{}
                            .device(KernelLaunch{}, Engine::sm, 40, 80)
                            .device(KernelLaunch{}, Engine::sm, 0, 60)
                            .shares(Duration{100}, Duration{100});
    EXPECT_DOUBLE_EQ(shares.sm, 0.8);
}

TEST(Utilisation, of_an_engine_refers_to_device_time_and_of_the_host_to_wall_time) {
    const auto shares = Played{}
                            .device(copy(CopyKind::host_to_device), Engine::h2d, 10, 60)
                            .host(0, 20, Duration{0}, Duration{20})
                            .shares(Duration{200}, Duration{100});
    EXPECT_DOUBLE_EQ(shares.h2d, 0.5);
    EXPECT_DOUBLE_EQ(shares.host, 0.1);
}

TEST(Utilisation, leaves_out_the_part_of_a_call_in_which_the_host_waits) {
    // Own time 10, then a call of 90 of which 5 is its cost and 85 is waiting: 15 of 100.
    const auto shares =
        Played{}.host(10, 100, Duration{10}, Duration{5}).shares(Duration{100}, Duration{100});
    EXPECT_DOUBLE_EQ(shares.host, 0.15);
}

TEST(Utilisation, counts_what_a_call_does_when_its_wait_is_over) {
    // A call of 90: 5 before and 20 after a wait of 65. 25 of 100.
    const auto shares = Played{}
                            .host(10, 100, Duration{0}, Duration{5}, Duration{20})
                            .shares(Duration{100}, Duration{100});
    EXPECT_DOUBLE_EQ(shares.host, 0.25);
}

TEST(Utilisation, an_inline_copy_holds_neither_copy_engine_nor_sm) {
    const auto shares = Played{}
                            .device(copy(CopyKind::host_to_device), Engine::sm, 0, 50)
                            .device(copy(CopyKind::device_to_device), Engine::sm, 50, 60)
                            .shares(Duration{100}, Duration{100});
    EXPECT_DOUBLE_EQ(shares.h2d, 0);
    EXPECT_DOUBLE_EQ(shares.sm, 0.1);  // a copy inside the device runs as SM work
}

TEST(Utilisation, is_zero_where_the_device_had_nothing_to_do) {
    const auto shares = Played{}.shares(Duration{0}, Duration{0});
    EXPECT_DOUBLE_EQ(shares.h2d, 0);
    EXPECT_DOUBLE_EQ(shares.host, 0);
}

TEST(BoundBy, is_the_busiest_engine_if_it_is_busy_enough) {
    EXPECT_EQ(bound_by({.h2d = 0.98, .d2h = 0.5, .sm = 0.9, .host = 0.1}), Bound::h2d);
    EXPECT_EQ(bound_by({.h2d = 0.2, .d2h = 0.1, .sm = 0.3, .host = 0.97}), Bound::host);
}

TEST(BoundBy, is_the_first_of_engines_that_are_equally_busy) {
    EXPECT_EQ(bound_by({.h2d = 0.9, .d2h = 0.9, .sm = 0.9, .host = 0.9}), Bound::h2d);
}

TEST(BoundBy, is_a_copy_engine_rather_than_sms_that_are_hardly_busier) {
    EXPECT_EQ(bound_by({.h2d = 0.5, .d2h = 0.94, .sm = 0.98, .host = 0.1}), Bound::d2h);
    EXPECT_EQ(bound_by({.h2d = 0.5, .d2h = 0.86, .sm = 0.98, .host = 0.1}), Bound::sm);
    EXPECT_EQ(bound_by({.h2d = 0.5, .d2h = 0.84, .sm = 0.88, .host = 0.1}), Bound::sm);
}

TEST(BoundBy, is_the_chain_where_every_engine_idles) {
    EXPECT_EQ(bound_by({.h2d = 0.5, .d2h = 0.4, .sm = 0.84, .host = 0.1}), Bound::chain);
}

}  // namespace
}  // namespace overcast
