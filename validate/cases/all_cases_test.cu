#include "validate/cases/harness/options.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace overcast::cases {
namespace {

TEST(AllCases, have_names_of_their_own_and_can_be_made) {
    std::set<std::string_view> names;
    for (const auto& definition : all_cases()) {
        EXPECT_TRUE(names.insert(definition.name).second) << definition.name;
        EXPECT_FALSE(definition.effect.empty()) << definition.name;
        EXPECT_NE(definition.make, nullptr) << definition.name;
        EXPECT_GE(definition.lanes, 1U) << definition.name;
        EXPECT_EQ(find_case(definition.name), &definition);
    }
    EXPECT_EQ(find_case("nothing"), nullptr);
}

TEST(AllCases, have_units_and_no_parameter_named_like_an_option_of_the_harness) {
    for (const auto& definition : all_cases()) {
        std::set<std::string_view> names{
            "preset",      "streams",          "order",      "transform", "parts", "memory", "json",
            "repetitions", "profile-one-pass", "mark-units", "sweep",     "help"};
        for (const auto& parameter : definition.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second)
                << definition.name << " --" << parameter.name;
        }
        EXPECT_TRUE(names.contains("units")) << definition.name;
    }
}

TEST(AllCases, have_presets_that_the_command_line_would_take) {
    for (const auto& definition : all_cases()) {
        for (const auto& parameter : definition.parameters) {
            EXPECT_GE(parameter.seed, parameter.minimum) << definition.name << parameter.name;
            EXPECT_GE(parameter.h200, parameter.minimum) << definition.name << parameter.name;
            EXPECT_GE(parameter.small, parameter.minimum) << definition.name << parameter.name;
        }
    }
}

TEST(AllCases, keep_the_work_that_was_recorded_under_their_names) {
    struct Recorded {
        std::string name;
        std::uint64_t units, bytes, iterations;
    };
    for (const auto& recorded : std::vector<Recorded>{{"pipeline", 20, 12'582'912, 1674},
                                                      {"balanced", 20, 8'388'608, 1874},
                                                      {"small_grid", 32, 65'536, 29'311},
                                                      {"tiny", 200, 65'536, 1},
                                                      {"tiny_inline", 200, 4'096, 1}}) {
        const auto values = preset_values(*find_case(recorded.name), Preset::h200);
        EXPECT_EQ(values["units"], recorded.units) << recorded.name;
        EXPECT_EQ(values["bytes"], recorded.bytes) << recorded.name;
        EXPECT_EQ(values["iterations"], recorded.iterations) << recorded.name;
    }
}

}  // namespace
}  // namespace overcast::cases
