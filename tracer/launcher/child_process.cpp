#include "tracer/launcher/child_process.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace overcast {
namespace {

constexpr std::array kForwarded{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

std::atomic<pid_t> g_child{0};  // a signal handler carries no user data

void forward(int signal, siginfo_t* info, void* /*context*/) {
    // The terminal (si_code > 0) has sent it to the whole foreground group, the program included.
    const pid_t child = g_child;
    if (child > 0 && info != nullptr && info->si_code <= 0) {
        const int saved_errno = errno;
        kill(child, signal);
        errno = saved_errno;
    }
}

/// While it lives, signals are passed on instead of ending this process.
class SignalForwarding {
public:
    SignalForwarding() {
        for (std::size_t i = 0; i < kForwarded.size(); ++i) {
            sigaction(kForwarded[i], nullptr, &before_[i]);
            if (before_[i].sa_handler == SIG_IGN) {
                continue;  // nohup: the program shall ignore it too
            }
            struct sigaction action {};
            action.sa_sigaction = &forward;
            action.sa_flags = SA_SIGINFO | SA_RESTART;
            sigemptyset(&action.sa_mask);
            sigaction(kForwarded[i], &action, nullptr);
        }
        // Where SIGCHLD is ignored, there is no exit status to wait for.
        struct sigaction action {};
        action.sa_handler = SIG_DFL;
        sigaction(SIGCHLD, &action, &child_before_);
    }
    SignalForwarding(const SignalForwarding&) = delete;
    SignalForwarding& operator=(const SignalForwarding&) = delete;
    ~SignalForwarding() {
        restore();
        g_child = 0;
    }

    void restore() const {
        for (std::size_t i = 0; i < kForwarded.size(); ++i) {
            sigaction(kForwarded[i], &before_[i], nullptr);
        }
        sigaction(SIGCHLD, &child_before_, nullptr);
    }

private:
    std::array<struct sigaction, kForwarded.size()> before_{};
    struct sigaction child_before_ {};
};

/// All signals wait while the child is made, so that none is lost or handled twice.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &before_);
    }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;
    ~SignalsBlocked() { release(); }
    void release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (auto& text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> merged_environment(const Environment& added) {
    std::vector<std::string> result;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string text{*entry};
        const auto name = text.substr(0, text.find('='));
        bool replaced = false;
        for (const auto& [key, value] : added) {
            replaced = replaced || key == name;
        }
        if (!replaced) {
            result.push_back(text);
        }
    }
    for (const auto& [key, value] : added) {
        result.push_back(std::string(key).append("=").append(value));
    }
    return result;
}

/// exec's errno comes through a pipe that a successful exec closes.
class ExecReport {
public:
    ExecReport() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
            throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
        }
    }
    ExecReport(const ExecReport&) = delete;
    ExecReport& operator=(const ExecReport&) = delete;
    ~ExecReport() {
        ::close(ends_[0]);
        close_writing();
    }

    void send(int error) const {
        const auto written = ::write(ends_[1], &error, sizeof error);
        static_cast<void>(written);
    }

    std::optional<int> receive() {
        close_writing();
        int error = 0;
        ssize_t got = 0;
        do {
            got = ::read(ends_[0], &error, sizeof error);
        } while (got < 0 && errno == EINTR);
        return got == static_cast<ssize_t>(sizeof error) ? std::optional{error} : std::nullopt;
    }

private:
    void close_writing() {
        if (ends_[1] >= 0) {
            ::close(ends_[1]);
            ends_[1] = -1;
        }
    }
    std::array<int, 2> ends_{-1, -1};
};

}  // namespace

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw Error(std::string("cannot wait for the program: ") + std::strerror(errno));
        }
    }
    return status;
}

ChildResult run_child(const std::vector<std::string>& command, const Environment& added) {
    auto argument_texts = command;
    auto environment_texts = merged_environment(added);
    const auto arguments = pointers(argument_texts);
    const auto environment = pointers(environment_texts);
    ExecReport report;

    const SignalsBlocked blocked;
    const SignalForwarding forwarding;
    const pid_t child = fork();
    if (child < 0) {
        throw Error(std::string("cannot make a process: ") + std::strerror(errno));
    }
    if (child == 0) {
        forwarding.restore();
        blocked.release();
        execvpe(arguments[0], arguments.data(), environment.data());
        report.send(errno);
        _exit(1);
    }
    g_child = child;
    blocked.release();

    ChildResult result;
    result.process = child;
    result.exec_error = report.receive();
    const int status = wait_for(child);
    if (WIFSIGNALED(status)) {
        constexpr int kSignalBase = 128;
        result.signal = WTERMSIG(status);
        result.status = kSignalBase + WTERMSIG(status);
    } else {
        result.status = WEXITSTATUS(status);
    }
    return result;
}

}  // namespace overcast
