#include "tracer/injection/code_recording.hpp"

#include "core/spool.hpp"
#include "core/temporary_folder.hpp"
#include "tracer/code/module_for_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace overcast::injection {
namespace {

TEST(CodeRecording, reports_kernels_that_ran_once_and_no_others) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "one.spool";
    SpoolWriter writer;
    ASSERT_TRUE(writer.open(file.string()));
    CodeRecording code;
    code.add_module(ModuleForTests{"ran"}.bytes());
    code.add_module(ModuleForTests{"never_ran"}.bytes());
    code.report(writer);
    const auto number = writer.intern("ran");
    code.report(writer);
    code.report(writer);
    ASSERT_TRUE(writer.flush());

    std::vector<spool::Code> found;
    std::uint32_t pass = 0;  // the number of the text that says it
    spool::Reader reader{file};
    for (auto record = reader.next(); record.has_value(); record = reader.next()) {
        if (const auto* each = std::get_if<spool::Code>(&record.value())) {
            found.push_back(*each);
        }
        const auto* text = std::get_if<spool::Text>(&record.value());
        if (text != nullptr && text->text == "h3&21 g11>5<1 n5") {
            pass = text->id;
        }
    }
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().name, number);
    EXPECT_NE(pass, 0U);
    EXPECT_EQ(found.front().pass, pass);
    EXPECT_EQ(found.front().code().instructions, 3);
    EXPECT_EQ(found.front().code().global_bytes, 128);
}

TEST(CodeRecording, takes_what_is_no_module_for_nothing) {
    const std::array<std::byte, 100> nonsense{};
    CodeRecording code;
    code.add_module(nonsense);
    code.add_module({});
    SpoolWriter writer;
    code.report(writer);
}

}  // namespace
}  // namespace overcast::injection
