#include "validate/cases/harness/result.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace overcast::cases {
namespace {

CaseDefinition one_case() {
    CaseDefinition definition;
    definition.name = "one";
    definition.effect = "an \"effect\"";
    definition.parameters = {{"units", "units of work", 2, 20, 1}, {"bytes", "of a copy", 4, 8, 4}};
    definition.lanes = 2;
    definition.can_be_split = true;
    return definition;
}

const CaseDefinition kCase = one_case();

Options options_of_case() {
    Options options;
    options.definition = &kCase;
    options.streams = 4;
    return options;
}

TEST(Median, is_the_middle_or_the_mean_of_both) {
    EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
    EXPECT_DOUBLE_EQ(median({4, 1, 3, 9}), 3.5);
}

TEST(ResultJson, holds_the_configuration_every_wall_time_and_the_checksum) {
    Options options = options_of_case();
    options.order = Order::breadth;
    options.transform = Transform::split;
    options.parts = 8;
    options.memory = HostMemory::pageable;
    options.preset = Preset::seed;
    EXPECT_EQ(result_json(options, {"NVIDIA H200", 20, 32, {1.5, 2.0004}, 1, 0xABC}),
              R"({"case": "one", "preset": "seed", "device": "NVIDIA H200", )"
              R"("transform": "split", "order": "breadth", "streams": 4, "units": 20, )"
              R"("parts": 8, "memory": "pageable", "max_connections": 32, )"
              R"("walls_us": [1.500, 2.000], "disturbed": 1, "checksum": "0000000000000abc"})");
}

TEST(ResultJson, says_null_where_the_number_of_connections_is_not_set) {
    const std::string json = result_json(options_of_case(), {"GPU", 1, std::nullopt, {1}, 0, 0});
    EXPECT_NE(json.find("\"max_connections\": null"), std::string::npos) << json;
}

TEST(ResultJson, names_the_member_of_a_sweep) {
    Options options = options_of_case();
    options.range = "units=7";
    const std::string json = result_json(options, {"GPU", 1, std::nullopt, {1}, 0, 0});
    EXPECT_TRUE(json.starts_with(R"({"case": "one", "range": "units=7", "preset": )")) << json;
    EXPECT_TRUE(checked_line(options, 7, 0).starts_with("one, units=7: 7 units on 4 streams"));
}

TEST(ResultLine, shows_the_median_and_the_extremes) {
    EXPECT_EQ(result_line(options_of_case(), {"GPU", 20, std::nullopt, {30, 10, 20}, 0, 0}),
              "one: 20 units on 4 streams, depth order: median 20.0 us (10.0 to 30.0), 3 passes");
}

TEST(CheckedLine, names_configuration_and_checksum) {
    Options options = options_of_case();
    EXPECT_EQ(checked_line(options, 20, 255),
              "one: 20 units on 4 streams, depth order: results are right, checksum "
              "00000000000000ff");
    options.transform = Transform::split;
    options.parts = 4;
    EXPECT_EQ(checked_line(options, 20, 255),
              "one: 20 units on 4 streams, depth order, split into 4 parts: results are right, "
              "checksum 00000000000000ff");
}

TEST(ListJson, describes_each_case_and_its_parameters) {
    EXPECT_EQ(list_json({&kCase, 1}),
              "[\n"
              R"({"name": "one", "effect": "an \"effect\"", "lanes": 2, "can_be_split": true, )"
              R"("parameters": {"units": {"seed": 2, "h200": 20, "small": 1, )"
              R"("meaning": "units of work"}, )"
              R"("bytes": {"seed": 4, "h200": 8, "small": 4, "meaning": "of a copy"}}})"
              "\n]");
}

TEST(MaxConnections, is_read_from_the_environment) {
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    EXPECT_EQ(max_connections_of_environment(), std::nullopt);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "8", 1);
    EXPECT_EQ(max_connections_of_environment(), 8U);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "many", 1);
    EXPECT_EQ(max_connections_of_environment(), std::nullopt);
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
}

}  // namespace
}  // namespace overcast::cases
