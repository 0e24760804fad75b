#include "validate/accuracy/family.hpp"

#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"
#include "workload/units.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::round_model;
using test::WorkloadBuilder;

/// Recorded durations of a unit's three steps; zero = there is no such step.
struct Unit {
    Duration h2d{};
    Duration kernel{};
    Duration d2h{};
    std::uint32_t blocks = 4;
};

/// The units one after the other, as many units as there are in the list.
Family family_of_units(const std::vector<Unit>& units) {
    WorkloadBuilder made{1};
    std::vector<std::pair<std::size_t, Duration>> copies;
    std::vector<UnitIndex> unit_of;
    std::uint32_t number = 0;
    for (const auto& unit : units) {
        if (unit.h2d > Duration{}) {
            made.h2d(Bytes{1024});
            copies.emplace_back(unit_of.size(), unit.h2d);
            unit_of.push_back(UnitIndex{number});
        }
        made.kernel(unit.blocks, unit.kernel, 1024);
        unit_of.push_back(UnitIndex{number});
        if (unit.d2h > Duration{}) {
            made.d2h(Bytes{1024});
            copies.emplace_back(unit_of.size(), unit.d2h);
            unit_of.push_back(UnitIndex{number});
        }
        ++number;
    }
    auto workload = made.workload();
    workload.units = number;
    for (std::size_t i = 0; i < unit_of.size(); ++i) {
        workload.operations[i].unit = unit_of[i];
    }
    for (const auto& [place, duration] : copies) {
        auto& copy = std::get<Copy>(workload.operations[place].action);
        copy.measured = Measured{duration, copy.bytes.count()};
    }
    return family_of(workload, round_model());
}

TEST(Family, of_kernels_alone_is_co_run) {
    EXPECT_EQ(family_of_units({{{}, 100us, {}}, {{}, 100us, {}}}), Family::co_run);
}

TEST(Family, of_units_with_other_steps_is_mixed) {
    EXPECT_EQ(family_of_units({{50us, 100us, 50us}, {{}, 100us, 50us}}), Family::mixed);
}

TEST(Family, of_units_under_30_us_is_host_bound) {
    EXPECT_EQ(family_of_units({{9us, 10us, 10us}, {9us, 10us, 10us}}), Family::host_bound);
    EXPECT_NE(family_of_units({{10us, 10us, 10us}, {10us, 10us, 10us}}), Family::host_bound);
}

TEST(Family, goes_by_copies_against_kernels) {
    EXPECT_EQ(family_of_units({{151us, 100us, 10us}}), Family::copy_bound);
    EXPECT_EQ(family_of_units({{10us, 100us, 151us}}), Family::copy_bound);
    EXPECT_EQ(family_of_units({{150us, 100us, 10us}}), Family::balanced);
    EXPECT_EQ(family_of_units({{67us, 100us, 10us}}), Family::balanced);
    EXPECT_EQ(family_of_units({{66us, 100us, 10us}}), Family::full_grid);  // 4 blocks: a wave
}

TEST(Family, of_kernel_bound_work_goes_by_the_wave) {
    // 2 SMs with room for two blocks of 1024 threads each: a wave is 4 blocks.
    EXPECT_EQ(family_of_units({{10us, 100us, 10us, 3}}), Family::small_grid);
    EXPECT_EQ(family_of_units({{10us, 100us, 10us, 4}}), Family::full_grid);
    // 100 us in a small grid against 150 us in a full one.
    EXPECT_EQ(family_of_units({{10us, 100us, 10us, 3}, {10us, 150us, 10us, 8}}), Family::full_grid);
}

}  // namespace
}  // namespace overcast
