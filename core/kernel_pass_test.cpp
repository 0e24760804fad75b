#include "core/kernel_pass.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace overcast {
namespace {

PassInstruction of(PassUnit unit, std::uint8_t stall) {
    PassInstruction instruction;
    instruction.unit = unit;
    instruction.stall = stall;
    return instruction;
}

TEST(KernelPassText, has_a_word_per_instruction_with_what_it_does_not_take_for_granted) {
    auto load = of(PassUnit::global, 2);
    load.words = 4;
    load.result = 0;
    load.operands = 5;
    auto sum = of(PassUnit::alu, 11);
    sum.waits_for = 0x21;
    EXPECT_EQ(to_text({load, sum, of(PassUnit::none, 5)}), "g2*4>0<5 a11&21 n5");
    EXPECT_EQ(to_text({}), "");
}

TEST(KernelPassText, gives_back_the_pass) {
    KernelPass pass;
    for (std::size_t unit = 0; unit < kPassUnits; ++unit) {
        pass.push_back(of(static_cast<PassUnit>(unit), static_cast<std::uint8_t>(2 * unit + 1)));
    }
    for (const auto unit : {PassUnit::shared, PassUnit::global}) {
        for (const auto words : std::array<std::uint8_t, 3>{1, 2, 4}) {
            pass.push_back(of(unit, 1));
            pass.back().words = words;
        }
    }
    for (std::uint8_t scoreboard = 0; scoreboard < kScoreboards; ++scoreboard) {
        pass.push_back(of(PassUnit::xu, 1));
        pass.back().result = scoreboard;
        pass.push_back(of(PassUnit::shared, 1));
        pass.back().words = 2;
        pass.back().operands = scoreboard;
        pass.back().waits_for = static_cast<std::uint8_t>(1U << scoreboard);
    }
    EXPECT_EQ(parse_pass(to_text(pass)), pass);
}

TEST(KernelPassText, may_write_what_goes_without_saying) {
    EXPECT_EQ(parse_pass("s1*1&05"), parse_pass("s1&5"));
    ASSERT_TRUE(parse_pass("s1&5"));
    EXPECT_EQ(parse_pass("s1&5")->front().waits_for, 5);
}

TEST(KernelPassText, is_refused_where_it_is_malformed) {
    constexpr std::array<std::string_view, 32> kMalformed{
        "",     " ",     "f4 ",   " f4",  "f4  f4", "f4\tf4", "q4",     "F4",
        "4",    "f",     "f0",    "f16",  "f-1",    "f+1",    "f004",   "f4 f",
        "f4*2", "g4*0",  "g4*3",  "g4*8", "g4*",    "g4>6",   "g4>",    "g4<6",
        "g4<7", "g4<-1", "g4&40", "g4&",  "g4&001", "g4&g",   "g4<1>1", "g4>1>1"};
    for (const auto text : kMalformed) {
        EXPECT_FALSE(parse_pass(text)) << '"' << text << '"';
    }
}

}  // namespace
}  // namespace overcast
