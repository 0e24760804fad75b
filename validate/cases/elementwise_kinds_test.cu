#include "validate/cases/elementwise_kinds.hpp"

#include "validate/cases/harness/options.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace overcast::cases {
namespace {

Values sizes(std::uint64_t bytes, std::uint64_t iterations) {
    return Values{{{"units", 1}, {"bytes", bytes}, {"iterations", iterations}}};
}

std::uint32_t grid_of(const Elementwise& kind, Part part = {}) {
    ElementwiseArguments arguments;
    arguments.elements = static_cast<std::uint32_t>(stretch_of(kind, part).size);
    arguments.elements_per_block = kind.elements_per_block;
    return arguments.grid();
}

Elementwise h200(Elementwise (*kind)(const Values&), std::string_view name) {
    return kind(preset_values(*find_case(name), Preset::h200));
}

/// Of one element, as a host with these inputs computes it.
float result(const Elementwise& kind, const std::vector<float>& first, std::uint32_t element,
             const std::vector<float>& second = {}) {
    ElementwiseArguments arguments;
    arguments.inputs = {first.data(), second.data()};
    arguments.elements = kind.elements;
    arguments.elements_per_block = kind.elements_per_block;
    arguments.iterations = kind.iterations;
    return kind.reference(arguments, element);
}

TEST(ElementwiseCases, have_the_grids_that_were_recorded) {
    EXPECT_EQ(grid_of(h200(pipeline_kind, "pipeline")), 12'288U);  // 12 MiB / 4 / 256
    EXPECT_EQ(grid_of(h200(balanced_kind, "balanced")), 4'096U);   // 8 MiB / 4 / 512
    EXPECT_EQ(grid_of(h200(small_grid_kind, "small_grid")), 16U);
    EXPECT_EQ(grid_of(h200(tiny_kind, "tiny")), 64U);         // 64 KiB / 4 / 256
    EXPECT_EQ(grid_of(h200(vecadd_kind, "vecadd")), 3'907U);  // 1,000,000 / 256, rounded up
}

TEST(ElementwiseCases, are_split_between_blocks) {
    const Elementwise pipeline = h200(pipeline_kind, "pipeline");
    const Stretch last = stretch_of(pipeline, {2, 3});
    EXPECT_EQ(last.size, 1'048'576U);  // a third of 3,145,728
    EXPECT_EQ(last.begin, 2'097'152U);
    EXPECT_EQ(grid_of(pipeline, {2, 3}), 4'096U);
    EXPECT_EQ(grid_of(h200(small_grid_kind, "small_grid"), {0, 16}), 1U);
}

TEST(ElementwiseCases, refuse_to_be_split_within_a_block) {
    EXPECT_THROW(stretch_of(h200(pipeline_kind, "pipeline"), {0, 5}), OptionError);
    EXPECT_THROW(stretch_of(h200(small_grid_kind, "small_grid"), {0, 32}), OptionError);
    // 1,000,000 can be halved, but 500,000 are no whole blocks of 256.
    EXPECT_THROW(stretch_of(h200(vecadd_kind, "vecadd"), {0, 2}), OptionError);
    EXPECT_EQ(stretch_of(h200(vecadd_kind, "vecadd"), {0, 1}).size, 1'000'000U);
}

TEST(ElementwiseCases, refuse_bytes_that_are_no_floats) {
    EXPECT_THROW(floats_in(6), OptionError);
    EXPECT_THROW(floats_in(0), OptionError);
    EXPECT_THROW(floats_in(std::uint64_t{8} << 30), OptionError);
    EXPECT_EQ(floats_in(8), 2U);
}

TEST(ElementwiseReference, of_one_step_is_what_one_step_gives) {
    const std::vector<float> first{1.0F, 2.0F};
    const std::vector<float> second{8.0F, 16.0F};
    // One step of the sum: 2 * 0.999 + 16, rounded once.
    EXPECT_EQ(result(pipeline_kind(sizes(8, 1)), first, 1, second),
              static_cast<float>(2 * double{0.999F} + 16));
    // One step of the map: 1 * 1 - 1.9.
    EXPECT_EQ(result(balanced_kind(sizes(8, 1)), first, 0), static_cast<float>(1 - double{1.9F}));
    EXPECT_EQ(result(tiny_kind(sizes(8, 1)), first, 1), 1.625F);  // 2 * 0.75 + 0.125
}

TEST(ElementwiseReference, of_a_vector_addition_is_the_sum_and_then_the_steps) {
    const std::vector<float> first{1.0F, 2.0F};
    const std::vector<float> second{8.0F, 16.0F};
    const auto kind = [](std::uint64_t iterations) {
        return vecadd_kind(Values{{{"units", 1}, {"elements", 2}, {"iterations", iterations}}});
    };
    EXPECT_EQ(result(kind(0), first, 1, second), 18.0F);
    // One step: 18 * 0.999 + 16, rounded once.
    EXPECT_EQ(result(kind(1), first, 1, second), static_cast<float>(18 * double{0.999F} + 16));
}

TEST(ElementwiseReference, of_a_small_grid_carries_on_within_a_block_alone) {
    // 16 blocks of 512 elements: thread 1 of block 1 takes elements 513 and 769.
    std::vector<float> input(8'192, 0.0F);
    input[513 - 256] = 64.0F;  // of block 0: must not count
    input[513] = 4.0F;
    input[769] = 8.0F;
    const Elementwise kind = small_grid_kind(sizes(32'768, 0));
    EXPECT_EQ(result(kind, input, 513), 2.0F);  // (0 + 4) / 2
    EXPECT_EQ(result(kind, input, 769), 5.0F);  // (2 + 8) / 2
}

void make(std::string_view name, std::map<std::string, std::uint64_t, std::less<>> values) {
    find_case(name)->make(Values{std::move(values)}, HostMemory::pageable);
}

TEST(GnocchiCases, refuse_blocks_that_do_not_share_the_chunks_evenly) {
    EXPECT_THROW(make("gnocchi_v4", {{"units", 1}, {"chunks", 128}, {"blocks", 3}, {"scale", 1}}),
                 OptionError);
}

TEST(GnocchiCases, refuse_series_whose_times_or_sums_would_not_be_exact) {
    const std::map<std::string, std::uint64_t, std::less<>> good{
        {"units", 1}, {"points", 1'000}, {"sampling", 7}, {"resample", 13}, {"gap-every", 1}};
    const auto with = [&](const std::string& name, std::uint64_t value) {
        auto values = good;
        values[name] = value;
        return values;
    };
    EXPECT_THROW(make("gnocchi_count", with("sampling", 1'000'001)), OptionError);
    EXPECT_THROW(make("gnocchi_count", with("resample", 120'000)), OptionError);
    EXPECT_THROW(make("gnocchi_count", with("points", 10'000'000)), OptionError);
}

}  // namespace
}  // namespace overcast::cases
