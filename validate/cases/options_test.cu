#include "validate/cases/options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace overcast::cases {
namespace {

Options parse(const std::vector<std::string>& words) { return parse_options(words); }

std::string refusal(const std::vector<std::string>& words) {
    try {
        parse_options(words);
    } catch (const OptionError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CaseOptions, a_name_alone_takes_the_sizes_of_the_case) {
    const Options options = parse({"pipeline"});
    EXPECT_EQ(options.command, Command::run);
    EXPECT_EQ(options.definition->name, "pipeline");
    EXPECT_EQ(options.sizes.units, 20U);
    EXPECT_EQ(options.sizes.bytes, 12U << 20);
    EXPECT_EQ(options.streams, std::vector<std::uint32_t>{1});
    EXPECT_EQ(options.orders, std::vector<Order>{Order::depth});
}

TEST(CaseOptions, every_size_and_choice_can_be_set) {
    const Options options =
        parse({"tiny", "--units", "7", "--bytes", "4096", "--iterations", "3", "--streams", "5",
               "--order", "breadth", "--transform", "replicate", "--memory", "pageable",
               "--repetitions", "2", "--profile-one-pass"});
    EXPECT_EQ(options.sizes.units, 7U);
    EXPECT_EQ(options.sizes.bytes, 4096U);
    EXPECT_EQ(options.sizes.iterations, 3U);
    EXPECT_EQ(options.streams.front(), 5U);
    EXPECT_EQ(options.orders.front(), Order::breadth);
    EXPECT_EQ(options.transform, Transform::replicate);
    EXPECT_EQ(options.memory, HostMemory::pageable);
    EXPECT_EQ(options.repetitions, 2U);
    EXPECT_TRUE(options.profile_one_pass);
}

TEST(CaseOptions, a_sweep_takes_lists) {
    const Options options =
        parse({"sweep", "balanced", "--streams", "1,16", "--orders", "breadth"});
    EXPECT_EQ(options.command, Command::sweep);
    EXPECT_EQ(options.streams, (std::vector<std::uint32_t>{1, 16}));
    EXPECT_EQ(options.orders, std::vector<Order>{Order::breadth});
    EXPECT_EQ(parse({"sweep", "balanced"}).orders,
              (std::vector<Order>{Order::depth, Order::breadth}));
}

TEST(CaseOptions, what_is_wrong_is_said) {
    EXPECT_EQ(refusal({}), "name a case, or one of list, sweep, calibrate");
    EXPECT_EQ(refusal({"nothing"}),
              "there is no case 'nothing'; known: pipeline, balanced, small_grid, tiny, "
              "tiny_inline");
    EXPECT_EQ(refusal({"tiny", "--streams", "0"}),
              "--streams needs a number of at least 1, not '0'");
    EXPECT_EQ(refusal({"tiny", "--streams", "1,"}),
              "--streams needs a number of at least 1, not ''");
    EXPECT_EQ(refusal({"tiny", "--units"}), "--units needs a value");
    EXPECT_EQ(refusal({"tiny", "--order", "width"}), "--order is depth or breadth, not 'width'");
    EXPECT_EQ(refusal({"tiny", "--bytes", "6"}), "--bytes must be a multiple of 4");
    EXPECT_EQ(refusal({"tiny", "--streams", "1,2"}),
              "a run has one number of streams and one order; lists belong to sweep");
    EXPECT_EQ(refusal({"calibrate", "tiny"}),
              "the kernel of 'tiny' has no length to tune; name one with --kernel-us");
    EXPECT_EQ(refusal({"tiny", "--what"}), "unknown option '--what'; see overcast-cases --help");
}

TEST(CaseOptions, help_names_every_case) {
    for (const auto& definition : all_cases()) {
        EXPECT_NE(help_text().find(definition.name), std::string::npos) << definition.name;
    }
}

TEST(Cases, the_host_computes_what_a_kernel_of_no_iteration_would) {
    const std::vector<float> first{1.0F, 2.0F};
    const std::vector<float> second{8.0F, 16.0F};
    KernelArguments arguments;
    arguments.inputs[0] = first.data();
    arguments.inputs[1] = second.data();
    arguments.elements = 2;
    // One step of the sum: 2 * 0.999 + 16, rounded once.
    arguments.iterations = 1;
    EXPECT_EQ(pipeline_case().reference(arguments, 1), static_cast<float>(2 * double{0.999F} + 16));
    // One step of the map: 1 * 1 - 1.9.
    EXPECT_EQ(balanced_case().reference(arguments, 0), static_cast<float>(1 - double{1.9F}));
    EXPECT_EQ(tiny_case().reference(arguments, 1), 1.625F);  // 2 * 0.75 + 0.125
    // The mean of nothing and the element, without a step.
    arguments.iterations = 0;
    EXPECT_EQ(small_grid_case().reference(arguments, 1), 1.0F);
}

}  // namespace
}  // namespace overcast::cases
