#include "validate/cases/sweep.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace overcast::cases {
namespace {

Options pipeline_options() {
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");  // it is recorded with every run
    Options options;
    options.definition = find_case("pipeline");
    options.sizes = options.definition->defaults;
    return options;
}

TEST(Median, is_the_middle_or_the_mean_of_both) {
    EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
    EXPECT_DOUBLE_EQ(median({4, 1, 3, 9}), 3.5);
}

TEST(RunJson, summarises_all_series_and_shows_noise_between_them) {
    // All: 1000, 2000, 2000, 3000, 3000, 4500 ns; median 2.5 us. Series medians 2 and 3 us lie 1 us
    // apart: 40 % of 2.5.
    const std::string json =
        run_json(pipeline_options(), 4, Order::breadth, {{1000, 2000, 3000}, {2000, 3000, 4500}});
    EXPECT_EQ(json,
              R"({"transform": "distribute", "order": "breadth", "streams": 4, "units": 20, )"
              R"("parts": 1, "memory": "pinned", "max_connections": null, )"
              R"("wall_median_us": 2.500, "wall_min_us": 1.000, "wall_max_us": 4.500, )"
              R"("noise_percent": 40.000, "repetitions": 6, "series_median_us": [2.000, 3.000], )"
              R"("timeline_file": null})");
}

TEST(RunJson, counts_the_units_of_all_streams_when_work_is_replicated) {
    Options options = pipeline_options();
    options.transform = Transform::replicate;
    const std::string json = run_json(options, 4, Order::depth, {{1000}});
    EXPECT_NE(json.find("\"units\": 80"), std::string::npos) << json;
}

TEST(RunJson, names_the_timeline_file) {
    Options options = pipeline_options();
    options.timeline_folder = "timelines/a \"b\"";
    const std::string json = run_json(options, 4, Order::depth, {{1000}});
    EXPECT_NE(json.find(R"("timeline_file": "timelines/a \"b\"/depth-4.json.gz")"),
              std::string::npos)
        << json;
}

}  // namespace
}  // namespace overcast::cases
