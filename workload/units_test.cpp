#include "workload/units.hpp"

#include "core/error.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/warns.hpp"
#include "workload/extract.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace overcast {
namespace {

using ::overcast::testing::warns;
using namespace overcast::testing;
using namespace std::chrono_literals;

Workload with_units(const TraceBuilder& trace, std::string_view choice = "auto") {
    auto workload = extract(trace.build(), {}, {}).workload;
    find_units(workload, parse_unit_choice(choice));
    return workload;
}

/// One character per operation: its unit, or '-' where it has none.
std::string units_of(const Workload& workload) {
    std::string text;
    for (const auto& operation : workload.operations) {
        text += operation.unit ? static_cast<char>('0' + number(*operation.unit)) : '-';
    }
    return text;
}

void issue_unit(TraceBuilder& trace, std::uint64_t chunk = 0, Bytes bytes = mib(1)) {
    trace.issue(h2d(bytes).to(0x10000 + 0x100 * chunk))
        .issue(h2d(bytes).to(0x20000 + 0x100 * chunk))
        .issue(kernel("add"))
        .issue(d2h(bytes).from(0x30000 + 0x100 * chunk));
}

TEST(Units, are_found_where_one_follows_the_other) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        issue_unit(trace);
    }
    trace.synchronise_device();
    const auto workload = with_units(trace);
    EXPECT_EQ(workload.units, 3U);
    EXPECT_EQ(units_of(workload), "000011112222-");
    EXPECT_FALSE(warns(workload, "units-by-position"));
}

TEST(Units, keep_the_waits_that_every_unit_has) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        issue_unit(trace);
        trace.synchronise_stream(7);
    }
    trace.synchronise_device();
    EXPECT_EQ(units_of(with_units(trace)), "000001111122222-");
}

TEST(Units, leave_a_wait_for_all_to_none_of_them) {
    TraceBuilder trace;
    for (std::uint32_t i = 0; i < 3; ++i) {
        issue_unit(trace);
        trace.record_event(i, 7);
    }
    trace.synchronise_device();
    EXPECT_EQ(units_of(with_units(trace)), "000001111122222-");
}

TEST(Units, are_found_where_they_are_issued_operation_by_operation) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        trace.issue(h2d(mib(1)));
    }
    for (int i = 0; i < 3; ++i) {
        trace.issue(kernel("a"));
    }
    for (int i = 0; i < 3; ++i) {
        trace.issue(d2h(mib(1)));
    }
    const auto workload = with_units(trace);
    EXPECT_EQ(workload.units, 3U);
    EXPECT_EQ(units_of(workload), "012012012");
    EXPECT_TRUE(warns(workload, "units-by-position"));
}

TEST(Units, are_found_in_a_software_pipeline) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).issue(h2d(mib(1))).issue(kernel("a"));
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a")).issue(d2h(mib(1)));
    }
    trace.issue(kernel("a")).issue(d2h(mib(1))).issue(d2h(mib(1)));
    // H H K  H K D  H K D  K D D
    EXPECT_EQ(units_of(with_units(trace)), "010210321323");
}

TEST(Units, that_are_interleaved_belong_together_by_buffer) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).to(0xA)).issue(h2d(mib(1)).to(0xB));
    trace.issue(d2h(mib(1)).from(0xB)).issue(d2h(mib(1)).from(0xA));
    const auto workload = with_units(trace);
    EXPECT_EQ(units_of(workload), "0110");
    EXPECT_FALSE(warns(workload, "units-by-position"));
}

TEST(Units, that_are_interleaved_belong_together_by_named_range_first) {
    TraceBuilder trace;
    const auto in = [&](std::string_view name, const Work& work) {
        trace.range(name, [&](TraceBuilder& inside) { inside.issue(work); });
    };
    in("left", h2d(mib(1)).to(0xA));
    in("right", h2d(mib(1)).to(0xB));
    in("right", kernel("a"));
    in("left", kernel("a"));
    in("left", d2h(mib(1)).from(0xB));
    in("right", d2h(mib(1)).from(0xA));
    EXPECT_EQ(units_of(with_units(trace)), "011001");
}

TEST(Units, leave_out_what_comes_before_and_after_them) {
    TraceBuilder trace;
    trace.issue(h2d(kib(4)));
    for (int i = 0; i < 3; ++i) {
        issue_unit(trace);
    }
    trace.issue(kernel("reduce")).issue(d2h(kib(1))).synchronise_device();
    EXPECT_EQ(units_of(with_units(trace)), "-000011112222---");
}

TEST(Units, leave_out_a_copy_before_them_that_looks_like_theirs) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).synchronise_device();
    for (int i = 0; i < 4; ++i) {
        issue_unit(trace);
    }
    EXPECT_EQ(units_of(with_units(trace)), "--0000111122223333");
}

TEST(Units, may_be_single_kernels) {
    TraceBuilder trace;
    for (int i = 0; i < 5; ++i) {
        trace.issue(kernel("a").grid(4));
    }
    EXPECT_EQ(units_of(with_units(trace)), "01234");
}

TEST(Units, may_end_with_a_shorter_one) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        issue_unit(trace);
    }
    issue_unit(trace, 3, kib(100));
    const auto workload = with_units(trace);
    EXPECT_EQ(units_of(workload), "0000111122223333");
    EXPECT_TRUE(warns(workload, "uneven-units"));
}

TEST(Units, are_not_seen_in_two_equal_copies_before_one_kernel) {
    TraceBuilder trace;
    issue_unit(trace);
    const auto workload = with_units(trace);
    EXPECT_EQ(workload.units, 1U);
    EXPECT_EQ(units_of(workload), "0000");
}

TEST(Units, can_be_taken_from_named_ranges) {
    TraceBuilder trace;
    trace.issue(memset(mib(1)));
    for (int i = 0; i < 2; ++i) {
        trace.range("chunk", [](TraceBuilder& inside) { issue_unit(inside); });
    }
    trace.synchronise_device();
    EXPECT_EQ(units_of(with_units(trace, "nvtx:chunk")), "-00001111-");
    EXPECT_THROW(with_units(trace, "nvtx:step"), UsageError);
}

TEST(Units, can_be_taken_as_equal_numbers_of_enqueuing_calls) {
    TraceBuilder trace;
    for (int i = 0; i < 6; ++i) {
        trace.issue(kernel(i % 2 == 0 ? "a" : "b"));
    }
    EXPECT_EQ(units_of(with_units(trace, "count:2")), "000111");
    EXPECT_THROW(with_units(trace, "count:4"), UsageError);
    EXPECT_EQ(units_of(with_units(trace, "whole")), "000000");
}

TEST(UnitChoice, refuses_anything_else_than_the_four_forms) {
    EXPECT_EQ(parse_unit_choice("nvtx:a b").name, "a b");
    EXPECT_EQ(parse_unit_choice("count:12").count, 12U);
    for (const auto* text :
         {"", "automatic", "nvtx:", "count:", "count:0", "count:x", "count:-1"}) {
        EXPECT_THROW(parse_unit_choice(text), UsageError) << text;
    }
}

}  // namespace
}  // namespace overcast
