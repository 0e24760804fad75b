#include "tracer/doctor/find_cupti.hpp"

#include "core/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace overcast {
namespace {

// Versions that no machine has elsewhere.
constexpr auto kWanted = "libcupti.so.9913";
constexpr auto kOther = "libcupti.so.9912";

TEST(FindCupti, takes_no_other_version_than_the_one_that_the_tracer_was_built_for) {
    const TemporaryFolder folder;
    std::ofstream{folder.path() / kOther} << "older";
    EXPECT_FALSE(find_cupti(folder.path(), kWanted));
    EXPECT_EQ(find_cupti(folder.path(), kOther), folder.path() / kOther);
}

TEST(FindCupti, finds_the_one_beside_the_tracer) {
    const TemporaryFolder folder;
    std::ofstream{folder.path() / kOther} << "older";
    std::ofstream{folder.path() / kWanted} << "right";
    EXPECT_EQ(find_cupti(folder.path(), kWanted), folder.path() / kWanted);
}

}  // namespace
}  // namespace overcast
