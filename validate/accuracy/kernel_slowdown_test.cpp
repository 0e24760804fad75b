#include "validate/accuracy/kernel_slowdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Launches of kernels with the time that each took.
class Launches {
public:
    KernelIndex kernel(std::string_view name, std::uint32_t blocks) {
        Kernel kernel;
        kernel.name = workload_.names.intern(name);
        kernel.shape.grid.x = blocks;
        kernel.shape.block.x = 256;
        workload_.kernels.push_back(kernel);
        return static_cast<KernelIndex>(workload_.kernels.size() - 1);
    }
    Launches& launch(KernelIndex kernel, Duration alone, std::uint64_t blocks, Duration took) {
        workload_.operations.emplace_back();
        workload_.operations.back().action = KernelLaunch{kernel, Measured{alone, blocks}};
        TimelineEntry entry;
        entry.on_device = true;
        entry.device_end = TimelineTime{took};
        timeline_.entries.push_back(entry);
        places_.push_back(places_.size());
        return *this;
    }
    [[nodiscard]] PlayedProgram played() const { return {workload_, timeline_}; }
    [[nodiscard]] const Places& places() const { return places_; }

private:
    Workload workload_;
    Timeline timeline_;
    Places places_;
};

std::vector<KernelSlowdown> slowdowns(const Launches& actual, const Launches& predicted) {
    return kernel_slowdowns(actual.played(), actual.places(), predicted.played(),
                            predicted.places());
}

TEST(KernelSlowdown, is_the_mean_time_beside_others_over_the_time_alone) {
    // Alone 10 us each. Measured 20 + 30 = 50 of 20 us; predicted 20 + 20 = 40 of 20 us.
    Launches actual;
    const auto scale = actual.kernel("scale", 132);
    actual.launch(scale, 20us, 132, 20us).launch(scale, 30us, 132, 30us);
    Launches predicted;
    predicted.kernel("scale", 132);
    predicted.launch(scale, 10us, 132, 20us).launch(scale, 10us, 132, 20us);

    EXPECT_THAT(slowdowns(actual, predicted), ElementsAre(KernelSlowdown{"scale", 2, 2.5, 2.0}));
}

TEST(KernelSlowdown, tells_grids_of_one_name_apart) {
    Launches actual;
    const auto small = actual.kernel("scale", 8);
    const auto large = actual.kernel("scale", 264);
    actual.launch(small, 10us, 8, 10us).launch(large, 10us, 264, 15us);
    const auto& predicted = actual;

    EXPECT_THAT(slowdowns(actual, predicted),
                ElementsAre(KernelSlowdown{"scale 8x1x1 of 256x1x1", 1, 1.0, 1.0},
                            KernelSlowdown{"scale 264x1x1 of 256x1x1", 1, 1.5, 1.5}));
}

TEST(KernelSlowdown, leaves_out_a_kernel_whose_grid_was_cut) {
    Launches cut;
    const auto half = cut.kernel("scale", 66);
    cut.launch(half, 10us, 132, 6us);  // recorded with 132 blocks, launched with 66

    EXPECT_THAT(slowdowns(cut, cut), IsEmpty());
}

}  // namespace
}  // namespace overcast
