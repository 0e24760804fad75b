// How a recording ends when its program does. Each test runs a program of its own: a child process.
#include "tracer/injection/flusher.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

namespace overcast::injection {
namespace {

/// Writes what it is asked to do into a pipe that the test reads.
class Notebook final : public Recording {
public:
    explicit Notebook(int pipe) : pipe_{pipe} {}
    void flush() override { note("flush;"); }
    void close(int signal) override { note("close " + std::to_string(signal) + ";"); }
    void abandon() noexcept override { abandoned_ = true; }
    bool abandoned() const { return abandoned_; }

private:
    void note(const std::string& text) const {
        EXPECT_EQ(::write(pipe_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    int pipe_;
    bool abandoned_ = false;
};

struct Outcome {
    int status = 0;
    std::string notes;
};

/// Runs `program` in a process with a flusher.
Outcome run(const std::function<void(Notebook&)>& program) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        ::close(ends[0]);
        for (const int signal : {SIGSEGV, SIGABRT, SIGTERM, SIGINT}) {
            ::signal(signal, SIG_DFL);  // a sanitizer may have taken some
        }
        auto* const notebook = new Notebook(ends[1]);
        start_flusher(*notebook);
        program(*notebook);
        std::quick_exit(0);
    }
    ::close(ends[1]);
    Outcome outcome;
    std::array<char, 256> room{};
    for (ssize_t got = 0; (got = ::read(ends[0], room.data(), room.size())) > 0;) {
        outcome.notes.append(room.data(), static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    waitpid(child, &outcome.status, 0);
    return outcome;
}

bool ends_with_one(const std::string& notes, const std::string& last) {
    return notes.ends_with(last) && notes.find("close") == notes.rfind("close");
}

TEST(Flusher, closes_the_recording_when_the_program_exits) {
    const auto outcome = run([](Notebook&) { std::quick_exit(7); });
    EXPECT_TRUE(WIFEXITED(outcome.status));
    EXPECT_EQ(WEXITSTATUS(outcome.status), 7);
    EXPECT_TRUE(ends_with_one(outcome.notes, "close 0;")) << outcome.notes;
}

TEST(Flusher, closes_the_recording_when_the_program_leaves_without_exit_handlers) {
    const auto outcome = run([](Notebook&) { _exit(6); });
    EXPECT_TRUE(WIFEXITED(outcome.status));
    EXPECT_EQ(WEXITSTATUS(outcome.status), 6);
    EXPECT_TRUE(ends_with_one(outcome.notes, "close 0;")) << outcome.notes;
}

TEST(Flusher, closes_the_recording_before_a_signal_kills_the_program) {
    for (const int signal : {SIGTERM, SIGINT, SIGSEGV}) {
        const auto outcome = run([&](Notebook&) {
            kill(getpid(), signal);
            std::this_thread::sleep_for(std::chrono::seconds{5});
        });
        ASSERT_TRUE(WIFSIGNALED(outcome.status)) << signal;
        EXPECT_EQ(WTERMSIG(outcome.status), signal);
        EXPECT_TRUE(ends_with_one(outcome.notes, "close " + std::to_string(signal) + ";"))
            << outcome.notes;
    }
}

TEST(Flusher, closes_the_recording_when_the_program_aborts) {
    const auto outcome = run([](Notebook&) { std::abort(); });
    ASSERT_TRUE(WIFSIGNALED(outcome.status));
    EXPECT_EQ(WTERMSIG(outcome.status), SIGABRT);
    EXPECT_TRUE(ends_with_one(outcome.notes, "close 6;")) << outcome.notes;
}

TEST(Flusher, closes_the_recording_when_the_program_faults) {
    const auto outcome = run([](Notebook&) {
        void* const forbidden = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *static_cast<volatile char*>(forbidden) = 1;
    });
    ASSERT_TRUE(WIFSIGNALED(outcome.status));
    EXPECT_EQ(WTERMSIG(outcome.status), SIGSEGV);
    EXPECT_TRUE(ends_with_one(outcome.notes, "close 11;")) << outcome.notes;
}

TEST(Flusher, leaves_a_signal_alone_that_the_program_handles) {
    const auto outcome = run([](Notebook&) {
        ::signal(SIGTERM, [](int) { _exit(42); });
        raise(SIGTERM);
    });
    ASSERT_TRUE(WIFEXITED(outcome.status));
    EXPECT_EQ(WEXITSTATUS(outcome.status), 42);
}

TEST(Flusher, flushes_within_the_second) {
    const auto outcome = run([](Notebook&) {
        std::this_thread::sleep_for(std::chrono::milliseconds{900});
        kill(getpid(), SIGKILL);
    });
    EXPECT_EQ(WTERMSIG(outcome.status), SIGKILL);
    EXPECT_TRUE(outcome.notes.starts_with("flush;")) << outcome.notes;
}

TEST(Flusher, flushes_when_asked) {
    const auto outcome = run([](Notebook&) {
        request_flush();
        std::this_thread::sleep_for(std::chrono::milliseconds{200});  // less than its own period
        kill(getpid(), SIGKILL);
    });
    EXPECT_EQ(outcome.notes, "flush;");
}

TEST(Flusher, leaves_the_recording_to_the_parent_after_a_fork) {
    const auto outcome = run([](Notebook& notebook) {
        const pid_t child = fork();
        if (child == 0) {
            // Not a single note from here: nothing is closed, no signal is held up.
            if (!notebook.abandoned()) {
                _exit(1);
            }
            raise(SIGTERM);
            _exit(2);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::quick_exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 9);
    });
    EXPECT_EQ(WEXITSTATUS(outcome.status), 0);
    EXPECT_TRUE(ends_with_one(outcome.notes, "close 0;")) << outcome.notes;
}

TEST(Flusher, does_not_wait_for_ever_for_a_recording_that_hangs) {
    class Hanging final : public Recording {
    public:
        void flush() override {}
        void close(int /*signal*/) override { std::this_thread::sleep_for(std::chrono::hours{1}); }
        void abandon() noexcept override {}
    };
    const auto begun = std::chrono::steady_clock::now();
    const auto outcome = run([](Notebook&) {
        // The process has one flusher; this one takes the notebook's place.
        static Hanging hanging;
        start_flusher(hanging);
        raise(SIGTERM);
    });
    EXPECT_EQ(WTERMSIG(outcome.status), SIGTERM);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds{8});
}

}  // namespace
}  // namespace overcast::injection
