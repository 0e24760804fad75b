#include "tracer/launcher/captured_process.hpp"

#include "core/error.hpp"
#include "tracer/launcher/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace overcast {
namespace {

/// A file without a name that both processes write to: no pipe that could fill up.
class Catcher {
public:
    Catcher() : file_{std::tmpfile()} {
        if (file_ == nullptr) {
            throw Error(std::string("cannot make a temporary file: ") + std::strerror(errno));
        }
    }

    [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

    [[nodiscard]] std::string content() const {
        std::rewind(file_.get());
        std::string text;
        std::array<char, 4096> block{};
        while (const auto count = std::fread(block.data(), 1, block.size(), file_.get())) {
            text.append(block.data(), count);
        }
        return text;
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

void apply(const EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
        if (value.empty()) {
            unsetenv(name.c_str());
        } else {
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
}

constexpr int kNotRun = 127;
constexpr int kSignalled = 128;

int exit_status_of(pid_t child) {
    const auto status = wait_for(child);
    return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

CapturedResult run_captured(const std::vector<std::string>& command,
                            const EnvironmentChanges& changes) {
    const Catcher output;
    const Catcher errors;
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (auto& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        throw Error(std::string("cannot start a program: ") + std::strerror(errno));
    }
    if (child == 0) {
        // This process has one thread, so that more than async-signal-safe calls are allowed here.
        apply(changes);
        dup2(output.descriptor(), STDOUT_FILENO);
        dup2(errors.descriptor(), STDERR_FILENO);
        execvp(arguments.front(), arguments.data());
        std::fprintf(stderr, "%s: %s\n", arguments.front(), std::strerror(errno));
        std::fflush(stderr);
        _exit(kNotRun);
    }
    CapturedResult result;
    result.status = exit_status_of(child);
    result.output = output.content();
    result.errors = errors.content();
    return result;
}

}  // namespace overcast
