#include "core/cupti_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace overcast {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::Not;
using ::testing::StartsWith;

/// A variable of the environment, put back at the end.
class Variable {
public:
    Variable(const char* name, const char* value) : name_{name} {
        if (const char* before = std::getenv(name)) {
            before_ = before;
        }
        setenv(name, value, 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() {
        if (before_) {
            setenv(name_, before_->c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }

private:
    const char* name_;
    std::optional<std::string> before_;
};

TEST(CuptiPlaces, begin_beside_the_tracer_and_end_with_the_loader) {
    const auto places = cupti_places("/opt/overcast/lib", cupti_soname(13));
    EXPECT_EQ(places.front(), "/opt/overcast/lib/libcupti.so.13");
    EXPECT_EQ(places.back(), "libcupti.so.13");
    EXPECT_THAT(places, Contains("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13"));
}

TEST(CuptiPlaces, are_for_one_version_alone) {
    EXPECT_THAT(cupti_places("lib", cupti_soname(12)), Each(EndsWith("libcupti.so.12")));
}

TEST(CuptiPlaces, follow_the_environment_unless_it_is_empty) {
    const Variable home{"CUDA_HOME", "/opt/cuda"};
    const Variable path{"CUDA_PATH", ""};
    const auto places = cupti_places("", cupti_soname(13));
    EXPECT_EQ(places[0], "/opt/cuda/lib64/libcupti.so.13");
    EXPECT_EQ(places[1], "/opt/cuda/extras/CUPTI/lib64/libcupti.so.13");
    EXPECT_THAT(places, Each(Not(StartsWith("/lib64"))));
    EXPECT_THAT(places, Each(Not(StartsWith("/libcupti"))));
}

}  // namespace
}  // namespace overcast
