#include "core/own_executable.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace overcast {
namespace {

using ::testing::HasSubstr;

TEST(OwnExecutable, is_a_file_with_an_absolute_path) {
    const auto own = own_executable();
    ASSERT_TRUE(own);
    EXPECT_TRUE(own->is_absolute());
    EXPECT_TRUE(std::filesystem::is_regular_file(*own));
}

TEST(ProgramBesideThisOne, is_found_by_its_name) {
    const auto own = own_executable();
    ASSERT_TRUE(own);
    EXPECT_EQ(program_beside_this_one(own->filename().string(), "of the tests"), *own);
}

TEST(ProgramBesideThisOne, that_is_missing_is_said_with_place_and_remedy) {
    try {
        program_beside_this_one("no-such-program", "it holds the workloads; build them");
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(own_executable()->parent_path().string()));
        EXPECT_THAT(error.what(),
                    HasSubstr("/no-such-program is not there: it holds the workloads; build them"));
    }
}

}  // namespace
}  // namespace overcast
