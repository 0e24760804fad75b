#include "tracer/launcher/launcher.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(Launcher, passes_the_exit_code_through) {
    TraceOptions options;
    options.command = {"/bin/sh", "-c", "exit 3"};
    options.output = ::testing::TempDir() + "trace.json";
    EXPECT_EQ(run_traced(options, [](const Trace&, const std::filesystem::path&) {}), 3);
}

}  // namespace
}  // namespace overcast
