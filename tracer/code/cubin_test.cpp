#include "tracer/code/cubin.hpp"

#include "tracer/code/module_for_tests.hpp"

#include <gtest/gtest.h>

#include <elf.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace overcast {
namespace {

TEST(Cubin, finds_a_kernel_and_its_loop) {
    const ModuleForTests module{"_Z5chasePj"};
    const auto kernels = kernels_of_module(module.bytes());
    ASSERT_EQ(kernels.count("_Z5chasePj"), 1U);
    const auto& code = kernels.at("_Z5chasePj");
    EXPECT_EQ(code.instructions, 3);  // the pass ends with its branch
    EXPECT_NEAR(code.memory_waits, 1, 0.02);
    EXPECT_EQ(code.global_bytes, 32 * 4);
    EXPECT_EQ(to_text(code.pass), "h3&21 g11>5<1 n5");
}

TEST(Cubin, knows_the_flags_of_older_tools) {
    ModuleForTests module{"f"};
    module.put_value<std::uint32_t>(offsetof(Elf64_Ehdr, e_flags), 0x5a055a);
    EXPECT_EQ(kernels_of_module(module.bytes()).size(), 1U);
}

TEST(Cubin, leaves_what_it_does_not_know) {
    ModuleForTests other{"f"};
    other.put_value<std::uint32_t>(offsetof(Elf64_Ehdr, e_flags),
                                   0x6005004);  // compute capability 8.0
    EXPECT_TRUE(kernels_of_module(other.bytes()).empty());
    ModuleForTests no_module{"f"};
    no_module.put_value<std::uint16_t>(offsetof(Elf64_Ehdr, e_machine), EM_X86_64);
    EXPECT_TRUE(kernels_of_module(no_module.bytes()).empty());
    EXPECT_TRUE(kernels_of_module({}).empty());
}

TEST(Cubin, reads_nothing_beyond_a_module_that_was_cut_off) {
    const ModuleForTests module{"f"};
    const std::span<const std::byte> all{module.bytes()};
    for (std::size_t length = 0; length < all.size(); ++length) {
        const std::vector<std::byte> part(all.begin(),
                                          all.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_LE(kernels_of_module(part).size(), 1U);
    }
}

TEST(Cubin, reads_nothing_beyond_a_module_whose_places_are_wrong) {
    constexpr std::array<std::size_t, 4> kFields{
        offsetof(Elf64_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_shentsize),
        offsetof(Elf64_Ehdr, e_shnum), offsetof(Elf64_Ehdr, e_shstrndx)};
    constexpr std::array<std::uint16_t, 5> kValues{0, 1, 63, 255, 65'535};
    for (const auto field : kFields) {
        for (const auto value : kValues) {
            ModuleForTests module{"f"};
            module.put_value<std::uint16_t>(field, value);
            EXPECT_LE(kernels_of_module(module.bytes()).size(), 1U);
        }
    }
}

}  // namespace
}  // namespace overcast
