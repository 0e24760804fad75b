#include "tracer/injection/flusher.hpp"

#include "tracer/injection/exit_hook.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace overcast::injection {
namespace {

constexpr int kFlushEveryMs = 500;
/// A flush that takes longer hangs inside CUPTI; the program's end does not wait for it.
constexpr int kExitPatienceMs = 10'000;
constexpr int kSignalPatienceMs = 3'000;

constexpr std::array kSignals{SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// Requests on the pipe: a signal number closes the recording, these do other things.
constexpr unsigned char kFlush = 0;
constexpr unsigned char kCloseAtExit = 255;

/// Signal handlers, exit handlers and fork handlers carry no user data.
struct State {
    Recording* recording = nullptr;
    pid_t process = 0;
    std::array<int, 2> pipe{-1, -1};
    std::atomic<bool> closed{false};
    std::array<bool, kSignals.size()> installed{};
};

State g_state;

void send(unsigned char request) noexcept {
    const auto written = ::write(g_state.pipe[1], &request, 1);
    static_cast<void>(written);  // a full pipe holds requests enough
}

/// Async-signal-safe.
void wait_until_closed(int patience_ms) noexcept {
    constexpr int kStepMs = 1;
    for (int waited = 0; waited < patience_ms && !g_state.closed; waited += kStepMs) {
        ::poll(nullptr, 0, kStepMs);
    }
}

void restore_default(int signal) noexcept {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
}

void on_exit_of_program() noexcept {
    if (getpid() == g_state.process && !g_state.closed) {
        send(kCloseAtExit);
        wait_until_closed(kExitPatienceMs);
    }
}

/// Writes out what there is, then lets the signal do what it would have done without us.
void on_signal(int signal, siginfo_t* info, void* /*context*/) {
    const int saved_errno = errno;
    if (getpid() == g_state.process) {
        send(static_cast<unsigned char>(signal));
        wait_until_closed(kSignalPatienceMs);
    }
    restore_default(signal);
    // A fault happens again when the handler returns; a signal that was sent does not.
    if (info == nullptr || info->si_code <= 0 || signal == SIGINT || signal == SIGTERM) {
        raise(signal);
    }
    errno = saved_errno;
}

void install_signal_handlers() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction current {};
        if (sigaction(kSignals[i], nullptr, &current) != 0 ||
            (current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) {
            continue;
        }
        struct sigaction ours {};
        ours.sa_sigaction = &on_signal;
        ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        g_state.installed[i] = sigaction(kSignals[i], &ours, nullptr) == 0;
    }
}

void in_child_of_fork() noexcept {
    if (g_state.recording == nullptr) {
        return;
    }
    g_state.recording->abandon();
    g_state.closed = true;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction current {};
        if (g_state.installed[i] && sigaction(kSignals[i], nullptr, &current) == 0 &&
            (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == &on_signal) {
            restore_default(kSignals[i]);
        }
    }
}

void close_recording(int signal) noexcept {
    try {
        g_state.recording->close(signal);
    } catch (...) {
        // The spool keeps what earlier flushes wrote.
    }
    g_state.closed = true;
}

void* flush_until_closed(void* /*unused*/) {
    while (!g_state.closed) {
        pollfd request{g_state.pipe[0], POLLIN, 0};
        const int ready = ::poll(&request, 1, kFlushEveryMs);
        unsigned char what = kFlush;
        if (ready > 0 && ::read(g_state.pipe[0], &what, 1) != 1) {
            what = kFlush;
        }
        if (what != kFlush) {
            close_recording(what == kCloseAtExit ? 0 : what);
            break;
        }
        try {
            g_state.recording->flush();
        } catch (...) {
            // Out of memory: the next round tries again.
        }
    }
    return nullptr;
}

}  // namespace

void start_flusher(Recording& recording) {
    if (pipe2(g_state.pipe.data(), O_CLOEXEC) != 0) {
        return;
    }
    g_state.recording = &recording;
    g_state.process = getpid();
    // The thread takes no signal: they belong to the program's threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread{};
    const bool runs = pthread_create(&thread, nullptr, &flush_until_closed, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!runs) {
        g_state.recording = nullptr;
        return;
    }
    pthread_detach(thread);
    pthread_atfork(nullptr, nullptr, &in_child_of_fork);
    close_at_exit();
    std::at_quick_exit(&on_exit_of_program);
    install_signal_handlers();
}

void request_flush() noexcept {
    if (g_state.recording != nullptr) {
        send(kFlush);
    }
}

void close_at_exit() noexcept {
    std::atexit(&on_exit_of_program);
    call_before_exit(&on_exit_of_program);
}

}  // namespace overcast::injection
