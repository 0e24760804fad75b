// When a recording is written out: every half second, on request, at exit, and when a signal ends
// the program. All flushing happens on one thread of our own, so that nothing of CUPTI runs in a
// signal handler, and a flush that hangs can be left behind.
#pragma once

namespace overcast::injection {

/// What is to be written out.
class Recording {
public:
    Recording() = default;
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Writes out what is finished.
    virtual void flush() = 0;
    /// The last flush: unfinished work too. `signal` is what ends the program; 0 = it exits.
    virtual void close(int signal) = 0;
    /// In the child of a fork, which owns neither the recording nor its file.
    virtual void abandon() noexcept = 0;

protected:
    ~Recording() = default;  // a recording lives until the process ends
};

/// Starts the thread, and installs the handlers for exit, fork and those signals that the program
/// has left at their default action. Once per process.
void start_flusher(Recording& recording);

/// Asks for a flush soon. Callable from any thread.
void request_flush() noexcept;

/// Has the last flush made at exit and at _exit (again: later exit handlers run earlier, and
/// libraries may have been loaded since).
void close_at_exit() noexcept;

}  // namespace overcast::injection
