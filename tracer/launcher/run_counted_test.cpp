// A shell plays the counted program, and the injected library by copying a spool file.
#include "core/error.hpp"
#include "tracer/launcher/launcher.hpp"
#include "tracer/launcher/spool_for_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>

namespace overcast {
namespace {

using ::testing::HasSubstr;

class RunCounted : public ::testing::Test {
protected:
    RunCounted() { std::filesystem::create_directories(folder_); }
    ~RunCounted() override { std::filesystem::remove_all(folder_); }

    int shell(const std::string& script) {
        CountOptions options;
        options.command = {"/bin/sh", "-c", script};
        options.trace = folder_ / "trace.json";
        options.tracer_library = "/no/such/library.so";
        ::testing::internal::CaptureStderr();
        const int status = run_counted(
            options, [this](const std::filesystem::path&) { return recorded_; },
            [this](const Trace& trace, const std::filesystem::path&) { written_ = trace; });
        said_ = ::testing::internal::GetCapturedStderr();
        return status;
    }

    /// A recording of one launch of "scale" with one block.
    void record_scale() {
        DeviceActivity activity;
        TracedKernel kernel;
        kernel.name = recorded_.names.intern("scale");
        activity.what = kernel;
        recorded_.activities.push_back(activity);
    }

    std::filesystem::path folder_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("run-counted-") +
         ::testing::UnitTest::GetInstance()->current_test_info()->name());
    Trace recorded_;
    std::optional<Trace> written_;
    std::string said_;
};

TEST_F(RunCounted, adds_the_means_of_the_measured_launches_to_the_trace) {
    record_scale();
    SpoolForTests spool{folder_ / "counted.spool"};
    spool::CountedLaunch launch;
    launch.of.name = spool.text("scale");
    for (auto& value : launch.values) {
        value = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
    }
    auto& dram = launch.values[static_cast<std::size_t>(KernelCounter::dram)];
    auto& memory = launch.values[static_cast<std::size_t>(KernelCounter::memory_bytes)];
    dram = std::bit_cast<std::uint64_t>(0.25);
    memory = std::bit_cast<std::uint64_t>(4096.0);
    spool.add(launch);
    dram = std::bit_cast<std::uint64_t>(0.75);
    memory = std::bit_cast<std::uint64_t>(8192.0);
    spool.add(launch)
        .add(spool::LaunchTotal{launch.of, 1})
        .add(spool::Information{"counter-passes", "4"});
    spool.end();
    EXPECT_EQ(shell("cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER; exit 3"), 3);
    ASSERT_TRUE(written_);
    ASSERT_EQ(written_->counters.size(), 1U);
    const auto& counters = written_->counters[0];
    EXPECT_EQ(counters[KernelCounter::dram], 0.5);
    EXPECT_EQ(counters[KernelCounter::memory_bytes], 6144.0);
    EXPECT_FALSE(counters[KernelCounter::l2].has_value());
    EXPECT_EQ(counters.measured_launches, 2U);
    EXPECT_EQ(counters.launches, 1U);
    EXPECT_THAT(said_, HasSubstr("counters of 1 kernels, from 2 launches run 4 times each"));
}

TEST_F(RunCounted, asks_the_library_to_count_and_not_to_record) {
    const auto file = folder_ / "environment";
    EXPECT_EQ(shell("echo $CUDA_INJECTION64_PATH $OVERCAST_COUNTERS $NVTX_INJECTION64_PATH > " +
                    file.string()),
              0);
    std::string line;
    std::getline(std::ifstream{file}, line);
    EXPECT_EQ(line, "/no/such/library.so 2");
}

TEST_F(RunCounted, says_why_there_are_no_counters_and_leaves_the_trace_alone) {
    record_scale();
    SpoolForTests spool{folder_ / "counted.spool"};
    spool.add(spool::Information{"tracing-off", "this user may not read the GPU's counters"}).end();
    EXPECT_EQ(shell("cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER"), 0);
    EXPECT_FALSE(written_);
    EXPECT_THAT(said_, HasSubstr("trace.json stays as it is: this user may not read"));
}

TEST_F(RunCounted, leaves_the_trace_alone_where_the_program_used_no_gpu) {
    EXPECT_EQ(shell("exit 4"), 4);
    EXPECT_FALSE(written_);
    EXPECT_EQ(std::ranges::count(said_, '\n'), 1) << said_;
}

TEST_F(RunCounted, does_not_run_the_program_where_the_trace_cannot_be_read) {
    const auto proof = folder_ / "ran";
    CountOptions options;
    options.command = {"/bin/sh", "-c", "touch " + proof.string()};
    options.trace = folder_ / "none.json";
    ::testing::internal::CaptureStderr();
    const int status = run_counted(
        options,
        [](const std::filesystem::path& file) -> Trace { throw Error("no " + file.string()); },
        [](const Trace&, const std::filesystem::path&) {});
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("error: no "));
    EXPECT_EQ(status, kLauncherFailed);
    EXPECT_FALSE(std::filesystem::exists(proof));
}

}  // namespace
}  // namespace overcast
