// Whole runs of ordinary programs, which call no CUDA; and of a shell that plays the injected
// library by writing a spool file.
#include "tracer/launcher/launcher.hpp"

#include "core/error.hpp"
#include "tracer/launcher/spool_for_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <csignal>
#include <fstream>
#include <thread>

namespace overcast {
namespace {

using ::testing::HasSubstr;

class Launcher : public ::testing::Test {
protected:
    Launcher() { std::filesystem::create_directories(folder_); }
    ~Launcher() override { std::filesystem::remove_all(folder_); }

    int run(std::vector<std::string> command) {
        options_.command = std::move(command);
        ::testing::internal::CaptureStderr();
        const int status =
            run_traced(options_, [this](const Trace& trace, const std::filesystem::path& file) {
                traces_.push_back(trace);
                files_.push_back(file);
            });
        said_ = ::testing::internal::GetCapturedStderr();
        return status;
    }

    int shell(const std::string& script) { return run({"/bin/sh", "-c", script}); }

    std::filesystem::path folder_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("launcher-") +
         ::testing::UnitTest::GetInstance()->current_test_info()->name());
    TraceOptions options_{
        .command = {}, .output = folder_ / "trace.json", .tracer_library = "/no/such/library.so"};
    std::vector<Trace> traces_;
    std::vector<std::filesystem::path> files_;
    std::string said_;
};

TEST_F(Launcher, passes_the_exit_code_through) {
    EXPECT_EQ(shell("exit 0"), 0);
    EXPECT_EQ(shell("exit 3"), 3);
    EXPECT_EQ(shell("exit 125"), 125);
}

TEST_F(Launcher, says_128_and_the_number_of_the_signal_that_killed_the_program) {
    EXPECT_EQ(shell("kill -KILL $$"), 128 + SIGKILL);
    EXPECT_EQ(shell("kill -TERM $$"), 128 + SIGTERM);
    EXPECT_EQ(shell("kill -SEGV $$"), 128 + SIGSEGV);
}

TEST_F(Launcher, says_127_for_a_program_that_is_not_there) {
    EXPECT_EQ(run({"/no/such/program"}), 127);
    EXPECT_THAT(said_, HasSubstr("error: cannot run '/no/such/program': No such file"));
    EXPECT_EQ(run({"no-such-program-in-the-path"}), 127);
}

TEST_F(Launcher, says_126_for_a_file_that_is_no_program) {
    EXPECT_EQ(run({folder_.string()}), 126);
    EXPECT_THAT(said_, HasSubstr("Permission denied"));
}

TEST_F(Launcher, does_not_run_the_program_where_the_trace_cannot_be_written) {
    options_.output = "/no/such/folder/trace.json";
    const auto proof = folder_ / "it-ran";
    EXPECT_EQ(shell("touch " + proof.string()), 125);
    EXPECT_FALSE(std::filesystem::exists(proof));
    EXPECT_THAT(said_, HasSubstr("error: cannot write the trace /no/such/folder/trace.json"));
}

TEST_F(Launcher, does_not_run_the_program_for_an_unknown_range) {
    options_.range = "nvtx:";
    const auto proof = folder_ / "it-ran";
    EXPECT_EQ(shell("touch " + proof.string()), 125);
    EXPECT_FALSE(std::filesystem::exists(proof));
}

TEST_F(Launcher, says_in_one_line_why_nothing_was_recorded) {
    EXPECT_EQ(shell("exit 4"), 4);
    EXPECT_EQ(std::ranges::count(said_, '\n'), 1) << said_;
    EXPECT_TRUE(traces_.empty());
}

TEST_F(Launcher, gives_the_program_what_the_injected_library_needs) {
    options_.range = "profiler-api";
    options_.mode = RecordMode::minimal;
    const auto seen = folder_ / "seen";
    EXPECT_EQ(shell("echo $CUDA_INJECTION64_PATH $NVTX_INJECTION64_PATH $OVERCAST_RECORD "
                    "$OVERCAST_RANGE > " +
                    seen.string() + "; test -d \"$OVERCAST_SPOOL_FOLDER\""),
              0);
    std::string line;
    std::getline(std::ifstream{seen} >> std::ws, line);
    EXPECT_EQ(line, "/no/such/library.so /no/such/library.so minimal profiler-api");
}

TEST_F(Launcher, leaves_input_and_output_to_the_program) {
    const auto output = folder_ / "output";
    EXPECT_EQ(shell("echo one | { read line; echo \"$line\" > " + output.string() + "; }"), 0);
    std::string line;
    std::getline(std::ifstream{output} >> std::ws, line);
    EXPECT_EQ(line, "one");
}

TEST_F(Launcher, passes_a_signal_on_and_lives) {
    // The program says 5 where SIGTERM reaches it; it never would by itself.
    const auto ready = folder_ / "ready";
    std::thread sender{[&] {
        while (!std::filesystem::exists(ready)) {
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        }
        kill(getpid(), SIGTERM);
    }};
    EXPECT_EQ(shell("trap 'exit 5' TERM; touch " + ready.string() +
                    "; i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done"),
              5);
    sender.join();
}

TEST_F(Launcher, writes_what_each_process_recorded) {
    SpoolForTests first{folder_ / "first.spool"};
    first.call("cudaLaunchKernel", 1, 10, 20).kernel("a", 1, 30, 40).end();
    SpoolForTests second{folder_ / "second.spool"};
    second.add(spool::Process{2'000, 0, 4'712, 4'711}).call("cudaFree", 1, 10, 20).end();
    SpoolForTests idle{folder_ / "idle.spool"};
    idle.end();
    EXPECT_EQ(shell("cp " + second.write().string() + " " + idle.write().string() + " " +
                    first.write().string() + " $OVERCAST_SPOOL_FOLDER; exit 2"),
              2);
    ASSERT_EQ(files_.size(), 2U);
    EXPECT_EQ(files_[0], folder_ / "trace.json");
    EXPECT_EQ(files_[1], folder_ / "trace.4712.json");
    EXPECT_EQ(traces_[0].activities.size(), 1U);
    EXPECT_THAT(traces_[0].producer, ::testing::StartsWith("overcast "));
    EXPECT_EQ(traces_[0].record_mode, RecordMode::light);
    EXPECT_THAT(said_, HasSubstr("overcast: 1 kernel, 0 copies, 1 API call -> "));
}

TEST_F(Launcher, warns_where_the_recording_is_not_whole) {
    SpoolForTests spool{folder_ / "cut.spool"};
    constexpr std::uint32_t kNobody = 999'999'999;  // above the largest process id
    spool.add(spool::Process{1'000, 0, kNobody, 1});
    spool.call("cudaLaunchKernel", 1, 10, 20).add(spool::Quality{12, 0, 0});
    EXPECT_EQ(shell("cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER; kill -KILL $$"),
              137);
    ASSERT_EQ(traces_.size(), 1U);
    EXPECT_TRUE(traces_[0].quality.truncated);
    EXPECT_THAT(said_, HasSubstr("warning: CUPTI dropped 12 records"));
    EXPECT_THAT(said_, HasSubstr("warning: the program ended without warning"));
}

TEST_F(Launcher, says_where_a_process_has_not_ended) {
    SpoolForTests spool{folder_ / "cut.spool"};
    spool.add(spool::Process{1'000, 0, static_cast<std::uint32_t>(getpid()), 1});
    spool.call("cudaLaunchKernel", 1, 10, 20);
    EXPECT_EQ(shell("cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER"), 0);
    EXPECT_THAT(said_, HasSubstr("still runs: the trace ends where"));
}

TEST_F(Launcher, says_why_a_process_was_not_traced) {
    SpoolForTests spool{folder_ / "off.spool"};
    spool.add(spool::Information{"tracing-off", "another profiler is attached (nsys)"});
    EXPECT_EQ(shell("cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER"), 0);
    EXPECT_TRUE(traces_.empty());
    EXPECT_EQ(said_, "overcast: the program ran untraced: another profiler is attached (nsys)\n");
}

TEST_F(Launcher, fails_itself_where_the_trace_cannot_be_written_after_all) {
    SpoolForTests spool{folder_ / "full.spool"};
    spool.call("cudaFree", 1, 10, 20).end();
    options_.command = {"/bin/sh", "-c",
                        "cp " + spool.write().string() + " $OVERCAST_SPOOL_FOLDER"};
    ::testing::internal::CaptureStderr();
    const int status = run_traced(
        options_, [](const Trace&, const std::filesystem::path&) { throw Error("no space left"); });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "error: no space left\n");
    EXPECT_EQ(status, 125);
}

}  // namespace
}  // namespace overcast
