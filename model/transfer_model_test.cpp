#include "model/transfer_model.hpp"

#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

Copy h2d(std::uint64_t bytes, MemoryKind host = MemoryKind::pinned) {
    Copy copy;
    copy.kind = CopyKind::host_to_device;
    copy.source = host;
    copy.destination = MemoryKind::device;
    copy.bytes = Bytes{bytes};
    return copy;
}

TEST(TransferModel, a_copy_costs_latency_and_bytes_over_bandwidth) {
    auto model = test::round_model();  // 1 byte/ns
    model.h2d.latency = 20ns;
    EXPECT_EQ(copy_duration(h2d(100), CopyPath::h2d_engine, model), 120ns);
}

TEST(TransferModel, a_measured_duration_is_kept_and_scaled_when_the_copy_is_cut) {
    auto model = test::round_model();
    model.h2d.latency = 100ns;
    auto copy = h2d(900);
    copy.measured = Measured{2000ns, 900};
    EXPECT_EQ(copy_duration(copy, CopyPath::h2d_engine, model), 2000ns);
    copy.bytes = Bytes{400};  // modelled 500 of 1000: half the measured time
    EXPECT_EQ(copy_duration(copy, CopyPath::h2d_engine, model), 1000ns);
}

TEST(TransferModel, pageable_memory_has_its_own_curve_and_grows_on_beyond_it) {
    auto model = test::round_model();
    model.h2d.pageable_ns = Curve{{{100, 300}, {200, 500}}};
    EXPECT_EQ(copy_duration(h2d(150, MemoryKind::pageable), CopyPath::h2d_engine, model), 400ns);
    // Beyond 200 bytes at the rate of the last point, 2.5 ns a byte.
    EXPECT_EQ(copy_duration(h2d(400, MemoryKind::pageable), CopyPath::h2d_engine, model), 1000ns);
}

TEST(TransferModel, small_copies_to_the_device_travel_inline) {
    const InlineCopyParameters limits{.pageable_limit = Bytes{64},
                                      .pinned_limit = Bytes{8},
                                      .pinned_idle_limit = Bytes{16},
                                      .duration = 1ns};
    EXPECT_EQ(copy_path(h2d(64, MemoryKind::pageable), false, limits), CopyPath::inline_command);
    EXPECT_EQ(copy_path(h2d(16), true, limits), CopyPath::inline_command);
    EXPECT_EQ(copy_path(h2d(16), false, limits), CopyPath::h2d_engine);
    auto d2h = h2d(1);
    d2h.kind = CopyKind::device_to_host;
    EXPECT_EQ(copy_path(d2h, true, limits), CopyPath::d2h_engine);
}

TEST(TransferModel, a_recorded_copy_is_carried_over_to_the_other_way) {
    auto model = test::round_model();
    model.inline_copies.duration_ns = Curve{{{100, 200}, {300, 400}}};
    model.inline_copies.call_ns = Curve{{{0, 0}, {200, 60}}};
    auto copy = h2d(200);  // 200 ns by the engine, 300 inline
    copy.measured = Measured{1000ns, 200};
    EXPECT_EQ(copy_duration(copy, CopyPath::inline_command, model), 1000ns);  // not known how
    EXPECT_EQ(inline_call_time(copy, CopyPath::inline_command, model.inline_copies), 0ns);
    copy.measured_inline = false;
    EXPECT_EQ(copy_duration(copy, CopyPath::inline_command, model), 1500ns);
    EXPECT_EQ(copy_duration(copy, CopyPath::h2d_engine, model), 1000ns);
    EXPECT_EQ(inline_call_time(copy, CopyPath::inline_command, model.inline_copies), 60ns);
    EXPECT_EQ(inline_call_time(copy, CopyPath::h2d_engine, model.inline_copies), 0ns);
    copy.measured_inline = true;  // what the call took is in the recording
    EXPECT_EQ(inline_call_time(copy, CopyPath::inline_command, model.inline_copies), 0ns);
}

TEST(TransferModel, a_copy_recorded_beside_the_other_direction_is_faster_alone) {
    auto model = test::round_model();
    model.h2d.duplex_factor = Curve{{{100, 1.25}, {1000, 1.25}}};
    auto copy = h2d(200);
    copy.measured = Measured{1000ns, 200};
    copy.measured_in_duplex = 500ns;
    EXPECT_EQ(copy_duration(copy, CopyPath::h2d_engine, model), 900ns);  // 500 + 500 / 1.25
    copy.measured_in_duplex = {};
    EXPECT_EQ(copy_duration(copy, CopyPath::h2d_engine, model), 1000ns);
}

TEST(TransferModel, the_host_waits_for_synchronous_and_for_pageable_copies) {
    auto synchronous = h2d(100);
    synchronous.asynchronous = false;
    EXPECT_TRUE(blocks_host(synchronous, CopyPath::h2d_engine));
    EXPECT_FALSE(blocks_host(h2d(100), CopyPath::h2d_engine));
    EXPECT_TRUE(blocks_host(h2d(100, MemoryKind::pageable), CopyPath::h2d_engine));
    EXPECT_FALSE(blocks_host(h2d(100, MemoryKind::pageable), CopyPath::inline_command));
}

}  // namespace
}  // namespace overcast
