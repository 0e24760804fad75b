#include "validate/cases/mixed.hpp"

#include <gtest/gtest.h>

namespace overcast::cases {
namespace {

TEST(MixedUnits, take_their_kinds_by_turns) {
    EXPECT_EQ(units_of_kinds(4, 100), (std::vector<UnitShape>{{UnitKind::two_in, 100},
                                                              {UnitKind::from_zero, 100},
                                                              {UnitKind::copied_within, 100},
                                                              {UnitKind::two_in, 100}}));
}

TEST(MixedUnits, take_their_sizes_by_turns) {
    EXPECT_EQ(units_of_sizes(5, 100), (std::vector<UnitShape>{{UnitKind::plain, 100},
                                                              {UnitKind::plain, 200},
                                                              {UnitKind::plain, 400},
                                                              {UnitKind::plain, 800},
                                                              {UnitKind::plain, 100}}));
}

TEST(MixedUnits, upload_only_and_download_only_once_in_four) {
    EXPECT_EQ(units_of_phases(5, 100), (std::vector<UnitShape>{{UnitKind::upload, 100},
                                                               {UnitKind::plain, 100},
                                                               {UnitKind::download, 100},
                                                               {UnitKind::plain, 100},
                                                               {UnitKind::upload, 100}}));
}

}  // namespace
}  // namespace overcast::cases
