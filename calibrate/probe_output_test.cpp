#include "calibrate/probe_output.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// As overcast-probes printed it on an H200.
constexpr std::string_view kRecorded = R"(text device NVIDIA H200
value multiprocessors 132
value memory_bandwidth_bytes_per_s 4814304000000
phase 1 h2d 4 0
sample wall_h2d 4 6502
sample wall_h2d 4 6498
sample wall_h2d 4 7020
sample gaps_k_k_event_26 -1 561122
sample gaps_k_k_event_26 0 572998
sample wall_spin 60000 2.00006e+09
phase 2 duplex_small_h2d 65536 134217728
)";

TEST(ProbeOutput, reads_samples_values_texts_and_phases) {
    const auto output = parse_probe_output(kRecorded);
    EXPECT_EQ(output.texts.at("device"), "NVIDIA H200");
    EXPECT_EQ(output.values.at("multiprocessors"), 132);
    EXPECT_EQ(output.values.at("memory_bandwidth_bytes_per_s"), 4814304000000.0);
    EXPECT_THAT(output.at("wall_h2d", 4), ElementsAre(6502, 6498, 7020));
    EXPECT_EQ(output.median("wall_h2d", 4), 6502);
    EXPECT_THAT(output.xs("gaps_k_k_event_26"), ElementsAre(-1, 0));
    EXPECT_EQ(output.at("wall_spin", 60000).front(), 2000060000.0);
    EXPECT_EQ(output.phases.at(1).quantity, "h2d");
    EXPECT_EQ(output.phases.at(2).x, 65536);
    EXPECT_EQ(output.phases.at(2).y, 134217728);
}

TEST(ProbeOutput, has_nothing_where_nothing_was_measured) {
    const auto output = parse_probe_output(kRecorded);
    EXPECT_THAT(output.at("wall_h2d", 8), IsEmpty());
    EXPECT_THAT(output.xs("wall_d2h"), IsEmpty());
    EXPECT_THROW((void)output.median("wall_d2h", 4), ModelFileError);
}

// The probes copies and inline_calls both print call_h2d.

TEST(ProbeOutput, keeps_apart_what_several_probes_printed) {
    constexpr std::string_view kTwo =
        "probe copies\nphase 1 h2d 4 0\nsample call_h2d 1024 1000\nphase 2 end 0 0\n"
        "probe inline_calls\nsample call_h2d 1024 2000\n";
    EXPECT_THAT(parse_probe_output(kTwo).at("call_h2d", 1024), ElementsAre(1000, 2000));
    const auto copies = parse_probe_output(kTwo, "copies");
    EXPECT_THAT(copies.at("call_h2d", 1024), ElementsAre(1000));
    EXPECT_EQ(copies.phases.at(2).probe, "copies");
    const auto inlined = parse_probe_output(kTwo, "inline_calls");
    EXPECT_THAT(inlined.at("call_h2d", 1024), ElementsAre(2000));
    EXPECT_THAT(inlined.phases, IsEmpty());
}

TEST(ProbeOutput, refuses_a_line_that_was_cut_short) {
    EXPECT_THROW(parse_probe_output("sample wall_h2d 4 1\nsample gaps_k_"), ModelFileError);
    EXPECT_THROW(parse_probe_output("phase 7 h2d"), ModelFileError);
    EXPECT_THROW(parse_probe_output("hello"), ModelFileError);
}

}  // namespace
}  // namespace overcast
