// Golden timelines of the installed H200 model, one hardware effect each. After a change that is
// meant, `OVERCAST_UPDATE_GOLDEN=1 ctest -R golden` writes them anew; read the difference, and tell
// of it under "Model changes" in CHANGELOG.md.

#include "simulator/simulator.hpp"
#include "tests/golden/timeline_text.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

void expect_golden(const std::string& effect, const Workload& workload) {
    const auto text = timeline_text(workload, simulate(workload, load_device_model("nvidia-h200")));
    const auto file = std::filesystem::path{OVERCAST_GOLDEN_DIR} / (effect + ".txt");
    if (std::getenv("OVERCAST_UPDATE_GOLDEN") != nullptr) {
        std::ofstream{file} << text;
    }
    std::ifstream stream{file};
    ASSERT_TRUE(stream) << file << " is missing";
    const std::string expected{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_EQ(text, expected);
}

WorkloadBuilder program(std::uint32_t streams, StreamKind kind = StreamKind::non_blocking) {
    WorkloadBuilder made{streams, kind};
    made.calls_take(1us);
    return made;
}

/// `units` of H2D, kernel, D2H of 4 MiB and 70 us, operation by operation over `streams`.
Workload breadth_first(std::uint32_t streams, std::uint32_t units) {
    auto made = program(streams);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        made.on(unit % streams).h2d(4_MiB);
    }
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        made.on(unit % streams).kernel(132, 70us, 256);
    }
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        made.on(unit % streams).d2h(4_MiB);
    }
    return made.workload();
}

TEST(Golden, breadth_first_four_streams_have_a_copy_channel_each) {
    expect_golden("breadth_first_four_streams_have_a_copy_channel_each", breadth_first(4, 12));
}

TEST(Golden, breadth_first_six_streams_alias_copy_channels) {
    expect_golden("breadth_first_six_streams_alias_copy_channels", breadth_first(6, 12));
}

TEST(Golden, legacy_default_stream_serialises) {
    auto made = program(3, StreamKind::blocking);
    made.stream_kind(1, StreamKind::legacy_default);
    made.on(0).kernel(16, 500us).on(1).kernel(16, 500us).on(2).kernel(16, 500us).synchronise(2);
    expect_golden("legacy_default_stream_serialises", made.workload());
}

TEST(Golden, pageable_copy_blocks_host) {
    auto made = program(2);
    made.on(0).h2d(1_MiB, MemoryKind::pageable).on(1).h2d(1_MiB);
    made.synchronise(0).synchronise(1);
    expect_golden("pageable_copy_blocks_host", made.workload());
}

TEST(Golden, duplex_copies_slow_each_other) {
    auto made = program(2);
    made.on(0).h2d(16_MiB).on(1).d2h(16_MiB).synchronise(0).synchronise(1);
    expect_golden("duplex_copies_slow_each_other", made.workload());
}

TEST(Golden, full_grid_kernels_fill_each_others_tails) {
    auto made = program(3);
    for (std::uint32_t stream = 0; stream < 3; ++stream) {
        made.on(stream).kernel(4118, 2480us, 256);  // 3.9 waves of 8 * 132 blocks
    }
    made.synchronise(2);
    expect_golden("full_grid_kernels_fill_each_others_tails", made.workload());
}

TEST(Golden, blocks_go_to_the_emptiest_sms) {
    auto made = program(2);
    made.on(0).kernel(66, 300us, 1024).on(1).kernel(198, 300us, 128).synchronise(1);
    expect_golden("blocks_go_to_the_emptiest_sms", made.workload());
}

}  // namespace
}  // namespace overcast
